import crypto from 'node:crypto';
import {
	EVENT_TYPES,
	freeClosedPort,
	groupIdAt,
	makeNumbers,
	PEOPLE,
	startSimulator,
	type Simulator,
	type SimulatorOptions,
} from '../../../simulator';
import { callGateway } from '../../../simulator/client';
import { startReceiver, type Receiver } from '../../../simulator/receiver';

// What requests leave behind in the gateway, and what a reset, a reconnection and a limit take away.

let simulator: Simulator;
let receiver: Receiver;
const [ana, bruno] = PEOPLE;

beforeAll(async () => {
	receiver = await startReceiver();
	simulator = await startSimulator({ furtherNumbers: makeNumbers(1), retryDelaysMs: [] });
});
afterAll(async () => {
	await simulator.stop();
	await receiver.stop();
});
beforeEach(() => {
	simulator.reset({ webhooks: true });
	receiver.received.length = 0;
	receiver.answerWith((_, response) => void response.end());
});

const listen = (to = simulator) =>
	to.createWebhook({ url: receiver.url, events: [...EVENT_TYPES] });
const post = async (path: string, body: object, token = simulator.instanceToken) =>
	await callGateway(simulator, 'POST', `/v1/${path}`, { body, token });
const get = async (path: string, token = simulator.instanceToken) =>
	(await callGateway(simulator, 'GET', `/v1/${path}`, { token })).body as { data: never };
const look = async (path = 'state') =>
	(await (await fetch(`${simulator.pageUrl}/simulator/${path}`)).json()) as Record<string, never>;
const chatOf = (phone = ana.phone) => simulator.chats().find((chat) => chat.phone === phone)!;
const heard = async (from = simulator) => {
	await from.drained();
	return receiver.received.map(({ event }) => event);
};
const settings = {
	rejectCall: false,
	msgRejectCall: '',
	readMessages: false,
	ignoreGroups: false,
	ignoreStatus: false,
};

/** Starts one of its own for the test. */
async function withOther(options: SimulatorOptions, test: (other: Simulator) => Promise<void>) {
	const other = await startSimulator({ retryDelaysMs: [], ...options });
	await test(other).finally(async () => await other.stop());
}

describe('a request leaves behind', () => {
	it('an archived chat, and one that is muted for an hour', async () => {
		await post('chats/archive', { to: ana.phone! });
		const before = Date.now();
		await post('chats/mute', { to: bruno.phone! });
		expect([chatOf().archived, chatOf(bruno.phone).archived]).toEqual([true, false]);
		const until = Date.parse(chatOf(bruno.phone).mutedUntil ?? '') - 3_600_000;
		expect(until).toBeGreaterThanOrEqual(before);
		expect(until).toBeLessThanOrEqual(Date.now());
		expect(chatOf().mutedUntil).toBeUndefined();
	});

	it('a label on a message, once, until it is taken off', async () => {
		const { messageId } = simulator.write('label me').data as { messageId: string };
		const label = async (action: string, labelId: string, id = messageId) =>
			await post(`labels/${action}-message`, { to: ana.phone!, labelId, messageId: id });
		for (const labelId of ['1', '2', '1']) await label('assign', labelId);
		expect(chatOf().messages.at(-1)?.labels).toEqual(['2', '1']);
		await label('unassign', '2');
		expect(await label('unassign', '2', 'none')).toMatchObject({ status: 200 });
		expect(chatOf().messages.at(-1)?.labels).toEqual(['1']);
	});

	it('the text of the profile, of its own number', async () => {
		await post(
			'profile/update-status',
			{ status: 'Baking' },
			simulator.furtherNumbers[0].instanceToken,
		);
		expect(await look()).toMatchObject({ instance: { profileStatus: '' } });
		await post('profile/update-status', { status: 'Open' });
		expect(await look()).toMatchObject({ instance: { profileStatus: 'Open' } });
	});

	it('a community with its name, to which known groups are added', async () => {
		const { body } = await post('communities/create', { name: 'Bakers' });
		const { data } = body as { data: { id: string } };
		expect((await get('communities')).data).toContainEqual({ id: data.id, name: 'Bakers' });
		const groups = [groupIdAt(0), '1@g.us'];
		expect(await post('communities/add-groups', { id: data.id, groups })).toMatchObject({
			body: { data: { added: [groupIdAt(0)], failed: ['1@g.us'] } },
		});
		expect(await post('communities/add-groups', { id: '1@g.us', groups })).toMatchObject({
			status: 400,
		});
	});

	it('a channel with its name and description', async () => {
		const made = [
			await post('newsletters/create', { name: 'Recipes', description: 'One a week' }),
			await post('newsletters/create', { name: 'News' }),
		].map(({ body }) => (body as { data: object }).data);
		expect((await get('newsletters')).data).toEqual(expect.arrayContaining(made));
		expect(made).toMatchObject([
			{ threadMetadata: { name: { text: 'Recipes' }, description: { text: 'One a week' } } },
			{ threadMetadata: { name: { text: 'News' }, description: { text: '' } } },
		]);
	});

	it('nothing where there is no such poll', async () => {
		expect(
			await callGateway(simulator, 'GET', '/v1/messages/poll-results?messageId=none', {
				token: simulator.instanceToken,
			}),
		).toMatchObject({ status: 400 });
	});
});

