import type { INodeProperties } from 'n8n-workflow';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';

const node = new MessagingGateway();
const { description } = node;

/** What an expression of the description gives with these parameters. */
const evaluate = (expression: string | undefined, parameters: object): unknown =>
	new Function('$parameter', `return ${/^=\{\{(.*)\}\}$/.exec(expression ?? '')?.[1]}`)(parameters);

/** The methods that parameters name, each once. */
function methodsOf(name: 'loadOptionsMethod' | 'searchListMethod'): string[] {
	const properties = description.properties.flatMap(({ modes = [], ...property }) => [
		property,
		...modes,
	]) as Array<Pick<INodeProperties, 'typeOptions'>>;
	const named = properties.flatMap(({ typeOptions }) => typeOptions?.[name] ?? []);
	return [...new Set(named)].sort();
}

it('has what its parameters and its credentials call', () => {
	expect(methodsOf('searchListMethod')).toEqual(Object.keys(node.methods.listSearch).sort());
	expect(methodsOf('loadOptionsMethod')).toEqual(Object.keys(node.methods.loadOptions).sort());
	const tests = description.credentials?.map(({ testedBy }) => testedBy).sort();
	expect(tests).toEqual(Object.keys(node.methods.credentialTest).sort());
});

it('shows of two credentials the one that the operation needs', () => {
	expect(description.credentials?.map(({ displayOptions }) => displayOptions)).toEqual([
		{ show: { token: ['instance'] } },
		{ show: { token: ['account'] } },
	]);
});

it('takes answers to questions, and tells whoever sends them nothing', () => {
	expect(description.webhooks).toEqual([
		{
			name: 'default',
			httpMethod: 'POST',
			restartWebhook: true,
			responseMode: 'onReceived',
			responseData: '',
			isFullPath: true,
			path: '={{ $nodeId }}',
		},
	]);
});

it('asks n8n to register no webhook of its own', async () => {
	const { checkExists, create, delete: remove } = node.webhookMethods.default;
	expect(await Promise.all([checkExists(), create(), remove()])).toEqual([true, true, true]);
});

it('says under its name, and while it waits, what it does', () => {
	const parameters = { resource: 'message', operation: 'sendAndWait' };
	expect(evaluate(description.subtitle, parameters)).toBe('sendAndWait: message');
	expect(evaluate(description.waitingNodeTooltip, parameters)).toContain('when the person answers');
	expect(evaluate(description.waitingNodeTooltip, { ...parameters, operation: 'sendText' })).toBe(
		'',
	);
});

it('shows each list of the gateway in the field that is for it', () => {
	expect(node.methods.listSearch.searchCommunities).not.toBe(node.methods.listSearch.searchGroups);
});

it('starts no workflow', () => {
	expect([description.group, description.inputs, description.outputs]).toEqual([
		['output'],
		['main'],
		['main'],
	]);
});

it('can be the tool of an agent', () => {
	expect(description.usableAsTool).toBe(true);
});
