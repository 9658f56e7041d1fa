import type { IDataObject, INodeProperties, NodeParameterValueType } from 'n8n-workflow';
import { waitFor } from '../../../../lab/host/waiting';
import type { GatewayEvent } from '../../../../lab/simulator';
import { makeEvent } from '../../../contract/deliveries';
import { engine, gateway } from '../../../support/engineAndGateway';
import {
	arrived,
	failuresOf,
	handOver,
	holdStarts,
	pass,
	publish,
	send,
	useFakeClock,
} from '../../../support/receiving';

const OLD = new Date(0).toISOString();

it('makes a delivery the item of an execution, also if its content type says nothing', async () => {
	const { receiver, secret } = await publish();
	const event = gateway.write('Hello');
	await gateway.drained();

	const [run] = await receiver.runs();
	expect(run.status).toBe('success');
	expect(receiver.executions).toEqual([[{ json: expect.objectContaining(event) }]]);
	expect(gateway.deliveries.map(({ status }) => status)).toEqual([200]);
	const contentType = 'application/octet-stream';
	expect(await send(receiver.url, makeEvent(), secret, contentType)).toBe(200);
	expect(receiver.executions).toHaveLength(2);
});

describe('a repeated delivery', () => {
	it('starts each trigger once that listens to the same event', async () => {
		const parameters = {
			events: ['MESSAGE.RECEIVED', 'MESSAGE.STATUS_UPDATED'],
			options: {
				maxStartsPerConversation: { values: { maxStarts: 1 } },
				ignoreOutdatedStatuses: true,
				oneTurnAtATime: { values: {} },
			},
		};
		const triggers = [
			await publish(parameters, {}, 'workflow 1', 'node a'),
			await publish(parameters, {}, 'workflow 1', 'node b'),
			await publish(parameters, {}, 'workflow 2', 'node a'),
		];

		const message = makeEvent();
		const status = makeEvent({
			type: 'MESSAGE.STATUS_UPDATED',
			data: { status: 'READ', messageIds: ['a'] },
		});
		for (const event of [message, status]) {
			for (const { receiver, secret } of [...triggers, ...triggers]) {
				await send(receiver.url, event, secret);
				await receiver.runs();
			}
		}
		expect(triggers.map(({ receiver }) => receiver.executions.length)).toEqual([2, 2, 2]);
	});

	it.each([
		{ minutes: 60, what: 'n8n never responds to the first one', held: holdStarts() },
		{ minutes: 24 * 60, what: 'n8n has responded to the first one', held: undefined },
	])('may start an execution after $minutes minutes, if $what', async ({ minutes, held }) => {
		const options = { confirmWhen: 'succeeded' };
		let started = 0;
		const beforeStart = async () => {
			started += 1;
			await held?.beforeStart();
		};
		const { receiver, secret } = await publish({ options }, { beforeStart });
		// The time of the event does not matter.
		const event = makeEvent({ timestamp: OLD });
		const now = Date.now();
		const clock = jest.spyOn(Date, 'now');

		const statuses: Array<Promise<number>> = [];
		const starts: number[] = [];
		for (const later of [0, minutes - 1, minutes + 1]) {
			clock.mockReturnValue(now + later * 60_000);
			statuses.push(send(receiver.url, event, secret));
			await arrived(receiver, statuses.length);
			if (!held) await statuses.at(-1);
			starts.push(started);
		}
		clock.mockRestore();

		for (let letGo = 0; letGo < started; letGo++) await held?.letGo();
		expect(await Promise.all(statuses)).toEqual([200, 200, 200]);
		expect(starts).toEqual([1, 1, 2]);
	});

	it('is not processed again if the sender hung up before n8n had answered', async () => {
		const { beforeStart, letGo } = holdStarts();
		const { receiver, secret } = await publish({}, { beforeStart });
		const event = makeEvent();
		const abort = new AbortController();
		const first = fetch(receiver.url, {
			method: 'POST',
			body: JSON.stringify(event),
			headers: gateway.sign(event, secret),
			signal: abort.signal,
		});
		await arrived(receiver, 1);
		abort.abort();
		await expect(first).rejects.toThrow();
		await waitFor('n8n to see that nobody waits', () => receiver.answers[0].destroyed);

		const repeat = send(receiver.url, event, secret);
		await arrived(receiver, 2);
		await letGo();
		expect(await repeat).toBe(200);
		await receiver.runs();
		expect(await send(receiver.url, event, secret)).toBe(200);
		expect(receiver.executions).toHaveLength(1);
	});

	it('at the test URL does not touch production', async () => {
		const workflow = 'published and tested';
		const maxStartsPerConversation = { values: { maxStarts: 1, minutes: 10 } };
		const parameters = { options: { maxStartsPerConversation } };
		const production = await publish(parameters, {}, workflow);
		const test = await publish(parameters, { test: true }, workflow);
		const event = makeEvent();

		expect(await send(test.receiver.url, event, test.secret)).toBe(200);
		expect(await send(production.receiver.url, event, production.secret)).toBe(200);
		expect(production.receiver.executions).toHaveLength(1);
	});
});

