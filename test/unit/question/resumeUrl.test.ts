import type { GatewayContext } from '../../../nodes/MessagingGateway/api/request';
import { deliver, readExecutionState } from '../../../nodes/MessagingGateway/question/resumeUrl';
import { gatewayContext, type Answered } from '../gatewayContext';

const URL = 'https://n8n.example.com/webhook-waiting/7/node?asked=1';

const contextOf = (answer: () => Answered | Promise<Answered>) =>
	gatewayContext({ answer }) as unknown as GatewayContext;

// As n8n answers for an execution, each with the words by which it is told from other answers of the same status.
it.each<[string, number, object]>([
	['over', 200, { message: 'No action required' }],
	['over', 404, { message: 'The execution "7" does not exist.' }],
	['over', 409, { message: 'The execution "7" has finished already.' }],
	['busy', 409, { message: 'The execution "7" is running already.' }],
	['changed', 401, { error: 'Invalid token' }],
	['changed', 401, { error: 'Invalid form link' }],
	['waiting', 401, { error: 'Unauthorized' }],
	['waiting', 404, { message: 'The requested webhook does not exist.' }],
	['waiting', 404, { message: 'The execution cannot be read.' }],
	['waiting', 200, { message: 'Received' }],
	['waiting', 409, { message: 'Conflict' }],
	['waiting', 503, { message: 'The execution "7" does not exist.' }],
	['waiting', 500, { message: 'has finished' }],
])('the execution is %s where n8n answers %i %j', async (state, status, body) => {
	expect(
		await readExecutionState(
			contextOf(() => ({ status, body })),
			URL,
		),
	).toBe(state);
	const delivery = { headers: { a: 'b' }, body: '{}' };
	expect(
		await deliver(
			contextOf(() => ({ status, body })),
			URL,
			delivery,
			1_000,
		),
	).toEqual({
		status,
		state,
	});
});

it('nobody is reached where the connection fails, and n8n is busy where the time passes', async () => {
	const fails = contextOf(async () => await Promise.reject(new Error('ECONNREFUSED')));
	expect(await deliver(fails, URL, { body: '' }, 60_000)).toEqual({ state: 'unreached' });
	const hangs = contextOf(async () => await new Promise<never>(() => {}));
	expect(await deliver(hangs, URL, { body: '' }, 5)).toEqual({ state: 'busy' });
});
