import { groupIdAt, startSimulator, type Simulator } from '../../../simulator';
import { callGateway } from '../../support/callGateway';

// Rules of the API document that go beyond the shape of a body.

let simulator: Simulator;

beforeAll(async () => {
	simulator = await startSimulator();
});
afterAll(async () => await simulator.stop());
beforeEach(() => simulator.reset({ webhooks: true }));

const COMMUNITY = '120363900000000001@g.us';
const TO = '5511900000001';
const SETTINGS = {
	rejectCall: true,
	msgRejectCall: '',
	readMessages: false,
	ignoreGroups: true,
	ignoreStatus: false,
};
const SUCCESS = { data: { success: true } };
const ERROR = { error: expect.stringMatching(/./) };

describe('beyond the shape', () => {
	const post = async (path: string, body: unknown) =>
		await callGateway(simulator, 'POST', path, { body, token: simulator.instanceToken });

	it.each([
		'+55 (11) 90000-0001',
		'5511900000001',
		'55 11 9.0000.0001',
		'551190000001@lid',
		groupIdAt(1),
	])('takes %s as a recipient', async (to) =>
		expect((await post('/v1/messages/send-text', { to, text: 'x' })).status).toBe(202),
	);

	it.each(['Ana', '12', '+55119000000012345', '', '@g.us', 'a b@g.us', '0800-123-4567'])(
		'refuses %p as a recipient',
		async (to) =>
			expect((await post('/v1/messages/send-text', { to, text: 'x' })).status).toBe(400),
	);

	it('sends to one conversation for both spellings of a Brazilian mobile number', async () => {
		await post('/v1/messages/send-text', { to: '+55 31 99000-0003', text: 'new form' });
		await post('/v1/messages/send-text', { to: '553190000003', text: 'old form' });
		const carla = simulator.chats().find(({ name }) => name === 'Carla Mendes');
		expect(carla?.messages.map(({ text }) => text)).toEqual(['new form', 'old form']);
	});

	it('refuses a presence that is none of the two, and an empty list of groups', async () => {
		expect((await post('/v1/messages/presence', { to: TO, presence: 'TYPING' })).status).toBe(400);
		expect((await post('/v1/communities/add-groups', { id: COMMUNITY, groups: [] })).status).toBe(
			400,
		);
	});

	it('refuses what is not JSON', async () => {
		const token = simulator.instanceToken;
		const path = '/v1/messages/send-text';
		expect(await callGateway(simulator, 'POST', path, { token, body: '{"to":' })).toMatchObject({
			status: 400,
			body: ERROR,
		});
		const form = {
			token,
			body: 'to=1&text=2',
			headers: { 'content-type': 'application/x-www-form-urlencoded' },
		};
		expect(await callGateway(simulator, 'POST', path, form)).toMatchObject({
			status: 400,
			body: ERROR,
		});
	});

	it('keeps settings, and replaces them as a whole', async () => {
		await post('/v1/instance/settings', SETTINGS);
		const read = await callGateway(simulator, 'GET', '/v1/instance/settings', {
			token: simulator.instanceToken,
		});
		expect(read.body).toEqual({ data: SETTINGS });
	});

	it('shows a webhook secret once only, edits records and forgets them', async () => {
		const token = simulator.accountToken;
		const made = await callGateway(simulator, 'POST', '/v1/webhooks', {
			token,
			body: { url: 'http://127.0.0.1/a', events: ['MESSAGE.SENT'] },
		});
		const { secret, ...record } = (made.body as { data: { id: string; secret: string } }).data;
		const path = `/v1/webhooks/${record.id}`;

		expect((await callGateway(simulator, 'GET', '/v1/webhooks', { token })).body).toEqual({
			data: [record],
		});
		const edited = await callGateway(simulator, 'PATCH', path, {
			token,
			body: { events: ['QRCODE.UPDATED'] },
		});
		expect(edited.body).toEqual({ data: { ...record, events: ['QRCODE.UPDATED'] } });
		expect(simulator.webhooks()[0].secret).toBe(secret);

		expect(await callGateway(simulator, 'DELETE', path, { token })).toMatchObject({
			status: 200,
			body: SUCCESS,
		});
		expect(await callGateway(simulator, 'DELETE', path, { token })).toMatchObject({
			status: 404,
			body: ERROR,
		});
		expect(
			await callGateway(simulator, 'PATCH', path, { token, body: { enabled: false } }),
		).toMatchObject({ status: 404 });
	});

	it('answers an unknown path with 404 for those who have a token, and 401 for others', async () => {
		const { instanceToken: token } = simulator;
		expect(await callGateway(simulator, 'GET', '/v1/hooks', { token })).toMatchObject({
			status: 404,
			body: ERROR,
		});
		expect(await callGateway(simulator, 'POST', '/v1/hooks', { token, body: {} })).toMatchObject({
			status: 404,
			body: { error: 'There is no POST /v1/hooks' },
		});
		expect(await callGateway(simulator, 'GET', '/v1/hooks', { token: null })).toMatchObject({
			status: 401,
			body: ERROR,
		});
	});

	it('cannot send while the number is not connected, nor reconnect without a saved session', async () => {
		simulator.setConnection('LOGGED_OUT');
		expect((await post('/v1/messages/send-text', { to: TO, text: 'x' })).status).toBe(502);
		expect((await post('/v1/instance/reconnect', undefined)).status).toBe(400);
		expect(simulator.acceptedSends()).toEqual([]);
	});
});
