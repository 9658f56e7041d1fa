import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NODE = `
exports.EmptyTrigger = class {
	description = {
		displayName: 'Empty Trigger',
		name: 'emptyTrigger',
		group: ['trigger'],
		version: [2],
		description: '',
		defaults: { name: 'Empty Trigger' },
		inputs: [],
		outputs: ['main'],
		credentials: [{ name: 'messagingGatewayAccountApi', required: true }],
		webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', responseData: '', path: 'webhook' }],
		properties: [],
	};

	async webhook() {
		return { workflowData: [[{ json: this.getBodyData() }]] };
	}
};
`;

/**
 * The least that a trigger of version 2 with a credential can be, as a package: what is measured beside it is our own
 * code. The credential belongs to it because n8n looks it up for every execution, whatever the node does.
 */
export function writeEmptyTrigger(): string {
	const folder = mkdtempSync(join(tmpdir(), 'empty-trigger-'));
	const file = 'dist/EmptyTrigger.node.js';
	mkdirSync(join(folder, 'dist'));
	writeFileSync(join(folder, file), NODE);
	writeFileSync(
		join(folder, 'package.json'),
		JSON.stringify({
			name: 'n8n-nodes-empty-trigger',
			version: '0.0.0',
			files: ['dist'],
			n8n: { n8nNodesApiVersion: 1, nodes: [file] },
		}),
	);
	return folder;
}
