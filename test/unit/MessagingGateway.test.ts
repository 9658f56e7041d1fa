import type { INodeProperties } from 'n8n-workflow';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';

const node = new MessagingGateway();
const { description } = node;

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
		expect.objectContaining({ httpMethod: 'POST', restartWebhook: true, responseData: '' }),
	]);
});

it('asks n8n to register no webhook of its own', async () => {
	const { checkExists, create, delete: remove } = node.webhookMethods.default;
	expect(await Promise.all([checkExists(), create(), remove()])).toEqual([true, true, true]);
});

it('can be the tool of an agent', () => {
	expect(description.usableAsTool).toBe(true);
});