describe('a reset', () => {
	it('is back at the beginning in all that was changed', async () => {
		const begin = [await look(), await get('communities')];
		simulator.setClock(600);
		simulator.setDelivery({ duplicate: 3, forge: true });
		simulator.faults.add({ match: { path: '/none' }, fault: { status: 500 } });
		await post('instance/settings', { ...settings, ignoreGroups: true });
		await post('profile/update-status', { status: 'Baking' });
		await post('communities/create', { name: 'Bakers' });
		await post('messages/send-text', { to: '5511900000077', text: 'x' });
		simulator.setConnection('LOGGED_OUT');
		simulator.setPairing('GENERATED');
		const webhook = listen();
		simulator.reset();
		const webhooks = [expect.objectContaining({ id: webhook.id })];
		expect([simulator.requests, simulator.deliveries, simulator.acceptedSends()]).toEqual([
			[],
			[],
			[],
		]);
		expect([await look(), await get('communities')]).toEqual([{ ...begin[0], webhooks }, begin[1]]);
		expect(Math.abs(Date.parse(simulator.write('x').timestamp) - Date.now())).toBeLessThan(60_000);
		simulator.reset({ webhooks: true });
		expect(simulator.webhooks()).toEqual([]);
	});

	it('forgets what is still to come, and what waits in the network', async () => {
		await withOther(
			{ statusDelaysMs: { sent: 600_000, delivered: null, read: null } },
			async (other) => {
				listen(other);
				other.writeAsOwner('never leaves');
				other.setConnection('DISCONNECTED');
				other.write('never comes');
				other.reset();
				await other.drained();
				receiver.received.length = 0;
				other.setConnection('CONNECTED');
				expect((await heard(other)).map(({ type }) => type)).toEqual(['CONNECTION.UPDATED']);
			},
		);
	});
});

it('what waited for a number comes once, in its order, when that number is back', async () => {
	const [second] = simulator.furtherNumbers;
	await callGateway(simulator, 'POST', '/v1/instance/disconnect', { token: second.instanceToken });
	simulator.setConnection('DISCONNECTED');
	const writes = ['1', '2', '3'].map((text) => simulator.write(text));
	const other = simulator.write('of the other', { instanceId: second.instanceId });
	listen();
	for (const status of ['CONNECTED', 'DISCONNECTED', 'CONNECTED'] as const)
		simulator.setConnection(status);
	await simulator.drained();
	const received = () =>
		simulator.deliveries
			.filter(({ type }) => type === 'MESSAGE.RECEIVED')
			.map(({ eventId }) => eventId);
	expect(received()).toEqual(writes.map(({ id }) => id));
	await callGateway(simulator, 'POST', '/v1/instance/reconnect', { token: second.instanceToken });
	await simulator.drained();
	expect(received().slice(3)).toEqual([other.id]);
});

it('a setting keeps back the events of its own number alone', async () => {
	const [second] = simulator.furtherNumbers;
	listen();
	await post('instance/settings', { ...settings, ignoreGroups: true }, second.instanceToken);
	simulator.write('first', { chatId: groupIdAt(0) });
	simulator.write('second', { chatId: groupIdAt(0), instanceId: second.instanceId });
	expect((await heard()).map(({ data }) => data.text)).toEqual(['first']);
});

