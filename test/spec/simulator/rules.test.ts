import { groupIdAt, startSimulator, type Simulator } from '../../../simulator';
import { callGateway } from '../../support/callGateway';

// Rules of the API document that go beyond the shape of a body.

let simulator: Simulator;

beforeAll(async () => {
	simulator = await startSimulator();
});
afterAll(async () => await simulator.stop());
beforeEach(() => simulator.reset({ webhooks: true }));

const post = async (path: string, body?: object) =>
	await callGateway(simulator, 'POST', path, { body, token: simulator.instanceToken });
const send = async (to: string) => await post('/v1/messages/send-text', { to, text: 'x' });

it.each([
	[202, '+55 (11) 90000-0001', '55 11 9.0000.0001', '551190000001@lid', groupIdAt(1)],
	[400, 'Ana', '12', '+55119000000012345', '', '@g.us', 'a b@g.us', '0800-123-4567'],
])('answers %i to the recipients %p, %p, %p, %p …', async (status, ...recipients) => {
	for (const to of recipients as string[])
		expect([to, (await send(to)).status]).toEqual([to, status]);
});

it('cannot send while the number is not connected, nor reconnect without a saved session', async () => {
	simulator.setConnection('LOGGED_OUT');
	expect((await send('5511900000001')).status).toBe(502);
	expect((await post('/v1/instance/reconnect')).status).toBe(400);
	expect(simulator.acceptedSends()).toEqual([]);
});