describe('what the user chose', () => {
	const withData = (change: IDataObject) => makeEvent({ data: { ...makeEvent().data, ...change } });
	const group = () => withData({ chat: { id: '120@g.us', type: 'GROUP' } });
	const reply = () => withData({ quotedMessageId: 'm0' });
	const image = () => withData({ messageType: 'IMAGE' });
	const nulls = () => withData({ quotedMessageId: '', messageType: null });
	const statusUpdate = () => withData({ chat: { id: 'status@broadcast', type: 'CONTACT' } });

	it.each<[string, Record<string, NodeParameterValueType>, string[]]>([
		[
			'instances',
			{ instanceIds: ['inst_2'], events: ['MESSAGE.RECEIVED', 'CONNECTION.UPDATED'] },
			[],
		],
		[
			'instances as a text',
			{ instanceIds: 'inst_1, inst_2' },
			['plain', 'reply', 'image', 'nulls'],
		],
		['types of chats', { chatTypes: ['group'] }, ['group']],
		['statuses', { chatTypes: ['status'] }, ['statusUpdate']],
		['statuses of a number', { chatTypes: ['status'], instanceIds: ['inst_1'] }, []],
		[
			'all types of chats',
			{ chatTypes: [] },
			['plain', 'group', 'reply', 'image', 'nulls', 'statusUpdate'],
		],
		[
			'message types, however they are written',
			{ options: { messageTypes: 'image , Reaction', customEvents: 'MESSAGE.SENT' } },
			['image'],
		],
		[
			'only replies',
			{ options: { onlyQuotedReplies: '={{ "true" }}', customEvents: '["MESSAGE.SENT"]' } },
			['reply'],
		],
		[
			'custom events',
			{ events: '={{ [] }}', options: { customEvents: 'MESSAGE.EDITED, MESSAGE.SENT' } },
			['edited', 'sent'],
		],
		[
			'some people, and what nobody wrote',
			{
				events: ['MESSAGE.RECEIVED', 'CONNECTION.UPDATED', 'MESSAGE.STATUS_UPDATED'],
				chatTypes: ['group'],
				options: {
					customEvents: 'GROUP.UPDATED',
					senders: '+351912345678',
					messageTypes: 'text',
					onlyQuotedReplies: true,
				},
			},
			['connection', 'read', 'renamed'],
		],
	])('%s: the rest is answered 200 and starts nothing', async (_what, parameters, expected) => {
		const { receiver, secret } = await publish(parameters);
		const events = {
			plain: makeEvent(),
			group: group(),
			reply: reply(),
			image: image(),
			nulls: nulls(),
			statusUpdate: makeEvent({ ...statusUpdate(), instanceId: undefined }),
			own: withData({ fromMe: true }),
			edited: { ...withData({ fromMe: true }), type: 'MESSAGE.EDITED' },
			sent: makeEvent({ type: 'MESSAGE.SENT' }),
			sentInGroup: { ...group(), type: 'MESSAGE.SENT' },
			connection: makeEvent({ type: 'CONNECTION.UPDATED', data: { status: 'BANNED', chat: null } }),
			read: makeEvent({
				type: 'MESSAGE.STATUS_UPDATED',
				data: { status: 'READ', messageIds: ['a'] },
			}),
			renamed: makeEvent({ type: 'GROUP.UPDATED', data: { name: 'Family' } }),
			renamedBy: makeEvent({ type: 'GROUP.UPDATED', data: { sender: { id: '7@lid' } } }),
		};
		for (const event of Object.values(events))
			expect(await send(receiver.url, event, secret)).toBe(200);

		const started = receiver.executions.map(([{ json }]) => json.id);
		expect(started).toEqual(expected.map((name) => events[name as keyof typeof events].id));
	});

	it('people of Only From, in either spelling of a phone or by ID, and nothing of your own', async () => {
		const events = ['MESSAGE.RECEIVED', 'MESSAGE.SENT', 'MESSAGE.EDITED'];
		const options = { senders: '+55 11 98765-4321, 77@lid' };
		const { receiver, secret } = await publish({
			events: [events[0], events[1]],
			options: { ...options, customEvents: events[2] },
		});
		const from = (sender: IDataObject) => withData({ sender });
		const wanted = [
			from({ phone: '551187654321', id: '78@lid' }),
			from({ id: '77@lid', phone: '5521987654321' }),
		];
		const others = [
			from({ phone: '5521987654321', id: '78@lid' }),
			{ ...withData({ sender: undefined }), type: 'MESSAGE.SENT' },
			{ ...from({ id: '78@lid' }), type: 'MESSAGE.EDITED' },
			withData({ sender: { id: '78@lid' }, chat: undefined }),
			withData({ sender: undefined, chat: undefined }),
		];
		for (const event of [...others, ...wanted])
			expect(await send(receiver.url, event, secret)).toBe(200);
		const started = receiver.executions.map(([{ json }]) => json.id);
		expect(started).toEqual(wanted.map(({ id }) => id));
	});

	it('nothing older than Ignore Events Older Than', async () => {
		const events = ['MESSAGE.RECEIVED', 'CONNECTION.UPDATED'];
		const { receiver, secret } = await publish({ events, options: { ignoreOlderThan: 60 } });
		const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
		const old = makeEvent({ timestamp: ago(61) });
		const banned = { ...old, id: 'banned', type: events[1], data: { status: 'BANNED' } };
		const wanted = [ago(59), undefined, ago(-5)].map((timestamp) => makeEvent({ timestamp }));
		for (const event of [old, banned, ...wanted])
			expect(await send(receiver.url, event, secret)).toBe(200);
		const started = receiver.executions.map(([{ json }]) => json.id);
		expect(started).toEqual(wanted.map(({ id }) => id));
	});

	it('so many starts of one conversation, and more after a while', async () => {
		const options = { maxStartsPerConversation: { values: { maxStarts: 2, minutes: 10 } } };
		const { receiver, secret } = await publish({
			events: ['MESSAGE.RECEIVED', 'MESSAGE.SENT'],
			chatTypes: [],
			options,
		});
		const events = [
			makeEvent({ timestamp: OLD }),
			withData({ sender: { id: '8@lid' } }),
			withData({ sender: undefined }),
			makeEvent(),
		];
		const inOtherChat = () => withData({ chat: { id: '2@lid' } });
		const others = [inOtherChat(), inOtherChat()];
		const beyond = inOtherChat();
		for (const event of [...events, ...others, beyond, events[2]]) {
			expect(await send(receiver.url, event, secret)).toBe(200);
		}

		const now = Date.now();
		const clock = jest.spyOn(Date, 'now');
		// Of these, the first two are stopped, and do not count.
		const later = [makeEvent(), makeEvent(), makeEvent()];
		for (const [index, minutes] of [6, 6, 11].entries()) {
			clock.mockReturnValue(now + minutes * 60_000);
			await send(receiver.url, later[index], secret);
		}
		clock.mockRestore();

		const started = receiver.executions.map(([{ json }]) => json.id ?? 'alarm');
		expect(started).toEqual([
			events[0].id,
			events[1].id,
			'alarm',
			others[0].id,
			others[1].id,
			'alarm',
			later[2].id,
		]);
	});

	it('so many starts of one chat, of received and sent messages together', async () => {
		const options = { maxStartsPerConversation: { values: { maxStarts: 4, minutes: 10 } } };
		const { receiver, secret } = await publish({
			events: ['MESSAGE.RECEIVED', 'MESSAGE.SENT', 'MESSAGE.STATUS_UPDATED'],
			chatTypes: [],
			options,
		});
		const sent = (change: IDataObject = {}) => ({
			...withData({ sender: undefined, fromMe: true, ...change }),
			type: 'MESSAGE.SENT',
		});
		const inGroup = () => sent({ chat: { id: '120@g.us', type: 'GROUP' } });
		const wanted = [
			makeEvent(),
			sent(),
			makeEvent(),
			sent(),
			// A status names no chat, and counts for none.
			makeEvent({ type: 'MESSAGE.STATUS_UPDATED', data: { status: 'READ', messageIds: ['a'] } }),
			...[1, 2, 3, 4].map(inGroup),
			// A member of the group does not pay for what n8n has written there.
			group(),
		];
		for (const event of wanted) await send(receiver.url, event, secret);
		const beyond = [sent(), makeEvent(), inGroup()];
		for (const event of beyond) expect(await send(receiver.url, event, secret)).toBe(200);

		const started = receiver.executions.map(([{ json }]) => json.id ?? 'alarm');
		expect(started).toEqual([...wanted.map(({ id }) => id), 'alarm', 'alarm']);
	});

	it('an event that n8n has refused twice, as one start of its conversation', async () => {
		const options = { maxStartsPerConversation: { values: { maxStarts: 2, minutes: 10 } } };
		let refusals = 2;
		const beforeStart = async () => {
			if (refusals-- > 0) throw new Error('The queue does not answer');
			await Promise.resolve();
		};
		const { receiver, secret } = await publish({ options }, { beforeStart });
		const event = makeEvent();
		const statuses = [];
		for (const each of [event, event, event, makeEvent(), makeEvent()])
			statuses.push(await send(receiver.url, each, secret));
		expect(statuses).toEqual([503, 503, 200, 200, 200]);
		expect(receiver.executions).toHaveLength(2 + 1);
		expect(await failuresOf(receiver)).toHaveLength(1);
	});

	it('nobody, and not everybody, as long as the expression of Only From gives nothing', async () => {
		const options = { senders: '' };
		const { receiver, secret } = await publish({ options });
		const event = makeEvent();
		for (const nothing of ['undefined', '""', '[]']) {
			options.senders = `={{ ${nothing} }}`;
			expect(await send(receiver.url, event, secret)).toBe(503);
		}
		const alarm = { message: expect.stringContaining("'Only From' is empty") };
		expect(await failuresOf(receiver)).toMatchObject([alarm]);
		expect(receiver.executions).toHaveLength(1);

		options.senders = '={{ "+5511987654321" }}';
		expect(await send(receiver.url, event, secret)).toBe(200);
		expect(receiver.executions).toHaveLength(2);

		options.senders = '+351912345678';
		expect(await send(receiver.url, makeEvent(), secret)).toBe(200);
		expect(receiver.executions).toHaveLength(2);
	});

	it('statuses that are not outdated', async () => {
		const { receiver, secret } = await publish({
			events: ['MESSAGE.STATUS_UPDATED'],
			options: { ignoreOutdatedStatuses: true },
		});
		const status = (value: string, ...messageIds: string[]) =>
			makeEvent({ type: 'MESSAGE.STATUS_UPDATED', data: { status: value, messageIds } });
		for (const event of [
			{ ...status('READ', 'a'), instanceId: 'another number' },
			status('DELIVERED', 'a'),
			status('SENT', 'a'),
			status('READ', 'a'),
			status('DELIVERED', 'a', 'b'),
			status('READ', 'a'),
			status('FAILED', 'a'),
		]) {
			expect(await send(receiver.url, event, secret)).toBe(200);
		}

		const seen = receiver.executions.map(([{ json }]) => json.data);
		expect(seen).toEqual([
			{ status: 'READ', messageIds: ['a'] },
			{ status: 'DELIVERED', messageIds: ['a'] },
			{ status: 'READ', messageIds: ['a'] },
			{ status: 'DELIVERED', messageIds: ['b'] },
			{ status: 'FAILED', messageIds: ['a'] },
		]);
	});

	it('a message that was sent, with the step that it has reached, and no status SENT behind it', async () => {
		const { receiver, secret } = await publish({
			output: 'simplified',
			events: ['MESSAGE.SENT', 'MESSAGE.STATUS_UPDATED'],
			options: { ignoreOutdatedStatuses: true },
		});
		const sent = (messageId: string) =>
			makeEvent({
				type: 'MESSAGE.SENT',
				data: { messageId, chat: { id: 'ana' }, fromMe: true, text: messageId },
			});
		const status = (value: string, messageId: string) =>
			makeEvent({
				type: 'MESSAGE.STATUS_UPDATED',
				data: { status: value, messageIds: [messageId] },
			});
		for (const event of [
			sent('early'),
			status('SENT', 'early'),
			status('DELIVERED', 'early'),
			status('SENT', 'late'),
			status('READ', 'late'),
			sent('late'),
		]) {
			expect(await send(receiver.url, event, secret)).toBe(200);
		}

		const seen = receiver.executions.map(([{ json }]) => [
			json.type,
			json.messageId,
			json.statusStep,
		]);
		expect(seen).toEqual([
			['MESSAGE.SENT', 'early', 1],
			['MESSAGE.STATUS_UPDATED', 'early', 2],
			['MESSAGE.STATUS_UPDATED', 'late', 1],
			['MESSAGE.STATUS_UPDATED', 'late', 3],
			['MESSAGE.SENT', 'late', 3],
		]);
	});

	it('a status again if no execution could start with it, unless it is outdated by then', async () => {
		const first = Promise.withResolvers<void>();
		let starts = 0;
		const beforeStart = async () => (starts++ === 0 ? await first.promise : undefined);
		const options = { ignoreOutdatedStatuses: true };
		const parameters = { events: ['MESSAGE.STATUS_UPDATED'], options };
		const { receiver, secret } = await publish(parameters, { beforeStart });
		const type = 'MESSAGE.STATUS_UPDATED';
		const delivered = makeEvent({ type, data: { status: 'DELIVERED', messageIds: ['a', 'b'] } });
		const read = makeEvent({ type, data: { status: 'READ', messageIds: ['a'] } });

		const refused = send(receiver.url, delivered, secret);
		await waitFor('the first start', () => starts === 1);
		expect(await send(receiver.url, read, secret)).toBe(200);
		const repeat = send(receiver.url, delivered, secret);
		await arrived(receiver, 3);
		first.reject(new Error('database is locked'));
		expect(await Promise.all([refused, repeat])).toEqual([503, 503]);
		expect(await send(receiver.url, delivered, secret)).toBe(200);
		const seen = receiver.executions.map(([{ json }]) => (json.data as IDataObject).messageIds);
		expect(seen).toEqual([['a'], ['b']]);
	});

	it('each option as if it were not added, when it is added with its default', async () => {
		const { properties } = engine.nodeType('messagingGatewayTrigger').description;
		const { options = [] } = properties.find(({ name }) => name === 'options') ?? {};
		const all = { events: ['MESSAGE.RECEIVED', 'MESSAGE.STATUS_UPDATED'], chatTypes: [] };
		const status = (value: string) =>
			makeEvent({
				type: 'MESSAGE.STATUS_UPDATED',
				data: { status: value, messageIds: ['a'] },
			});
		const events = [makeEvent(), group(), reply(), image(), status('READ'), status('SENT')];
		expect(options.length).toBeGreaterThan(8);

		for (const option of options as INodeProperties[]) {
			const added = { [option.name]: option.default } as Record<string, NodeParameterValueType>;
			const { receiver, secret } = await publish({ ...all, options: added });
			for (const event of events) expect(await send(receiver.url, event, secret)).toBe(200);
			const started = receiver.executions.map((items) => items.map(({ json }) => json.id));
			expect([option.name, started]).toEqual([option.name, events.map(({ id }) => [id])]);
		}
	});
});

