import {
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';
import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node';
import { resources } from '../../../nodes/MessagingGateway/operations';
import { calls, callsOf, everyOperation } from '../../support/everyOperation';

const { description } = new MessagingGateway();

/** What a new node holds once resource and operation are chosen: every default filled in, as in the editor. */
function chooseOperation(parameters: INodeParameters): INodeParameters {
	const filled = NodeHelpers.getNodeParameters(
		description.properties,
		parameters,
		true,
		false,
		null,
		description,
	);
	return filled ?? {};
}

/** What the editor keeps of it when something is changed: nothing that stands at its default. */
function leaveOutDefaults(parameters: INodeParameters): INodeParameters {
	const kept = NodeHelpers.getNodeParameters(
		description.properties,
		parameters,
		false,
		false,
		null,
		description,
	);
	return kept ?? {};
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

const credentialsShown = (parameters: INodeParameters) =>
	(description.credentials ?? [])
		.filter((credential) => isShown(parameters, credential))
		.map(({ name }) => name);

describe('what the editor shows', () => {
	it.each(everyOperation)('%s: its own fields and nothing else', (_name, resource, operation) => {
		const parameters = chooseOperation({ resource, operation: operation.value });
		const shown = description.properties.filter(
			(property) => property.type !== 'hidden' && isShown(parameters, property),
		);
		const asked = operation.fields.filter(({ displayOptions }) =>
			isShown(parameters, { displayOptions }),
		);
		const options = operation.effect === 'none' ? [] : ['options'];
		expect(shown.map(({ name }) => name)).toEqual([
			'resource',
			'operation',
			...asked.map(({ name }) => name),
			...options,
		]);
	});

	it.each(calls.map((call) => [`${call.resource}.${call.operation}`, call.title, call] as const))(
		'%s, %s: the one credential that it needs',
		(_name, _title, { resource, operation, parameters, requests }) => {
			const tokens = requests.map(({ token }) => token);
			const needed = tokens.includes('instance')
				? ['messagingGatewayInstanceApi']
				: tokens.slice(0, 1).map(() => 'messagingGatewayAccountApi');
			const filled = chooseOperation({ resource, operation, ...parameters } as INodeParameters);
			expect(credentialsShown(filled)).toEqual(needed);
		},
	);

	it('opens each menu on what sends or only reads, so that a trial of a new node changes nothing', () => {
		const risky = resources.filter(({ value: resource, operations }) => {
			const harmless = operations.filter(({ value }) => {
				const made = callsOf(resource, value);
				const sends = made.some(
					({ answer, requests }) => answer?.status === 202 && requests.length === 1,
				);
				return (
					sends || made.every(({ requests }) => requests.every(({ method }) => method === 'GET'))
				);
			});
			const { operation: opened } = chooseOperation({ resource });
			return harmless.length > 0 && harmless.every(({ value }) => value !== opened);
		});
		expect(risky.map(({ name }) => name)).toEqual([]);
	});

	it('opens each menu on one operation, whichever are added', () => {
		for (const { name, operations } of resources) {
			const opening = operations.filter(({ opensMenu }) => opensMenu);
			expect([name, opening.length]).toEqual([name, 1]);
		}
	});

	it('advises, where the node is a tool, on what a model must be told of a recipient', () => {
		const tool = { ...description, name: `${description.name}Tool` };
		const parameters = chooseOperation({ resource: 'message', operation: 'sendText' });
		const shown = description.properties.filter((property) =>
			NodeHelpers.displayParameter(parameters, property, null, tool),
		);
		expect(shown.map(({ name }) => name)).toEqual(
			expect.arrayContaining(['to', 'toAdvice', 'text']),
		);
	});

	// As n8n's lint asks (single-credential-per-node), so that no value of any property shows both.
	it('advises against a model that chooses who approves its call', () => {
		const advice = description.properties
			.filter(({ name }) => name === 'toAdvice')
			.filter(({ displayOptions }) => displayOptions?.show?.operation?.includes('sendAndWait'))
			.map(({ displayName }) => displayName);
		expect(advice).toEqual([expect.stringMatching(/^Do not let the model fill in To/)]);
	});

	it('tells its credentials apart by literals of one property, which holds one value', () => {
		const shown = (description.credentials ?? []).map(({ displayOptions }) => displayOptions?.show);
		expect(shown).toEqual([{ token: ['instance'] }, { token: ['account'] }]);
		const tokens = description.properties.filter(({ name }) => name === 'token');
		expect(tokens.map(({ type }) => type)).toEqual(
			tokens.map(({ displayOptions }) =>
				displayOptions?.show?.resource?.includes('api') ? 'options' : 'hidden',
			),
		);
	});

	// Otherwise the editor takes the property for the way of authenticating, and hides all that depends on it.
	it('offers in each of these properties what no credential is for, and never shows it', () => {
		for (const { options = [] } of description.properties.filter(({ name }) => name === 'token')) {
			const others = (options as INodePropertyOptions[]).filter(
				({ value }) => !['instance', 'account'].includes(String(value)),
			);
			expect(others).toHaveLength(1);
			for (const { name: resource } of resources)
				expect(isShown({ resource }, others[0])).toBe(false);
		}
	});

	it('demands at least one event of a new webhook', () => {
		const events = description.properties.find(
			({ name, displayOptions }) =>
				name === 'events' && displayOptions?.show?.operation?.includes('create'),
		);
		expect(events?.required).toBe(true);
	});

	it('keeps the right credential when the operation is changed back and forth', () => {
		const steps = [
			['webhook', 'getAll', 'messagingGatewayAccountApi'],
			['api', 'request', 'messagingGatewayInstanceApi'],
			['instance', 'disconnect', 'messagingGatewayInstanceApi'],
			['instance', 'getAll', 'messagingGatewayAccountApi'],
			['webhook', 'delete', 'messagingGatewayAccountApi'],
			['group', 'getAll', 'messagingGatewayInstanceApi'],
			['instance', 'getAll', 'messagingGatewayAccountApi'],
			['instance', 'reconnect', 'messagingGatewayInstanceApi'],
		];
		let parameters: INodeParameters = {};
		for (const [resource, operation, credential] of steps) {
			parameters = chooseOperation({ ...leaveOutDefaults(parameters), resource, operation });
			expect([resource, operation, credentialsShown(parameters)]).toEqual([
				resource,
				operation,
				[credential],
			]);
		}
	});

	it('opens the list of every locator that has one: the editor does so only for a mode called "list"', () => {
		const locators = everyOperation.flatMap(([, , { fields }]) =>
			fields.filter(({ modes }) => modes !== undefined),
		);
		expect(locators.length).toBeGreaterThan(5);
		for (const { modes } of locators) {
			expect(modes?.filter(({ type }) => type === 'list').map(({ name }) => name)).toEqual([
				'list',
			]);
		}
	});

	it('lets nothing be left open that it demands: a new node of each operation has issues only in its required fields', () => {
		for (const [name, resource, operation] of everyOperation) {
			const parameters = chooseOperation({ resource, operation: operation.value });
			const node = { name: 'Node', typeVersion: 1, parameters } as INode;
			const issues = NodeHelpers.getNodeParametersIssues(description.properties, node, description);
			const wanted = operation.fields.filter(
				(field) => field.required && isShown(parameters, { displayOptions: field.displayOptions }),
			);
			expect([name, Object.keys(issues?.parameters ?? {})]).toEqual([
				name,
				wanted.map((field) => field.name),
			]);
		}
	});
});
