import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import { createRunExecutionData } from 'n8n-workflow';
import { waitFor } from '../../../host/waiting';
import { to } from '../../oracle/document';
import { credentialsOf } from '../runOperation';
import { engine, gateway } from '../stage';

it('who stops an execution while it asks leaves no webhook at the gateway', async () => {
	let isStopped = false;
	const until = async () => await waitFor('the execution to be stopped', () => isStopped);
	gateway.faults.add({
		match: { path: '/v1/messages/send-text' },
		fault: { kind: 'slow', until },
	});
	const parameters = {
		resource: 'message',
		operation: 'sendAndWait',
		to: to('phone', '5511900000001'),
		message: 'Shall we?',
	};
	const { workflow, additionalData, node } = engine.build({
		nodes: [{ type: 'messagingGateway', name: 'Ask', parameters }],
		credentials: credentialsOf(gateway),
	});
	additionalData.hooks = new ExecutionLifecycleHooks('manual', '1', {
		nodes: [],
		connections: {},
	} as never);
	const data = { main: [[{ json: {} }]] };
	const runData = createRunExecutionData({
		executionData: { nodeExecutionStack: [{ node: node('Ask'), data, source: null }] },
	});
	const execution = new WorkflowExecute(additionalData, 'manual', runData);
	const running = execution.processRunExecutionData(workflow);
	await waitFor('the message to be on its way', () =>
		gateway.requests.some(({ path }) => path === '/v1/messages/send-text'),
	);
	expect(gateway.webhooks()).toHaveLength(1);
	running.cancel();
	isStopped = true;
	await running;
	await waitFor('the webhook to go', () => gateway.webhooks().length === 0);
});
