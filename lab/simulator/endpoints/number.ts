import { Type } from '@sinclair/typebox';
import type { Gateway } from '../gateway';
import type { App } from '../http/app';
import { Refusal } from '../http/refusal';
import type { Chat } from '../state/chats';
import { changeConnection } from '../state/connection';
import type { Instance } from '../state/instance';
import { acceptSend } from '../state/traffic';
import { routesFor } from './route';
import { exactly, Filled, Nothing } from './schemas';

const Recipient = exactly({ to: Filled });
const LabelOnMessage = exactly({ to: Filled, labelId: Filled, messageId: Filled });
const Presence = Type.Union([Type.Literal('COMPOSING'), Type.Literal('PAUSED')]);
const Settings = exactly({
	rejectCall: Type.Boolean(),
	msgRejectCall: Type.String(),
	readMessages: Type.Boolean(),
	ignoreGroups: Type.Boolean(),
	ignoreStatus: Type.Boolean(),
});
const PHONE_CHARACTERS = /^\+?[\d\s().-]+$/;
const E164_DIGITS = /^[1-9]\d{6,14}$/;

/** The endpoints that take an instance token (API 4; the paths of the lists are open, API 14.1). */
export function addNumberEndpoints(app: App, gateway: Gateway): void {
	const { settings, chats, directory } = gateway;
	const { presenceField, pollParameter, wrapSendAnswer, wrapSettingsAnswer } = settings;
	const on = routesFor(app, gateway, 'instance');
	const open = (to: string) => openRecipient(gateway, to);

	on(
		'POST /v1/messages/send-text',
		exactly({ to: Filled, text: Filled }),
		({ to, text }, { number, request, reply }) => {
			const chat = open(to);
			if (number.connection !== 'CONNECTED')
				throw new Refusal(502, 'The number is not connected to the network');
			reply.code(202);
			const data = acceptSend(gateway, request.record, chat, { to, text, instanceId: number.id });
			return wrapSendAnswer ? { data } : data;
		},
	);
	on(
		'POST /v1/messages/presence',
		exactly({ to: Filled, [presenceField]: Presence, isAudio: Type.Optional(Type.Boolean()) }),
		(body) => {
			const { to, isAudio, [presenceField]: presence } = body as Record<string, string>;
			chats.tellPresence(open(to), presence, Boolean(isAudio));
		},
	);
	on('GET /v1/messages/poll-results', exactly({ [pollParameter]: Filled }), (query) => {
		const messageId = query[pollParameter];
		const data = directory.polls.get(messageId);
		if (!data) throw new Refusal(400, `There is no poll with the messageId "${messageId}"`);
		return { data };
	});

	// These change nothing that the API or the phone page shows.
	for (const action of ['archive', 'mute'])
		on(`POST /v1/chats/${action}`, Recipient, ({ to }) => void open(to));
	for (const action of ['assign', 'unassign'])
		on(`POST /v1/labels/${action}-message`, LabelOnMessage, ({ to }) => void open(to));
	on('POST /v1/profile/update-status', exactly({ status: Type.String() }), () => undefined);

	on('POST /v1/communities/create', exactly({ name: Filled }), (body) => {
		const { id, name } = directory.createCommunity(body.name);
		return { data: { id, name } };
	});
	on(
		'POST /v1/communities/add-groups',
		exactly({ id: Filled, groups: Type.Array(Filled, { minItems: 1 }) }),
		({ id, groups }) => {
			const community = directory.communities.find((candidate) => candidate.id === id);
			if (!community) throw new Refusal(400, `There is no community with the id "${id}"`);
			return { data: directory.linkGroups(community, groups) };
		},
	);
	on(
		'POST /v1/newsletters/create',
		exactly({ name: Filled, description: Type.Optional(Type.String()) }),
		({ name, description = '' }) => ({
			data: directory.createNewsletter(name, description),
		}),
	);
	const communities = () => directory.communities.map(({ id, name }) => ({ id, name }));
	const lists = {
		communities,
		groups: () => directory.groups,
		newsletters: () => directory.newsletters,
	};
	for (const [name, list] of Object.entries(lists))
		on(`GET /v1/${name}`, Nothing, () => answerList(gateway, name, list()));

	on('POST /v1/instance/disconnect', Nothing, (_, { number }) => {
		changeConnection(gateway, 'DISCONNECTED', undefined, requireSession(number));
	});
	on('POST /v1/instance/reconnect', Nothing, (_, { number }) => {
		changeConnection(gateway, 'CONNECTED', undefined, requireSession(number));
	});
	const answerSettings = ({ settings: data }: Instance) => (wrapSettingsAnswer ? { data } : data);
	on('GET /v1/instance/settings', Nothing, (_, { number }) => answerSettings(number));
	on('POST /v1/instance/settings', Settings, (body, { number }) => {
		number.settings = body;
		return answerSettings(number);
	});
}

function requireSession(number: Instance): Instance {
	if (number.hasSession) return number;
	throw new Refusal(400, 'There is no saved session: the number has to be paired again');
}

/** The body of a list operation; its shape inside `data`, and paging, are open (API 14.1). */
export function answerList({ settings }: Gateway, name: string, entries: unknown[]) {
	return { data: settings.nestLists ? { [name]: entries } : entries };
}

/**
 * Conversation of `to`: a phone, with or without `+`, spaces and formatting, or an id exactly as the API gave it (API
 * 2.1 to 2.4).
 * @throws {Refusal} if it is neither
 */
export function openRecipient({ chats, directory }: Gateway, to: string): Chat {
	const known = chats.find(to);
	if (known) return known;
	const group = directory.groups.find(({ id }) => id === to);
	if (group) return chats.add({ ...group, kind: 'GROUP' });
	const isPhone = PHONE_CHARACTERS.test(to) && E164_DIGITS.test(to.replace(/\D/g, ''));
	const isId = /^[^\s@]+@[^\s@]+$/.test(to);
	if (!isPhone && !isId) throw new Refusal(400, `"${to}" is neither a phone nor an id`);
	return chats.openFor(to);
}