describe('a simplified item', () => {
	const data = {
		...makeEvent().data,
		messageId: 'm1',
		chat: { id: '120@g.us', type: 'GROUP', name: 'Family' },
		quotedMessageId: 'm0',
		messageType: 'BUTTON_REPLY',
		text: 'Yes, please',
		buttonReply: { id: 'yes' },
	};

	async function present(change: Partial<GatewayEvent>): Promise<IDataObject[]> {
		const events = [change.type ?? 'MESSAGE.RECEIVED'];
		const { receiver, secret } = await publish({ output: undefined, events, chatTypes: [] });
		expect(await send(receiver.url, makeEvent(change), secret)).toBe(200);
		return receiver.executions[0].map(({ json }) => json);
	}

	it('of a message has each value once, in an order for people, beside the fields of the gateway', async () => {
		const [item] = await present({ id: 'evt_1', timestamp: '2026-01-02T03:04:05Z', data });
		expect(Object.entries(item)).toEqual([
			['text', 'Yes, please'],
			['senderPhone', '+5511987654321'],
			['chatType', 'group'],
			['replyTo', '120@g.us'],
			['messageId', 'm1'],
			['messageType', 'BUTTON_REPLY'],
			['chatName', 'Family'],
			['senderId', '5511987654321@s.person'],
			['quotedMessageId', 'm0'],
			['buttonId', 'yes'],
			['personKey', '551187654321'],
			['chatInput', 'Yes, please'],
			['sessionId', 'inst_1:120@g.us'],
			['type', 'MESSAGE.RECEIVED'],
			['timestamp', '2026-01-02T03:04:05Z'],
			['instanceId', 'inst_1'],
			['eventId', 'evt_1'],
		]);
	});

	it('leaves out what is null, which Raw keeps, but nothing that is false or 0', async () => {
		const no = { isForwarded: false, expiresIn: 0, poll: { votes: 0 } };
		const change = { ...no, text: '', chat: { id: '1@lid', name: null }, media: { name: null } };
		const [item] = await present({ data: { ...data, ...change } });
		expect(item).toMatchObject({ ...no, replyTo: '1@lid', media: {}, chatInput: 'yes' });
		expect(Object.keys(item)).not.toContain('chatName');
		expect(JSON.stringify(item)).not.toContain('null');

		const { receiver, secret } = await publish();
		expect(await send(receiver.url, makeEvent({ data: change }), secret)).toBe(200);
		expect(receiver.executions[0][0].json.data).toEqual(change);
	});

	const phone = '5511987654321';
	const ANA = { id: '7@lid', phone };
	const HIDDEN = { id: '7@lid' };
	const GROUP = { id: '7@g.us' };
	const COMMON = ['type', 'timestamp', 'instanceId', 'eventId', 'replyTo', 'sessionId'];

	interface Presented {
		type: string;
		data: unknown;
		fields: IDataObject;
	}

	const RECEIVED: Presented[] = [
		{
			type: 'MESSAGE.RECEIVED',
			data: { chat: ANA, sender: { ...ANA, phone: '551187654321' } },
			fields: {
				chatType: 'person',
				senderId: '7@lid',
				senderPhone: '+551187654321',
				personKey: '551187654321',
			},
		},
		{
			type: 'MESSAGE.RECEIVED',
			data: { sender: HIDDEN },
			fields: { senderId: '7@lid', personKey: '7@lid' },
		},
		{
			type: 'MESSAGE.RECEIVED',
			data: { chat: ANA, sender: HIDDEN },
			fields: {
				chatType: 'person',
				senderId: '7@lid',
				chatPhone: `+${phone}`,
				personKey: '551187654321',
			},
		},
		{
			type: 'MESSAGE.RECEIVED',
			data: { chat: ANA, sender: null },
			fields: { chatType: 'person', chatPhone: `+${phone}`, personKey: '551187654321' },
		},
		{
			type: 'MESSAGE.RECEIVED',
			data: { chat: ANA, sender: {} },
			fields: { chatType: 'person', chatPhone: `+${phone}`, personKey: '551187654321' },
		},
		{
			type: 'MESSAGE.RECEIVED',
			data: { chat: { ...GROUP, phone }, sender: HIDDEN },
			fields: {
				chatType: 'group',
				chatPhone: `+${phone}`,
				senderId: '7@lid',
				personKey: '7@lid',
			},
		},
	];

	const SENT: Presented[] = [
		{
			type: 'MESSAGE.SENT',
			data: { chat: HIDDEN },
			fields: { chatType: 'person', personKey: '7@lid', statusStep: 1 },
		},
		{
			type: 'MESSAGE.SENT',
			data: { chat: GROUP, text: 'Hi' },
			fields: { chatType: 'group', text: 'Hi', statusStep: 1 },
		},
	];

	const STATUSES: Presented[] = [
		{ type: 'MESSAGE.STATUS_UPDATED', data: {}, fields: {} },
		{
			type: 'MESSAGE.STATUS_UPDATED',
			data: { status: 'SENT' },
			fields: { status: 'SENT', statusStep: 1 },
		},
		{
			type: 'MESSAGE.STATUS_UPDATED',
			data: { status: 'DELIVERED' },
			fields: { status: 'DELIVERED', statusStep: 2 },
		},
		{
			type: 'MESSAGE.STATUS_UPDATED',
			data: { status: 'READ' },
			fields: { status: 'READ', statusStep: 3 },
		},
		{
			type: 'MESSAGE.STATUS_UPDATED',
			data: { status: 'FAILED' },
			fields: { status: 'FAILED' },
		},
	];

	const OTHERS: Presented[] = [
		{
			type: 'CONNECTION.UPDATED',
			data: { phone, status: 'READ' },
			fields: { phone: `+${phone}`, status: 'READ' },
		},
		{ type: 'CONNECTION.UPDATED', data: { phone: 'hidden' }, fields: { phone: 'hidden' } },
		{
			type: 'MESSAGE.EDITED',
			data: { fromMe: true, chat: '7@lid' },
			fields: { fromMe: true, chat: '7@lid' },
		},
		{ type: 'MESSAGE.EDITED', data: { fromMe: false }, fields: { fromMe: false } },
		{ type: 'SYSTEM.PING', data: 'pong', fields: { data: 'pong' } },
		{ type: 'SYSTEM.PING', data: 0, fields: { data: 0 } },
	];

	it.each([...RECEIVED, ...SENT, ...STATUSES, ...OTHERS])(
		'of $type with $data has the fields $fields',
		async ({ type, data: sent, fields }) => {
			const [item] = await present({ type, data: sent as IDataObject });
			const others = Object.entries(item).filter(([name]) => !COMMON.includes(name));
			expect(Object.fromEntries(others)).toEqual(fields);
		},
	);

	it('comes for each message of a status event', async () => {
		const sent = { status: 'READ', messageIds: ['a', 'b'] };
		const items = await present({ id: 'evt_1', type: 'MESSAGE.STATUS_UPDATED', data: sent });
		expect(items).toMatchObject([
			{ messageId: 'a', status: 'READ', statusStep: 3, eventId: 'evt_1' },
			{ messageId: 'b', status: 'READ', statusStep: 3, eventId: 'evt_1' },
		]);
		expect(items[0]).not.toHaveProperty('messageIds');
	});

	it('keeps a field of the gateway whose name is taken in its field data', async () => {
		const envelope = { tag: 'of the envelope' } as object;
		const [item] = await present({ ...envelope, data: { ...data, type: 'sticker', tag: 0 } });
		const hidden = { type: 'sticker', ...envelope };
		expect(item).toMatchObject({ type: 'MESSAGE.RECEIVED', tag: 0, data: hidden });
	});
});

