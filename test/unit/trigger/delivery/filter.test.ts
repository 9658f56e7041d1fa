import { isWanted } from '../../../../nodes/MessagingGateway/trigger/delivery/filter';
import { readSenders } from '../../../../nodes/MessagingGateway/trigger/senders';
import type { TriggerSettings } from '../../../../nodes/MessagingGateway/trigger/settings';
import { makeEvent } from '../event';

const EVERYTHING: TriggerSettings = {
	events: [
		'MESSAGE.RECEIVED',
		'MESSAGE.SENT',
		'MESSAGE.STATUS_UPDATED',
		'CONNECTION.UPDATED',
		'CUSTOM',
	],
	instanceIds: [],
	output: 'raw',
	chatTypes: [],
	messageTypes: [],
	onlyQuotedReplies: false,
	ignoreOutdatedStatuses: false,
	maxPerExecution: 1,
	confirmWhen: 'started',
	answeredAtEnd: false,
};

const person = makeEvent();
const group = makeEvent({ data: { chat: { id: '1@g.us', type: 'GROUP' }, messageType: 'IMAGE' } });
const groupById = makeEvent({ data: { chat: { id: '1@g.us' } } });
const status = makeEvent({ data: { chat: { id: 'status@broadcast', type: 'STATUS' } } });
const channel = makeEvent({ data: { chat: { id: '1@newsletter', type: 'NEWSLETTER' } } });
const hidden = makeEvent({
	data: { chat: { id: '1@lid', type: 'CONTACT' }, quotedMessageId: 'm0' },
});
const hiddenMember = makeEvent({
	data: { chat: { id: '1@g.us', type: 'GROUP' }, sender: { id: '7@lid' } },
});
const connection = makeEvent({ type: 'CONNECTION.UPDATED', data: { status: 'BANNED' } });
const empty = makeEvent({ data: undefined });

const chatless = makeEvent({ type: 'CUSTOM', data: { sender: { id: '7@lid' } } });

const all = {
	person,
	group,
	groupById,
	status,
	channel,
	hidden,
	hiddenMember,
	connection,
	empty,
	chatless,
};

function wanted(change: Partial<TriggerSettings>): string[] {
	const settings = { ...EVERYTHING, ...change };
	return Object.entries(all)
		.filter(([, event]) => isWanted(event, settings))
		.map(([name]) => name);
}

it.each<[string, Partial<TriggerSettings>, string[]]>([
	['takes everything when nothing is asked for', {}, Object.keys(all)],
	['takes the chosen event types', { events: ['CONNECTION.UPDATED'] }, ['connection']],
	['takes nothing without event types', { events: [] }, []],
	['takes the chosen numbers', { instanceIds: ['inst_1'] }, Object.keys(all)],
	['drops other numbers', { instanceIds: ['inst_2'] }, []],
	[
		'takes groups',
		{ chatTypes: ['group'] },
		['group', 'groupById', 'hiddenMember', 'connection', 'empty', 'chatless'],
	],
	[
		'takes persons, also those without a number',
		{ chatTypes: ['person'] },
		['person', 'hidden', 'connection', 'empty', 'chatless'],
	],
	[
		'takes status updates of contacts',
		{ chatTypes: ['status'] },
		['status', 'connection', 'empty', 'chatless'],
	],
	['takes channels', { chatTypes: ['channel'] }, ['channel', 'connection', 'empty', 'chatless']],
	[
		'takes two types',
		{ chatTypes: ['status', 'group'] },
		['group', 'groupById', 'status', 'hiddenMember', 'connection', 'empty', 'chatless'],
	],
	[
		'takes message types',
		{ messageTypes: ['IMAGE'] },
		['group', 'connection', 'empty', 'chatless'],
	],
	[
		'takes a person by phone, however it is written',
		{ senders: readSenders('+55 (11) 98765-4321') },
		['person', 'connection'],
	],
	[
		'takes a person by ID, in a group too',
		{ senders: readSenders(['7@lid', '5511987654321@s.person']) },
		['person', 'hiddenMember', 'connection', 'chatless'],
	],
	[
		'takes nobody by a phone that the network hides',
		{ senders: readSenders('+55 11 91234-5678') },
		['connection'],
	],
	[
		'takes only replies',
		{ onlyQuotedReplies: true },
		['hidden', 'connection', 'empty', 'chatless'],
	],
])('%s', (_what, settings, names) => {
	expect(wanted(settings)).toEqual(names);
});

it.each([
	['a list', []],
	['a text', 'x'],
	['a number', 1],
	['null', null],
])('takes %s for data as no data at all', (_what, data) => {
	expect(isWanted({ ...person, data }, EVERYTHING)).toBe(true);
});

it.each(['IMAGE', 'image', 'Image'])(
	'takes the message type %s for that which was chosen',
	(messageType) => {
		const event = makeEvent({ data: { chat: { id: '1@lid' }, messageType } });
		expect(isWanted(event, { ...EVERYTHING, messageTypes: ['IMAGE'] })).toBe(true);
		expect(isWanted(event, { ...EVERYTHING, messageTypes: ['TEXT'] })).toBe(false);
	},
);