it('tokens that were made anew are the only ones', async () => {
	await withOther({ furtherNumbers: makeNumbers(1) }, async (other) => {
		const tokens = () => [other.instanceToken, other.furtherNumbers[0].instanceToken];
		const before = tokens();
		other.replaceTokens();
		const ask = async (token: string) =>
			(await callGateway(other, 'GET', '/v1/groups', { token })).status;
		expect(await Promise.all([...before, ...tokens()].map(ask))).toEqual([401, 401, 200, 200]);
	});
});

describe('a limit', () => {
	it('of what is kept keeps the latest', async () => {
		await withOther({ recordLimit: 10 }, async (other) => {
			for (let count = 1; count <= 12; count++)
				await callGateway(other, 'GET', `/v1/groups?n=${count}`, { token: other.instanceToken });
			expect(other.requests.map(({ query }) => query.n)).toEqual(
				Array.from({ length: 10 }, (_, at) => String(at + 3)),
			);
		});
	});

	it('of deliveries under way lets the others wait', async () => {
		await withOther({ deliveryConcurrency: 2 }, async (other) => {
			listen(other);
			const underWay: number[] = [];
			receiver.answerWith((_, response) => {
				underWay.push(other.deliveries.filter(({ finishedAt }) => finishedAt === 0).length);
				response.end();
			});
			for (const text of ['1', '2', '3', '4']) other.write(text);
			await other.drained();
			expect(underWay).toHaveLength(4);
			expect(Math.max(...underWay)).toBe(2);
		});
	});

	it('of the page shows the latest hundred, without tokens and secrets', async () => {
		listen();
		for (let count = 1; count <= 101; count++) await get(`groups?n=${count}`);
		const state = await look();
		const requests = state.requests as unknown as Array<{ query: { n: string } }>;
		expect(requests.map(({ query }) => query.n)).toEqual(
			Array.from({ length: 100 }, (_, at) => String(at + 2)),
		);
		expect(JSON.stringify(state)).not.toMatch(/svc_|whsec_/);
	});
});

it('each request takes the time that it is told to take', async () => {
	await withOther({ latencyMs: 80 }, async (other) => {
		await callGateway(other, 'GET', '/v1/groups', { token: other.instanceToken });
		const [{ startedAt, finishedAt }] = other.requests;
		expect(finishedAt - startedAt).toBeGreaterThanOrEqual(79);
	});
});

it('a status that never comes never comes, and the others do', async () => {
	await withOther({ statusDelaysMs: { sent: null, read: null, delivered: 1 } }, async (other) => {
		listen(other);
		other.writeAsOwner('half way');
		expect((await heard(other)).map(({ data }) => data.status)).toEqual(['DELIVERED']);
	});
});

it('a webhook that is switched off gets nothing, not even what waits for it', async () => {
	const { id } = listen();
	const switchTo = async (enabled: boolean) =>
		await callGateway(simulator, 'PATCH', `/v1/webhooks/${id}`, {
			token: simulator.accountToken,
			body: { enabled },
		});
	simulator.setDelivery({ pause: true });
	simulator.write('waits');
	await switchTo(false);
	simulator.write('of then');
	simulator.setDelivery({ pause: false });
	expect(await heard()).toEqual([]);
	await switchTo(true);
	simulator.write('of now');
	expect((await heard()).map(({ data }) => data.text)).toEqual(['of now']);
});

it('who writes is who was named: a new person, a member, a stranger in a group, the owner of a status', async () => {
	listen();
	simulator.write('1', { phone: '+55 41 98888-0000', name: 'Elisa' });
	simulator.write('2', { chatId: groupIdAt(0), name: bruno.name });
	simulator.write('3', { chatId: groupIdAt(0), phone: '5541988880000' });
	simulator.write('4', { chatId: bruno.id, isStatus: true });
	const elisa = chatOf('5541988880000');
	expect(elisa.name).toBe('Elisa');
	const senders = (await heard())
		.sort((one, other) => String(one.data.text).localeCompare(String(other.data.text)))
		.map(({ data }) => data.sender);
	expect(senders).toEqual([
		{ id: elisa.id, phone: '5541988880000' },
		{ id: bruno.id, phone: bruno.phone },
		{ id: elisa.id, phone: '5541988880000' },
		{ id: bruno.id, phone: bruno.phone },
	]);
});

