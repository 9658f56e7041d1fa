import { EVENT_TYPES, groupIdAt, PEOPLE, startSimulator, type Simulator } from '../../../simulator';
import { callGateway } from '../../../simulator/client';
import { startReceiver, type Receiver } from '../../../simulator/receiver';

// Cases from the API document: Events, States and transitions.

let simulator: Simulator;
let receiver: Receiver;

beforeAll(async () => {
	simulator = await startSimulator({ statusDelaysMs: { sent: 1, delivered: 30, read: 60 } });
});
afterAll(async () => await simulator.stop());
beforeEach(async () => {
	simulator.reset({ webhooks: true });
	receiver = await startReceiver();
	simulator.createWebhook({ url: receiver.url, events: [...EVENT_TYPES] });
});
afterEach(async () => await receiver.stop());

const [ana] = PEOPLE;
const post = async (path: string, body?: unknown) =>
	await callGateway(simulator, 'POST', path, { body, token: simulator.instanceToken });
const events = () => receiver.received.map(({ event }) => event);
const seen = () => events().map(({ type, data }) => [type, data.status].filter(Boolean).join(' '));

describe('events', () => {
	it('follow a send: sent, delivered, read', async () => {
		const { body } = await post('/v1/messages/send-text', { to: '+55 11 90000-0001', text: 'Oi' });
		const { messageId } = (body as { data: { messageId: string } }).data;
		await simulator.drained();
		const chat = { id: ana.id, type: 'CONTACT', phone: ana.phone };
		const statusUpdate = (status: string) => ({
			type: 'MESSAGE.STATUS_UPDATED',
			data: { messageIds: [messageId], status },
		});
		expect(
			simulator.deliveries.map((delivery) => JSON.parse(delivery.body) as object),
		).toMatchObject([
			{
				type: 'MESSAGE.SENT',
				instanceId: simulator.instanceId,
				data: { messageId, chat, fromMe: true, text: 'Oi', messageType: 'TEXT' },
			},
			statusUpdate('DELIVERED'),
			statusUpdate('READ'),
		]);
		expect(new Set(events().map(({ id }) => id)).size).toBe(3);
	});

	it('follow what the owner writes on the phone, with the id of a message that no send has made', async () => {
		const { id } = simulator.writeAsOwner('Ana here, I take over', {
			phone: ana.phone,
			quotedMessageId: 'A1',
		});
		await simulator.drained();
		expect(seen()).toEqual([
			'MESSAGE.SENT',
			'MESSAGE.STATUS_UPDATED DELIVERED',
			'MESSAGE.STATUS_UPDATED READ',
		]);
		expect(events()[0].data).toEqual({
			messageId: id,
			chat: { id: ana.id, type: 'CONTACT', phone: ana.phone },
			fromMe: true,
			text: 'Ana here, I take over',
			quotedMessageId: 'A1',
			messageType: 'TEXT',
		});
		expect(simulator.acceptedSends()).toEqual([]);
	});

	it('of what the owner writes wait in the network while the number is not connected', async () => {
		simulator.setConnection('DISCONNECTED');
		simulator.writeAsOwner('On my way');
		await simulator.drained();
		expect(seen()).toEqual(['CONNECTION.UPDATED DISCONNECTED']);
		simulator.setConnection('CONNECTED');
		await simulator.drained();
		expect(seen()).toContain('MESSAGE.SENT');
	});

	it('leave out what has no value', async () => {
		const hidden = PEOPLE.find(({ phone }) => phone === undefined);
		simulator.write('who am I', { chatId: hidden?.id });
		await simulator.drained();
		expect(Object.keys(events()[0])).toEqual(['id', 'type', 'instanceId', 'timestamp', 'data']);
		expect(events()[0].data).toEqual({
			messageId: expect.any(String),
			chat: { id: hidden?.id, type: 'CONTACT' },
			fromMe: false,
			sender: { id: hidden?.id },
			text: 'who am I',
			messageType: 'TEXT',
		});
	});

	it('carry replies and pressed buttons', async () => {
		simulator.write('Yes', {
			phone: '+55 21 90000-0002',
			quotedMessageId: 'A1',
			buttonReplyId: 'yes',
		});
		await simulator.drained();
		const data = { quotedMessageId: 'A1', messageType: 'BUTTON_REPLY', buttonReply: { id: 'yes' } };
		expect(events()[0].data).toMatchObject({ ...data, chat: { phone: '5521900000002' } });
	});

	it('name the participant in groups, and obey the two settings that suppress', async () => {
		const settings = {
			rejectCall: false,
			msgRejectCall: '',
			readMessages: false,
			ignoreGroups: false,
			ignoreStatus: false,
		};
		simulator.write('hello all', { chatId: groupIdAt(0), phone: ana.phone });
		await simulator.drained();
		simulator.write('my day', { phone: ana.phone, isStatus: true });
		await simulator.drained();
		expect(events().map(({ data }) => [data.chat, data.sender])).toEqual([
			[
				{ id: groupIdAt(0), type: 'GROUP' },
				{ id: ana.id, phone: ana.phone },
			],
			[expect.objectContaining({ type: 'STATUS' }), { id: ana.id, phone: ana.phone }],
		]);

		receiver.received.length = 0;
		await post('/v1/instance/settings', { ...settings, ignoreGroups: true });
		simulator.write('hello all', { chatId: groupIdAt(0) });
		simulator.write('my day', { isStatus: true });
		await simulator.drained();
		await post('/v1/instance/settings', { ...settings, ignoreStatus: true });
		simulator.write('hello all', { chatId: groupIdAt(0) });
		simulator.write('my day', { isStatus: true });
		await simulator.drained();
		expect(events().map(({ data }) => data.text)).toEqual(['my day', 'hello all']);
	});

	it('tell the connection and the pairing', async () => {
		await post('/v1/instance/disconnect');
		await simulator.drained();
		simulator.write('waits in the network');
		await simulator.drained();
		expect(seen()).toEqual(['CONNECTION.UPDATED DISCONNECTED']);
		await post('/v1/instance/reconnect');
		simulator.setConnection('BANNED', { expiresIn: 60, reason: 'spam' });
		expect(() => simulator.setPairing('GENERATED')).toThrow('logged out');
		simulator.setConnection('LOGGED_OUT');
		simulator.setPairing('GENERATED');
		simulator.setPairing('EXPIRED');
		await simulator.drained();
		expect(seen().sort()).toEqual([
			'CONNECTION.UPDATED BANNED',
			'CONNECTION.UPDATED CONNECTED',
			'CONNECTION.UPDATED DISCONNECTED',
			'CONNECTION.UPDATED LOGGED_OUT',
			'MESSAGE.RECEIVED',
			'QRCODE.UPDATED EXPIRED',
			'QRCODE.UPDATED GENERATED',
		]);
		const data = events().map((event) => event.data);
		expect(data).toContainEqual({ status: 'DISCONNECTED' });
		expect(data).toContainEqual({ status: 'CONNECTED', phone: '5511900000000' });
		expect(data).toContainEqual({ status: 'BANNED', expiresIn: 60, reason: 'spam' });
	});

	it('can be any at all', async () => {
		simulator.createWebhook({ url: receiver.url, events: ['GROUP.JOINED'] });
		const event = simulator.emit({ type: 'GROUP.JOINED', id: 'evt_own', data: { group: 'x' } });
		await simulator.drained();
		expect(events()).toEqual([event]);
		expect(event).toMatchObject({
			id: 'evt_own',
			instanceId: simulator.instanceId,
			data: { group: 'x' },
		});
	});
});
