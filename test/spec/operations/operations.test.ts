import { NodeHelpers, type INode, type INodeParameters, type INodeProperties } from 'n8n-workflow';
import { eventOptions } from '../../../nodes/MessagingGateway/fields/common';
import { TOKENS } from '../../../nodes/MessagingGateway/gateway/secrets';
import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node';
import { resources } from '../../../nodes/MessagingGateway/operations';
import { effectOf } from '../../../nodes/MessagingGateway/operations/operation';
import { askingCalls, documentedCalls, webhookCalls } from '../../contract/document';
import { documentedEvents } from '../../contract/document/events';
import { gateway } from '../../support/engineAndGateway';

const { description } = new MessagingGateway();
const operations = resources.flatMap(
	({ value: resource, tokenKind: token = 'instance', operations: own }) =>
		own.map((operation) => ({
			name: `${resource}.${operation.value}`,
			resource,
			token,
			operation,
		})),
);
const calls = [...documentedCalls, ...webhookCalls('wh_1'), ...askingCalls];

/** Whether the simulator has a route for a documented request. Other refusals do not matter here. */
async function hasRoute({ method, path, token }: (typeof calls)[number]['requests'][number]) {
	const secret = token === 'account' ? gateway.accountToken : gateway.instanceToken;
	const headers = { authorization: `Bearer ${secret}` };
	const answer = await fetch(gateway.url + path, { method, headers });
	return !(await answer.text()).includes(`There is no ${method}`);
}

describe('the table of operations', () => {
	it('has a documented call and a route of the simulator for each operation, and no call without one', async () => {
		const missing: string[] = [];
		for (const { name } of operations) {
			const own = calls.filter((call) => `${call.resource}.${call.operation}` === name);
			if (own.length === 0) missing.push(`${name}: no call in the contract`);
			for (const request of own.flatMap(({ requests }) => requests)) {
				if (!(await hasRoute(request)))
					missing.push(`${name}: the simulator has no ${request.method} ${request.path}`);
			}
		}
		for (const call of calls) {
			const name = `${call.resource}.${call.operation}`;
			if (operations.every((each) => each.name !== name)) missing.push(`${name}: no operation`);
		}
		expect(missing).toEqual([]);
	});

	it('calls a send what is answered 202, and a read what only gets', () => {
		for (const { name, operation } of operations) {
			if (typeof operation.request !== 'string') continue;
			const own = calls.filter((call) => `${call.resource}.${call.operation}` === name);
			const isSend = own.some(({ answer }) => answer?.status === 202);
			const isRead = operation.request.startsWith('GET ');
			const effectWithoutSend = isRead ? 'harmless' : 'change';
			const effect = isSend ? 'send' : effectWithoutSend;
			expect({ name, effect: effectOf(operation, {}) }).toEqual({ name, effect });
		}
	});
});

/** A new node with its resource and operation chosen: every default filled in, as in the editor. */
function fillIn(parameters: INodeParameters): INodeParameters {
	const { properties } = description;
	const filled = NodeHelpers.getNodeParameters(
		properties,
		parameters,
		true,
		false,
		null,
		description,
	);
	return filled ?? {};
}

const isShown = (
	parameters: INodeParameters,
	{ displayOptions }: Pick<INodeProperties, 'displayOptions'>,
) =>
	NodeHelpers.displayParameter(
		parameters,
		{ displayOptions } as INodeProperties,
		null,
		description,
	);

describe.each(operations)('in the editor, $name', ({ name, resource, token, operation }) => {
	const parameters = fillIn({ resource, operation: operation.value });

	it('shows the credential of its token alone, and its requests use that token', () => {
		const shown = (description.credentials ?? []).filter((each) => isShown(parameters, each));
		expect(shown.map((each) => each.name)).toEqual([TOKENS[token].credential]);
		// Send and Wait makes its webhook with the account token of the instance credential.
		const own = calls.filter((call) => `${call.resource}.${call.operation}` === name);
		const used = own.flatMap(({ requests }) => requests.map((request) => request.token));
		if (operation.request === undefined) return;
		expect(used).toContain(token);
		if (name !== 'message.sendAndWait') expect(new Set(used)).toEqual(new Set([token]));
		// Each operation of a number can choose another one.
		const options = description.properties.filter((property) => property.name === 'options');
		if (token === 'instance')
			expect(options.filter((property) => isShown(parameters, property))).toHaveLength(1);
	});

	it('demands nothing but its required fields', () => {
		const node = { name: 'Node', typeVersion: 1, parameters } as INode;
		const issues = NodeHelpers.getNodeParametersIssues(description.properties, node, description);
		const required = operation.fields.filter(
			(field) => field.required && isShown(parameters, field) && String(field.default) === '',
		);
		const locators = operation.fields.filter(({ type }) => type === 'resourceLocator');
		expect(Object.keys(issues?.parameters ?? {}).sort()).toEqual(
			[...required, ...locators].map((field) => field.name).sort(),
		);
	});
});

it('begins with the properties of Send and Wait, which n8n takes for a reviewer', () => {
	for (const name of ['to', 'message', 'options']) {
		const { displayOptions } = description.properties.find((property) => property.name === name)!;
		expect([name, displayOptions?.show?.operation]).toEqual([name, ['sendAndWait']]);
	}
});

it('offers each event type of the API once', () => {
	const shown = new Set(documentedEvents.map(({ type }) => type));
	expect(eventOptions.map(({ value }) => value)).toEqual([...shown].sort());
});

it('opens the menu of each list with “list”, the only name for which the editor shows one', () => {
	const modes = operations.flatMap(({ operation }) =>
		operation.fields.flatMap((field) => field.modes ?? []),
	);
	const lists = modes.filter(({ type }) => type === 'list');
	expect(lists.length).toBeGreaterThan(5);
	expect(lists.filter(({ name }) => name !== 'list')).toEqual([]);
});
