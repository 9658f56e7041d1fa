import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import { createRunExecutionData } from 'n8n-workflow';
import { waitFor } from '../../../host/waiting';
import { credentialsOf } from '../../support/runOperation';
import { messages, sendText, type Sending } from '../../support/sending';
import { engine, gateway } from '../../support/stage';

/** Starts n8n's engine, and hands out what cancels it. */
function start(sending: Omit<Sending, 'items'> & { count: number }) {
	const { workflow, additionalData, node } = engine.build({
		nodes: [sendText(sending)],
		credentials: credentialsOf(gateway),
	});
	const data = { main: [messages(sending.count).map((json) => ({ json }))] };
	additionalData.hooks = new ExecutionLifecycleHooks('manual', '1', {
		nodes: [],
		connections: {},
	} as never);
	const runData = createRunExecutionData({
		executionData: { nodeExecutionStack: [{ node: node('Send'), data, source: null }] },
	});
	return new WorkflowExecute(additionalData, 'manual', runData).processRunExecutionData(workflow);
}

it.each([
	['while requests are under way', { concurrency: 5 }],
	['while the pace makes it wait', { concurrency: 5, messagesPerMinute: 1200 }],
	['while it shows typing', { concurrency: 5, typingSeconds: 1 }],
])('cancelling %s lets nothing more begin, not even for Retry On Fail', async (_when, options) => {
	gateway.faults.add({ times: 'always', fault: { kind: 'slow', delayMs: 100 } });
	const running = start({
		count: 200,
		options,
		settings: { retryOnFail: true, onError: 'continueRegularOutput' },
	});
	await waitFor('the first requests', () => gateway.requests.length >= 5);
	const { length } = gateway.requests;
	running.cancel();
	// Ends only when the node has, and when n8n makes no further try of it.
	await running;
	expect(gateway.requests.length - length).toBeLessThanOrEqual(5);
});
