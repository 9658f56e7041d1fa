import { waitFor } from '../../lab/host/waiting';
import type { FaultPlan } from '../../lab/simulator';
import { openDesk, type Desk } from '../support/desk';
import { numberOf } from '../support/numberOf';
import { startQueueHost, type QueueHost } from '../support/queueHost';

jest.setTimeout(300_000);

let host: QueueHost;
let desk: Desk;

beforeAll(async () => {
	host = await startQueueHost({
		gateway: {
			retryDelaysMs: [250, 500, ...Array<number>(20).fill(1_000)],
			statusDelaysMs: { delivered: null, read: null },
		},
	});
});

beforeEach(async () => {
	host.gateway.reset({ webhooks: true });
	desk = await openDesk(host);
});

afterEach(async () => await desk.close());

afterAll(async () => await host?.stop());

/** Strikes requests about webhooks from now on: all, or so many. */
function strike(
	method: 'GET' | 'PATCH' | 'DELETE',
	fault: FaultPlan['fault'],
	times: FaultPlan['times'] = 'always',
): void {
	host.gateway.faults.add({ match: { method, token: 'account' }, times, fault });
}

// The proxy sends the webhooks of two questions to the same processor, or to two: four rounds show both.
const ROUNDS = [{ round: 1 }, { round: 2 }, { round: 3 }, { round: 4 }];

describe.each(ROUNDS)('in queue mode with two webhook processors, round $round', () => {
	it('one message decides the newer of two replies, however often it is delivered', async () => {
		const older = await (await desk.publish()).ask();
		const newer = await (await desk.publish()).ask();
		await host.gateway.drained();

		host.gateway.setDelivery({ duplicate: 3 });
		await desk.say('at nine');

		expect(await desk.reportFromQueue({ older, newer })).toMatchObject({
			older: 'waits',
			newer: 'at nine',
		});
	});

	it('one message decides the newer of two replies while the list of webhooks answers 429', async () => {
		const older = await (await desk.publish()).ask();
		const newer = await (await desk.publish()).ask();
		await host.gateway.drained();

		strike('GET', { status: 429 }, 2);
		await desk.say('at nine');

		expect(await desk.reportFromQueue({ older, newer })).toMatchObject({
			older: 'waits',
			newer: 'at nine',
		});
	});

	it('two questions of a chat that are asked one after the other take an answer each', async () => {
		const workflow = await desk.publish();
		const first = await workflow.ask();
		host.gateway.setDelivery({ duplicate: 3 });
		await desk.say('at nine');
		await first.answer();
		const second = await workflow.ask();
		await desk.say('at ten');

		expect(await desk.reportFromQueue({ first, second })).toMatchObject({
			first: 'at nine',
			second: 'at ten',
		});
	});

	it('the number of an approval decides the approval alone, beside an open reply', async () => {
		const reply = await (await desk.publish()).ask();
		const approval = await (await desk.publish({ responseType: 'approval' })).ask();
		await host.gateway.drained();

		host.gateway.setDelivery({ duplicate: 3 });
		await desk.say(numberOf(approval));

		expect(await desk.reportFromQueue({ reply, approval })).toMatchObject({
			reply: 'waits',
			approval: 'approved',
		});
	});

	it('the number of an approval decides the approval alone, if the list fails for a moment', async () => {
		const reply = await (await desk.publish()).ask();
		const approval = await (await desk.publish({ responseType: 'approval' })).ask();
		await host.gateway.drained();

		strike('GET', { status: 503 });
		desk.write(numberOf(approval));
		await waitFor('the approval to be answered', async () => {
			const { status } = await host.api.getExecution(approval.executionId);
			return status === 'success';
		});
		host.gateway.faults.clear();
		await desk.settle();

		expect(await desk.reportFromQueue({ reply, approval })).toMatchObject({
			reply: 'waits',
			approval: 'approved',
		});
	});

	it('no second message is lost if PATCH and DELETE fail at an answer', async () => {
		const older = await (await desk.publish()).ask();
		const newer = await (await desk.publish()).ask();
		await host.gateway.drained();

		strike('PATCH', { status: 502 });
		strike('DELETE', { status: 502 });
		await desk.say('at nine');
		host.gateway.faults.clear();
		await desk.say('at ten');

		const outcome = await desk.reportFromQueue({ older, newer });
		expect(outcome).toMatchObject({ older: 'waits', newer: 'at nine' });
		expect(outcome.bot).toContain('at ten');
	});
});
