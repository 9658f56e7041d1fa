import { groupIdAt, startSimulator, type Simulator } from '../../../simulator';
import { callGateway } from '../../support/callGateway';

// Rules of the API document that go beyond the shape of a body.

let simulator: Simulator;

beforeAll(async () => {
	simulator = await startSimulator();
});
afterAll(async () => await simulator.stop());
beforeEach(() => simulator.reset({ webhooks: true }));

const TO = '5511900000001';

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

	it('cannot send while the number is not connected, nor reconnect without a saved session', async () => {
		simulator.setConnection('LOGGED_OUT');
		expect((await post('/v1/messages/send-text', { to: TO, text: 'x' })).status).toBe(502);
		expect((await post('/v1/instance/reconnect', undefined)).status).toBe(400);
		expect(simulator.acceptedSends()).toEqual([]);
	});
});
