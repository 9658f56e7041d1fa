import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import type { WorkflowDraft } from '../../host/api';
import { projectFolder } from '../../host/places';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayTrigger } from '../../nodes/MessagingGateway/MessagingGatewayTrigger.node';

const folder = join(projectFolder, 'examples');
const guide = readFileSync(join(folder, 'README.md'), 'utf8');
const files = readdirSync(folder).filter((file) => file.endsWith('.json'));

const readExample = (file: string) =>
	JSON.parse(readFileSync(join(folder, file), 'utf8')) as WorkflowDraft;
const isNote = ({ type }: INode) => type === 'n8n-nodes-base.stickyNote';
/** Every `$('Name')` in the workflow. */
const namesUsed = (workflow: WorkflowDraft) =>
	[...JSON.stringify(workflow.nodes).matchAll(/\$\('(.+?)'\)/g)].map(([, name]) => name);

/** The names under *Add Option* of both nodes. */
const optionNames = [new MessagingGateway(), new MessagingGatewayTrigger()]
	.flatMap(({ description }) => description.properties)
	.filter(({ name }) => name === 'options')
	.flatMap(({ options = [] }) => options)
	.map((option) => ('displayName' in option ? option.displayName : option.name));

/** What n8n 3.0 no longer runs or offers, of all that a workflow or a page on it may hold. */
function findGone({ nodes }: Pick<WorkflowDraft, 'nodes'>, page = ''): string[] {
	const gone: Array<[string, (node: INode) => boolean]> = [
		['AI Agent 1', ({ type, typeVersion }) => type.endsWith('.agent') && typeVersion < 2],
		[
			'Run once for each item',
			({ type, parameters }) => type.endsWith('.executeWorkflow') && parameters.mode === 'each',
		],
		[
			'a removed node',
			({ type }) => /base\.(function|functionItem|itemLists|aiTransform)$/.test(type),
		],
		['$getPairedItem', (node) => JSON.stringify(node).includes('$getPairedItem')],
		[
			'binary data in memory',
			(node) => /N8N_DEFAULT_BINARY_DATA_MODE=default/.test(`${JSON.stringify(node)}${page}`),
		],
		['import from URL', (node) => /import from url/i.test(`${JSON.stringify(node)}${page}`)],
	];
	return nodes.flatMap((node) => gone.filter(([, isGone]) => isGone(node)).map(([name]) => name));
}

it('what n8n 3.0 removes is noticed', () => {
	const node = (type: string, typeVersion: number, parameters = {}) =>
		({ name: type, id: type, type, typeVersion, position: [0, 0], parameters }) as INode;
	const nodes = [
		node('@n8n/n8n-nodes-langchain.agent', 1.9),
		node('n8n-nodes-base.executeWorkflow', 1.2, { mode: 'each' }),
		node('n8n-nodes-base.itemLists', 3),
		node('n8n-nodes-base.set', 3.4, { value: '={{ $getPairedItem() }}' }),
		node('n8n-nodes-base.stickyNote', 1, { content: 'Set N8N_DEFAULT_BINARY_DATA_MODE=default' }),
		node('n8n-nodes-base.stickyNote', 1, { content: 'Choose *Import from URL*' }),
	];
	expect(findGone({ nodes })).toEqual([
		'AI Agent 1',
		'Run once for each item',
		'a removed node',
		'$getPairedItem',
		'binary data in memory',
		'import from URL',
	]);
});

describe.each(files)('the example %s', (file) => {
	const workflow = readExample(file);
	const names = workflow.nodes.map(({ name }) => name);

	it('is listed in the guide', () => {
		expect(guide).toContain(`[${file}](${file})`);
	});

	it('has a heading in the guide like its name', () => {
		expect(guide).toContain(`\n## ${workflow.name}\n`);
	});

	it('explains itself: what it does, how to set it up, and the way on', () => {
		const [first] = workflow.nodes
			.filter(isNote)
			.map(({ parameters }) => String(parameters.content));
		expect(first).toMatch(new RegExp(`^## ${workflow.name}\n`));
		expect(first).toContain('**Set up**');
		expect(first).toMatch(/Press \*\*(Publish|Execute workflow)\*\*/);
	});

	it('holds nothing that n8n 3.0 removes', () => {
		expect(findGone(workflow, guide)).toEqual([]);
	});

	it('names its nodes after what they do', () => {
		expect(new Set(names).size).toBe(names.length);
		expect(
			names.filter((name) =>
				/^(Messaging Gateway( Trigger)?|Edit Fields|Switch|If|Data table)\d*$/.test(name),
			),
		).toEqual([]);
	});

	it('mentions no node that it does not have', () => {
		const connected = Object.values(workflow.connections).flatMap((outputs) =>
			Object.values(outputs).flatMap((ends) =>
				(ends ?? []).flatMap((end) => (end ?? []).map(({ node }) => node)),
			),
		);
		for (const name of [
			...connected,
			...Object.keys(workflow.connections),
			...namesUsed(workflow),
		]) {
			expect(names).toContain(name);
		}
	});

	it('sends nobody to an option that does not exist', () => {
		const named = workflow.nodes
			.filter(isNote)
			.flatMap(({ parameters }) => [...String(parameters.content).matchAll(/Options → ([^*]+)/g)])
			.map(([, name]) => name);
		expect(named.filter((name) => !optionNames.includes(name))).toEqual([]);
	});

	it('leaves the address of its trigger to n8n, so that it can be imported twice', () => {
		expect(workflow.nodes.filter(({ webhookId }) => webhookId !== undefined)).toEqual([]);
	});

	it('holds no credential, only the place for it', () => {
		const credentials = workflow.nodes.flatMap((node) => Object.values(node.credentials ?? {}));
		expect(credentials.map(({ id }) => id)).toEqual(credentials.map(() => ''));
		expect(JSON.stringify(workflow)).not.toMatch(/svc_(acct|inst)_\w|whsec_\w/);
	});
});
