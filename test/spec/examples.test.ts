import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import type { WorkflowDraft } from '../../lab/host/api';
import { projectFolder } from '../../lab/host/places';

const folder = join(projectFolder, 'examples');
const files = readdirSync(folder).filter((file) => file.endsWith('.json'));

const readExample = (file: string) =>
	JSON.parse(readFileSync(join(folder, file), 'utf8')) as WorkflowDraft;
/** Imported by n8n's CLI, a trigger without a webhookId may get a URL that n8n does not serve. */
const isListening = ({ type, parameters }: INode) =>
	type.endsWith('messagingGatewayTrigger') || parameters.operation === 'sendAndWait';
const readAll = () => files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
/** Every `$('Name')` in the workflow. */
const namesUsed = (workflow: WorkflowDraft) =>
	[...JSON.stringify(workflow.nodes).matchAll(/\$\('(.+?)'\)/g)].map(([, name]) => name);

describe.each(files)('the example %s', (file) => {
	const workflow = readExample(file);
	const names = workflow.nodes.map(({ name }) => name);

	it('mentions no node that it does not have', () => {
		const connected = Object.values(workflow.connections).flatMap((outputs) =>
			Object.values(outputs).flatMap((ends) =>
				(ends ?? []).flatMap((end) => (end ?? []).map(({ node }) => node)),
			),
		);
		const used = [...connected, ...Object.keys(workflow.connections), ...namesUsed(workflow)];
		expect(names).toEqual(expect.arrayContaining(used));
	});

	it('gives each trigger and each question a webhookId that no other example has', () => {
		const ids = workflow.nodes.filter(isListening).map(({ webhookId }) => webhookId);
		for (const id of ids) expect(readAll().split(`"webhookId": "${id}"`)).toHaveLength(2);
	});

	it('holds no credential, only the place for it', () => {
		const credentials = workflow.nodes.flatMap((node) => Object.values(node.credentials ?? {}));
		expect(credentials.map(({ id }) => id)).toEqual(credentials.map(() => ''));
		expect(JSON.stringify(workflow)).not.toMatch(/svc_(acct|inst)_\w|whsec_\w/);
	});
});
