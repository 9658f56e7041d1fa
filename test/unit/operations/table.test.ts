import { NodeHelpers, type INode, type INodeParameters, type INodeProperties } from 'n8n-workflow';
import type { Field } from '../../../nodes/MessagingGateway/fields/field';
import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node';
import { resources } from '../../../nodes/MessagingGateway/operations';
import type { Operation } from '../../../nodes/MessagingGateway/operations/operation';
import { documentedCalls, ENDPOINTS, GUESSED_ENDPOINTS, webhookCalls } from '../../oracle/document';
import { startSimulator } from '../../simulator';

const { description } = new MessagingGateway();
const everyOperation = resources.flatMap((resource) =>
	resource.operations.map(
		(operation) => [`${resource.value}.${operation.value}`, resource.value, operation] as const,
	),
);

const calls = [...documentedCalls, ...webhookCalls('wh_1')];
const callsOf = (resource: string, operation: string) =>
	calls.filter((call) => call.resource === resource && call.operation === operation);

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

describe('the table of operations', () => {
	it('holds exactly what the retyped document has calls of, each once', () => {
		const called = calls.map(({ resource, operation }) => `${resource}.${operation}`);
		expect(everyOperation.map(([name]) => name).sort()).toEqual([...new Set(called)].sort());
	});

	it('has exactly one operation for every documented endpoint', () => {
		const requests = everyOperation.flatMap(([, , { request }]) =>
			request === undefined ? [] : [request],
		);
		const written = requests.map((request) =>
			request
				.replace('{webhooksPath}', '/v1/webhooks')
				.replace('{instancesPath}', '/v1/instances')
				.replace('{webhookId}', '{id}'),
		);
		// The settings are read by an operation of their own, and by the one that writes them.
		expect(written.sort()).toEqual([...ENDPOINTS, ...GUESSED_ENDPOINTS].sort());
	});

	it('is called with the fewest and with all of its fields', () => {
		const untried = everyOperation.flatMap(([name, resource, { value, fields }]) => {
			const own = callsOf(resource, value);
			const filled = new Set(own.flatMap(({ parameters = {} }) => Object.keys(parameters)));
			return fields
				.filter((field) => !filled.has(field.name))
				.map((field) => `${name}: ${field.name}`);
		});
		// Every list is cut and fetched whole by the same two fields, tried with the groups.
		expect(untried.filter((name) => !/: (returnAll|limit)$/.test(name))).toEqual([]);
	});

	it.each(everyOperation)(
		'%s says whether it may be repeated, and what a success holds',
		(_name, resource, operation) => {
			const { effect, request } = operation;
			const isSend = callsOf(resource, operation.value).some(
				({ answer }) => answer?.status === 202,
			);
			expect(effect === 'send').toBe(isSend);
			if (request !== undefined) expect(effect === 'read').toBe(request.startsWith('GET '));
			if (operation.effect !== 'none') expect(operation.expects ?? operation.perform).toBeDefined();
			const placeholders = [...(request ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
			const inPath = operation.fields
				.filter((field) => field.in === 'path')
				.map(({ name }) => name);
			expect(placeholders.filter((name) => !name.endsWith('Path'))).toEqual(inPath);
		},
	);

	it('offers the option that overrides a guess wherever it guesses', () => {
		const guesses = everyOperation.flatMap(([name, , { fields, options = [] }]) =>
			[...fields, ...options].flatMap((field) =>
				field.guessOption === undefined
					? []
					: [{ name: `${name}: ${field.name}`, isOffered: options.includes(field.guessOption) }],
			),
		);
		expect(guesses.length).toBeGreaterThan(1);
		expect(guesses.filter(({ isOffered }) => !isOffered)).toEqual([]);
	});
});

describe('the simulated gateway', () => {
	it('has a route for every endpoint', async () => {
		const gateway = await startSimulator();
		const missing: string[] = [];
		for (const endpoint of [...ENDPOINTS, ...GUESSED_ENDPOINTS]) {
			const [method, path] = endpoint.split(' ');
			const answer = await fetch(gateway.url + path.replace('{id}', 'wh_1'), { method });
			if (answer.status !== 401) missing.push(`${endpoint}: ${answer.status}`);
		}
		await gateway.stop();
		expect(missing).toEqual([]);
	});
});

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
			const credentials = {
				instance: 'messagingGatewayInstanceApi',
				account: 'messagingGatewayAccountApi',
			};
			const needed = new Set(requests.map(({ token }) => credentials[token]));
			const filled = chooseOperation({ resource, operation, ...parameters } as INodeParameters);
			expect(credentialsShown(filled)).toEqual([...needed]);
		},
	);

	it('opens each menu on what sends or only reads, so that a trial of a new node changes nothing', () => {
		for (const { value: resource, operations } of resources) {
			const names = operations.map(({ value }) => value);
			const sending = names.filter((name) =>
				callsOf(resource, name).some(({ answer }) => answer?.status === 202),
			);
			const reading = names.filter((name) =>
				callsOf(resource, name).every(({ requests }) =>
					requests.every(({ method }) => method === 'GET'),
				),
			);
			const [wanted] = [...sending, ...reading, ...names];
			expect([resource, chooseOperation({ resource }).operation]).toEqual([resource, wanted]);
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

	it('keeps the right credential when the operation is changed back and forth', () => {
		const steps = [
			['instance', 'disconnect', 'messagingGatewayInstanceApi'],
			['instance', 'getAll', 'messagingGatewayAccountApi'],
			['webhook', 'delete', 'messagingGatewayAccountApi'],
			['group', 'getAll', 'messagingGatewayInstanceApi'],
			['instance', 'getAll', 'messagingGatewayAccountApi'],
			['instance', 'reconnect', 'messagingGatewayInstanceApi'],
		];
		let parameters: INodeParameters = {};
		for (const [resource, operation, credential] of steps) {
			parameters = chooseOperation({ ...parameters, resource, operation });
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

describe('its words', () => {
	const gatherTexts = (property: object): string[] =>
		Object.entries(property).flatMap(([key, value]) => {
			if (typeof value === 'string') {
				return ['displayName', 'description', 'hint', 'placeholder', 'action', 'name'].includes(key)
					? [value]
					: [];
			}
			return typeof value === 'object' && value !== null ? gatherTexts(value as object) : [];
		});
	const fieldsOf = ({ fields, options = [] }: Operation): Field[] => [...fields, ...options];

	it('do without those that n8n’s guidelines ask to avoid', () => {
		const texts = gatherTexts(description);
		expect(texts.length).toBeGreaterThan(200);
		expect(texts.filter((text) => /\b(error|problem|failure|mistake)s?\b/i.test(text))).toEqual([]);
	});

	it('speak of every operation to people and to language models', () => {
		for (const [name, , { action, description: told }] of everyOperation) {
			expect([name, action]).toEqual([name, expect.stringMatching(/^[A-Z][a-z]+( [a-zA-Z]+)+$/)]);
			expect([name, told.length]).toEqual([name, expect.any(Number)]);
			expect(told.length).toBeGreaterThan(15);
		}
		const actions = everyOperation.map(([, , { action }]) => action);
		expect(new Set(actions).size).toBe(actions.length);
	});

	it('list menus, operations, choices and options in the order of the alphabet', () => {
		const isSorted = (names: string[]) =>
			names.every((name, index) => index === 0 || names[index - 1].localeCompare(name) <= 0);
		expect(isSorted(resources.map(({ name }) => name))).toBe(true);
		for (const { operations } of resources)
			expect(isSorted(operations.map(({ name }) => name))).toBe(true);
		for (const property of description.properties) {
			if (!['options', 'multiOptions', 'collection'].includes(property.type)) continue;
			const names = (property.options ?? []).map((option) =>
				'displayName' in option ? option.displayName : option.name,
			);
			expect([property.name, isSorted(names)]).toEqual([property.name, true]);
		}
	});

	it('begin with "Whether" for a switch and with "e.g." for an example, and explain every field', () => {
		const unclear = everyOperation.flatMap(([name, , operation]) => {
			const inner = operation.fields.flatMap(({ type, options = [] }) =>
				type === 'collection' ? (options as Field[]) : [],
			);
			return [...fieldsOf(operation), ...inner]
				.filter(({ type, description: told, placeholder, typeOptions }) => {
					const isAdding =
						['collection', 'fixedCollection'].includes(type) && /^Add /.test(placeholder ?? '');
					const placed =
						placeholder === undefined ||
						/^e\.g\. /.test(placeholder) ||
						isAdding ||
						typeOptions?.password;
					return !told || !placed || (type === 'boolean' && !told.startsWith('Whether '));
				})
				.map((field) => `${name}: ${field.name}`);
		});
		expect(unclear).toEqual([]);
	});
});
