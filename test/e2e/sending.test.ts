import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { makeSend } from '../../lab/host/drafts/nodes';
import { publishBehindEntrance } from '../../lab/host/drafts/workflows';
import { outputOf, type Execution } from '../../lab/host/executions';
import { waitFor } from '../../lab/host/waiting';
import type { Fault } from '../../lab/simulator';
import { host, useHost } from '../support/host';

useHost();

afterEach(() => host.gateway.reset());

const messages = (count: number) =>
	[...Array(count).keys()].map((index) => ({
		to: String(5511900000000 + index),
		text: `m${index}`,
	}));
const fail = (text: string, fault: Fault, times = 1) =>
	host.gateway.faults.add({ match: { text }, times, fault });
const acceptedTexts = () => host.gateway.acceptedSends().map(({ text }) => text);
const requestsOf = (text: string) =>
	host.gateway.requests.filter(({ body }) => (body as IDataObject | undefined)?.text === text)
		.length;

const REFUSED_ONCE: Fault = { status: 429, headers: { 'retry-after': '0' } };

interface Settings {
	options?: INodeParameters;
	settings?: Partial<Pick<INode, 'onError' | 'retryOnFail' | 'maxTries' | 'waitBetweenTries'>>;
}

/** Publishes a workflow that sends one text for each item `{to, text}`. */
const publishSend = async ({ options, settings }: Settings) =>
	await publishBehindEntrance(host, [makeSend(host.credentials.instance, options, settings)]);

/** Sends items in one execution, and waits for its end. */
async function send(items: IDataObject[], draft: Settings): Promise<Execution> {
	const workflow = await publishSend(draft);
	await workflow.start(items);
	const [execution] = await host.api.waitForExecutions(workflow.id, 1);
	return execution;
}

/** Presses "Retry" in the list of executions. */
async function retry({ id }: Execution): Promise<Execution> {
	const retried = await host.api.request<{ id: string }>('POST', `/executions/${id}/retry`, {
		loadWorkflow: false,
	});
	return await host.api.waitForEnd(retried.id);
}

describe('a person who retries a stopped execution', () => {
	it.each([false, true])(
		'the retry sends what was not accepted, and nothing twice (Retry On Fail is %s)',
		async (retryOnFail) => {
			fail('m1', { status: 401 });
			const stopped = await send(messages(5), {
				// A pause between two messages is no whole number of milliseconds.
				options: { concurrency: 5, messagesPerMinute: 700 },
				settings: { retryOnFail, maxTries: 2, waitBetweenTries: 50 },
			});
			expect(stopped.status).toBe('error');
			expect(acceptedTexts()).toContain('m0');

			const retried = await retry(stopped);
			expect(retried.status).toBe('success');
			expect(acceptedTexts().sort()).toEqual(messages(5).map(({ text }) => text));
			const idOf = new Map(
				host.gateway.acceptedSends().map(({ text, messageId }) => [text, messageId]),
			);
			expect(outputOf(retried, 'Send')[0].map(({ json }) => json.messageId)).toEqual(
				messages(5).map(({ text }) => idOf.get(text)),
			);
		},
	);
});

describe('cancelling a bulk run', () => {
	it.each([
		['stopWorkflow', false],
		['continueRegularOutput', true],
	] as const)(
		'a cancelled run lets no more than the requests under way reach the gateway (%s, Retry On Fail %s)',
		async (onError, retryOnFail) => {
			const concurrency = 10;
			const maxTries = 5;
			const { gateway, api } = host;
			const slow = gateway.faults.add({ times: 'always', fault: { kind: 'slow', delayMs: 50 } });
			const workflow = await publishSend({
				options: { concurrency },
				settings: { onError, retryOnFail, maxTries, waitBetweenTries: 50 },
			});
			await workflow.start(messages(2000));
			await waitFor('the bulk to be well under way', () => gateway.requests.length >= 200);

			const [{ id }] = await api.listExecutions(workflow.id);
			await api.request('POST', `/executions/${id}/stop`, {});
			const { length } = gateway.requests;
			expect(length).toBeLessThan(1900);
			await api.waitForEnd(id);
			// What begins later, and goes through as many tries and waits, has come to its end.
			gateway.faults.remove(slow.id);
			fail('marker', REFUSED_ONCE, retryOnFail ? maxTries - 1 : 0);
			await workflow.start([{ to: '5511987654321', text: 'marker' }]);
			const [, marker] = await api.waitForExecutions(workflow.id, 2);
			expect(marker.status).toBe('success');

			const ofBulk = gateway.requests.length - requestsOf('marker');
			expect(ofBulk - length).toBeLessThanOrEqual(concurrency);
			expect((await api.getExecution(id)).status).toBe('canceled');
		},
	);
});
