import type { INodeParameters } from 'n8n-workflow';
import { outputOf } from '../../support/engine';
import { credentialsOf } from '../../support/runOperation';
import { engine, gateway } from '../../support/stage';
import type { ToldCall } from '../../support/testAgents';

// A model that makes a webhook elsewhere and reads its secret could have others sign events with it.

const CREATE: INodeParameters = {
	resource: 'webhook',
	operation: 'create',
	url: `={{ $fromAI('URL', '', 'string') }}`,
};

const REQUEST: INodeParameters = {
	resource: 'api',
	operation: 'request',
	token: 'account',
	method: 'POST',
	path: '/v1/webhooks',
	options: {
		body: `={{ { url: $fromAI('URL', '', 'string'), events: ['MESSAGE.RECEIVED'] } }}`,
	},
};

/** What the model of an agent of this type is told by a tool with these parameters. */
async function askTool(type: string, parameters: INodeParameters): Promise<string> {
	const run = await engine.run({
		nodes: [
			{ type: 'test.pass', name: 'Start' },
			{
				type,
				name: 'Agent',
				parameters: { calls: JSON.stringify([{ URL: 'https://example.com/elsewhere' }]) },
			},
			{ type: 'messagingGatewayTool', name: 'Send', parameters },
		],
		connections: {
			Start: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
			Send: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
		},
		credentials: credentialsOf(gateway),
	});
	const [{ json }] = outputOf(run, 'Agent');
	return (json as unknown as ToldCall).answers.join('\n');
}

describe.each([
	['an agent that calls its tools itself', 'test.callingAgent'],
	['an agent that lets n8n run its tools', 'test.askingAgent'],
] as const)('%s', (_which, type) => {
	it.each([
		['Webhook → Create', CREATE],
		['API → Request', REQUEST],
	])('reads no secret of a webhook from %s', async (_tool, parameters) => {
		const told = await askTool(type, parameters);
		const [{ secret }] = gateway.webhooks();
		expect(told).toContain('https://example.com/elsewhere');
		expect(told).not.toContain(secret.slice('whsec_'.length));
		expect(told).toContain('whsec_[hidden]');
	});

	it('reads it from Webhook → Create where the person chose so', async () => {
		const told = await askTool(type, { ...CREATE, options: { showSecretToAgent: true } });
		expect(told).toContain(gateway.webhooks()[0].secret);
	});
});