describe('group commit', () => {
	useFakeClock();

	it.each([
		{
			confirmWhen: 'started',
			maxPerExecution: 100,
			type: 'MESSAGE.SENT',
			others: { combineMessages: { values: {} } },
			starts: [[0], [3, 4, 1, 2]],
		},
		{
			confirmWhen: 'received',
			maxPerExecution: 3,
			type: 'MESSAGE.RECEIVED',
			others: {},
			starts: [[0], [3, 1, 2], [4]],
		},
	])(
		'confirmed when $confirmWhen, starts up to $maxPerExecution of $type together, by their timestamps',
		async (row) => {
			const { confirmWhen, maxPerExecution, type, others, starts } = row;
			const { beforeStart, letGo } = holdStarts();
			const options = { confirmWhen, maxPerExecution, ...others };
			const published = await publish({ events: [type], options } as never, { beforeStart });
			const events = [5, 3, 4, 1, 2].map((second) =>
				makeEvent({ type, timestamp: new Date(second * 1000).toISOString() }),
			);
			const statuses: Array<Promise<number>> = [];
			for (const event of events) statuses.push((await handOver(published, event)).status);
			for (const _start of starts) await letGo();

			expect(await Promise.all(statuses)).toEqual(Array(5).fill(200));
			const { executions } = published.receiver;
			expect(executions.map((items) => items.map(({ json }) => json.id))).toEqual(
				starts.map((indexes) => indexes.map((index) => events[index].id)),
			);
		},
	);

	it('defers an event whose start n8n refuses after 4 seconds', async () => {
		const refusal = Promise.withResolvers<void>();
		const published = await publish({}, { beforeStart: async () => await refusal.promise });
		const { status } = await handOver(published, makeEvent());
		await pass(4_000);
		refusal.reject(new Error('database is locked'));
		expect(await status).toBe(503);
	});

	it('answers within 10 seconds, counts as started what n8n holds, and runs nothing twice', async () => {
		const { beforeStart, letGo } = holdStarts();
		const published = await publish({ options: { maxPerExecution: 10 } }, { beforeStart });
		const leading = makeEvent();
		const following = makeEvent();
		const last = makeEvent();
		const first = await handOver(published, leading);
		const second = await handOver(published, following);
		const third = await handOver(published, last);
		const repeat = await handOver(published, leading);
		await pass(8_900);
		const statuses = [first, second, third, repeat].map(async ({ status }) => await status);
		expect(await Promise.all(statuses)).toEqual([200, 503, 503, 200]);
		// The next batch starts after 9 seconds, even if n8n still holds the first one.
		await pass(600);
		await letGo();
		await letGo();
		for (const event of [following, last])
			expect(await (await handOver(published, event)).status).toBe(200);
		const { executions } = published.receiver;
		const ids = executions.map((items) => items.map(({ json }) => json.id));
		expect(ids).toEqual([[leading.id], expect.arrayContaining([following.id, last.id])]);
	});

	it.each([
		{ confirmWhen: 'succeeded' },
		{ oneTurnAtATime: { values: {} } },
		{ confirmWhen: 'succeeded', oneTurnAtATime: { values: {} } },
	])('has no effect with %j: no event waits for the execution of another', async (others) => {
		const { promise: ended, resolve: end } = Promise.withResolvers<void>();
		const type = 'MESSAGE.SENT';
		const parameters = { events: [type], options: { maxPerExecution: 100, ...others } };
		const { receiver, secret } = await publish(parameters, { beforeEnd: async () => await ended });
		const answers = [makeEvent({ type }), makeEvent({ type })].map(
			async (event) => await send(receiver.url, event, secret),
		);
		await waitFor('both to run', () => receiver.executions.length === 2, 5_000).finally(end);
		expect(await Promise.all(answers)).toEqual([200, 200]);
	});
});
