import { MessagingGatewayTrigger } from '../../nodes/MessagingGateway/MessagingGatewayTrigger.node';

const trigger = new MessagingGatewayTrigger();
const { description } = trigger;

it('has one webhook, which tells the gateway nothing of what the workflow has made', () => {
	expect(description.webhooks).toEqual([
		expect.objectContaining({ httpMethod: 'POST', path: 'webhook', responseData: 'noData' }),
	]);
});

it('is of no version 1, for which n8n evaluates an expression with every delivery', () => {
	expect([description.version, description.defaultVersion]).toEqual([[2], 2]);
});

it('starts workflows, and looks after its webhook while it is published', () => {
	expect([description.group, description.inputs, description.outputs]).toEqual([
		['trigger'],
		[],
		['main'],
	]);
	for (const method of ['webhook', 'trigger', 'execute'] as const)
		expect(trigger[method]).toBeInstanceOf(Function);
	expect(Object.keys(trigger.webhookMethods.default).sort()).toEqual([
		'checkExists',
		'create',
		'delete',
	]);
});

it('says under its name which events start it', () => {
	const [, expression] = /^=\{\{(.*)\}\}$/.exec(description.subtitle ?? '') ?? [];
	expect(new Function('$parameter', `return ${expression}`)({ events: ['A.B', 'C.D'] })).toBe(
		'A.B, C.D',
	);
});

it('cannot do without a credential', () => {
	expect(description.credentials?.map(({ required }) => required)).toEqual([true]);
});

it('has what its parameters and its credential call', () => {
	const lists = description.properties.flatMap(
		({ typeOptions }) => typeOptions?.loadOptionsMethod ?? [],
	);
	expect(lists).toEqual(Object.keys(trigger.methods.loadOptions));
	const tests = description.credentials?.map(({ testedBy }) => testedBy);
	expect(tests).toEqual(Object.keys(trigger.methods.credentialTest));
});