it('a pairing code has eight digits, until it expires or the number is linked', async () => {
	const code = async () => (await look()).instance as { pairingCode?: string };
	simulator.setConnection('LOGGED_OUT');
	simulator.setPairing('GENERATED');
	expect((await code()).pairingCode).toMatch(/^\d{8}$/);
	simulator.setPairing('EXPIRED');
	expect((await code()).pairingCode).toBeUndefined();
	const drawn = jest.spyOn(crypto, 'randomInt').mockImplementation(() => 7);
	simulator.setPairing('GENERATED');
	drawn.mockRestore();
	expect((await code()).pairingCode).toBe('00000007');
	simulator.setConnection('CONNECTED');
	expect((await code()).pairingCode).toBeUndefined();
});

it('of two faults that fit, the first strikes and both have seen it', async () => {
	simulator.faults.add({ times: 2, fault: { status: 400 } });
	const nth = simulator.faults.add({ match: { nth: 2 }, fault: { status: 403 } });
	const send = async () => (await post('messages/send-text', { to: ana.phone!, text: 'x' })).status;
	expect([await send(), await send(), await send()]).toEqual([400, 400, 202]);
	expect(nth).toMatchObject({ seen: 3, hits: 0, timesLeft: 1 });
	expect(simulator.faults.remove(99)).toBe(false);
});

it('a form that names a field twice, or that cannot be read, is refused', async () => {
	const form = new FormData();
	for (const to of ['1', '2']) form.append('to', to);
	const send = async (body: FormData | string, headers = {}) =>
		await fetch(`${simulator.url}/v1/simulator-invention/send-picture`, {
			method: 'POST',
			headers: { authorization: `Bearer ${simulator.instanceToken}`, ...headers },
			body,
		});
	const broken = await send('no form', { 'content-type': 'multipart/form-data; boundary=x' });
	expect([(await send(form)).status, broken.status]).toEqual([400, 400]);
	expect(await (await send(form)).json()).toEqual({ error: 'The form holds "to" twice' });
});

it('a list of webhooks can leave out their events', async () => {
	await withOther({ listWebhookEvents: false }, async (other) => {
		listen(other);
		const { body } = await callGateway(other, 'GET', '/v1/webhooks', { token: other.accountToken });
		expect(body).toEqual({ data: [expect.not.objectContaining({ events: expect.anything() })] });
	});
});

it('a chat keeps its latest five hundred messages', async () => {
	for (let count = 1; count <= 501; count++) simulator.write(`number ${count}`);
	const { messages } = chatOf();
	expect([messages.length, messages[0].text, messages[499].text]).toEqual([
		500,
		'number 2',
		'number 501',
	]);
});

it('everybody who waits for the end of all deliveries hears of it', async () => {
	listen();
	simulator.write('wait for me');
	await Promise.all([simulator.drained(), simulator.drained()]);
	expect(receiver.received).toHaveLength(1);
});

it('a closed port is given to one alone', async () => {
	const random = jest.spyOn(Math, 'random');
	for (const drawn of [0.51, 0.51, 0.52]) random.mockReturnValueOnce(drawn);
	const ports = [await freeClosedPort(), await freeClosedPort()];
	random.mockRestore();
	expect(ports[1]).not.toBe(ports[0]);
});

it.each(['/', '/simulator/page/page.js', '/simulator/page/style.css'])(
	'%s may fetch and run nothing from elsewhere, stand in no other page, and be kept by nobody',
	async (path) => {
		const { headers } = await fetch(simulator.pageUrl + path);
		expect(headers.get('content-security-policy')).toBe(
			"default-src 'self'; img-src data:; frame-ancestors 'none'",
		);
		expect(headers.get('cache-control')).toBe('no-store');
	},
);

it('what was held back to be mixed up is forgotten by a reset, and holds up nothing that comes later', async () => {
	simulator.setDelivery({ shuffle: true });
	listen();
	simulator.write('of before');
	simulator.reset();
	simulator.setDelivery({ shuffle: true });
	simulator.write('of now');
	expect((await heard()).map(({ data }) => data.text)).toEqual(['of now']);
});
