import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NodeHelpers, type INode, type INodeParameters, type INodeProperties } from 'n8n-workflow';
import type { WorkflowDraft } from '../../host/api';
import { projectFolder } from '../../host/places';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayTrigger } from '../../nodes/MessagingGateway/MessagingGatewayTrigger.node';

// What decides how an example runs, and what n8n does not name when it is wrong: an unknown key, field or column is empty.

const folder = join(projectFolder, 'examples');
const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
const types = [new MessagingGateway(), new MessagingGatewayTrigger()];
/** n8n's own of every table. */
const COLUMNS_OF_N8N = ['id', 'createdAt', 'updatedAt'];

const received = ['MESSAGE.RECEIVED'];
const people = { chatTypes: ['person'] };
const inTurns = {
	combineMessages: { values: { quietSeconds: 4, maxWaitSeconds: 30 } },
	oneTurnAtATime: { values: { maxTurnMinutes: 5 } },
};

/** For what each example starts, typed again by hand: with another option it runs, but for other messages. */
const STARTS: Record<string, Array<{ events: string[]; options: object }>> = {
	'ai-agent.json': [{ events: received, options: { ...people, ...inTurns } }],
	'answer-when-done.json': [{ events: received, options: { confirmWhen: 'succeeded' } }],
	'automatic-reply.json': [{ events: received, options: people }],
	'claim-before-sending.json': [{ events: received, options: { confirmWhen: 'succeeded' } }],
	'connection-watch.json': [{ events: ['CONNECTION.UPDATED'], options: {} }],
	'delivery-tracking.json': [
		{
			events: ['MESSAGE.SENT', 'MESSAGE.STATUS_UPDATED'],
			options: { ignoreOutdatedStatuses: true },
		},
	],
	'front-desk.json': [
		{ events: received, options: { ...people, ...inTurns, ignoreAnswers: true } },
		{ events: [...received, 'MESSAGE.SENT'], options: { ...people, confirmWhen: 'succeeded' } },
	],
	'group-welcome.json': [{ events: received, options: { chatTypes: ['group'] } }],
	'human-takeover.json': [{ events: [...received, 'MESSAGE.SENT'], options: people }],
	'one-bot-many-shops.json': [{ events: received, options: people }],
	'reviewed-agent.json': [{ events: received, options: { ...people, ignoreAnswers: true } }],
	'strict-once-only.json': [{ events: received, options: {} }],
};

/** How nodes differ from n8n's defaults in what follows them, typed again by hand. */
const SWITCHES: Record<string, string[]> = {
	'ai-agent.json': ['Show Typing: continueRegularOutput'],
	'answer-when-done.json': ['Answer: continueErrorOutput'],
	'bulk-send.json': [
		'Check Number: continueErrorOutput',
		'Send Message: retryOnFail',
		'Send Message: continueErrorOutput',
	],
	'connection-watch.json': ['Send Alarm: retryOnFail'],
	'front-desk.json': [
		'Look Up Chat: alwaysOutputData',
		'Fetch File: continueRegularOutput',
		'Transcribe: continueRegularOutput',
		'AI Agent: executeOnce',
		'AI Agent: continueErrorOutput',
	],
	'human-takeover.json': ['Look Up Chat: alwaysOutputData', 'Forget Old Messages: executeOnce'],
	'one-bot-many-shops.json': ['My Numbers: executeOnce'],
};

const kindOf = ({ type }: INode) => type.split('.').at(-1) ?? '';
const isTrigger = (node: INode) => /Trigger$/.test(kindOf(node));

/** Our description of a node of ours; as a tool it is the same with a few fields more. */
function findDescription(node: INode) {
	const name = kindOf(node).replace(/(Hitl)?Tool$/, '');
	return types.map(({ description }) => description).find((each) => each.name === name);
}

/** Each parameter that n8n would show for what the node does, by name. */
function shownFor(node: INode): Map<string, INodeProperties> {
	const description = findDescription(node);
	if (description === undefined) return new Map();
	const shown = description.properties.filter((property) =>
		NodeHelpers.displayParameter(node.parameters, property, node, description),
	);
	return new Map(shown.map((property) => [property.name, property]));
}

/** What of a parameter's value nobody could choose in the editor. */
function findUnknown(path: string, value: unknown, property?: INodeProperties): string[] {
	if (property === undefined) return [path];
	const { type, options = [] } = property;
	if (type === 'collection')
		return Object.entries(value as INodeParameters).flatMap(([name, inner]) =>
			findUnknown(
				`${path}.${name}`,
				inner,
				(options as INodeProperties[]).find((option) => option.name === name),
			),
		);
	if (type === 'fixedCollection')
		return Object.entries(value as INodeParameters).flatMap(([name, inner]) => {
			const group = options.find((option) => option.name === name);
			const fields = group !== undefined && 'values' in group ? group.values : [];
			return [inner].flat().flatMap((row) =>
				Object.entries(row as INodeParameters).flatMap(([field, held]) =>
					findUnknown(
						`${path}.${name}.${field}`,
						held,
						fields.find((each) => each.name === field),
					),
				),
			);
		});
	if (type === 'resourceLocator') {
		const { mode, __rl } = value as { mode: string; __rl: boolean };
		const isKnown = __rl && property.modes?.some(({ name }) => name === mode);
		return isKnown ? [] : [`${path}: ${mode}`];
	}
	if ((type !== 'options' && type !== 'multiOptions') || property.typeOptions?.loadOptionsMethod)
		return [];
	const offered = options.map((option) => 'value' in option && option.value);
	return [value]
		.flat()
		.filter((each) => !offered.includes(each as string) && !String(each).startsWith('='))
		.map((each) => `${path}: ${String(each)}`);
}

/** The fields of events of these types, as the trigger puts them out. */
function fieldsOf(node: INode): Set<string> {
	const { output, events, options } = node.parameters as INodeParameters & { events: string[] };
	const gathers = ['combineMessages', 'oneTurnAtATime'].some((name) => name in (options as object));
	const previews = events.map((event) =>
		readFileSync(
			join(
				projectFolder,
				'nodes/MessagingGateway/__schema__/v2.0.0',
				String(output),
				`${event}.json`,
			),
			'utf8',
		),
	);
	return new Set([
		...previews.flatMap((text) =>
			Object.keys((JSON.parse(text) as INodeParameters).properties ?? {}),
		),
		...(gathers ? ['messages'] : []),
	]);
}

/** The columns of each table that an example makes, by the table's name. */
function tablesOf(nodes: INode[]): Map<string, Set<string>> {
	const tables = new Map<string, Set<string>>();
	for (const { parameters } of nodes) {
		if (parameters.resource !== 'table' || parameters.operation !== 'create') continue;
		const { column } = parameters.columns as { column: Array<{ name: string; type: string }> };
		for (const { type } of column) expect(['date', 'number', 'string']).toContain(type);
		tables.set(String(parameters.tableName), new Set(column.map(({ name }) => name)));
	}
	return tables;
}

interface Rows {
	filters?: { conditions: Array<{ keyName: string }> };
	columns?: { value: Record<string, unknown>; schema: Array<{ id: string }> };
	dataTableId?: { __rl: boolean; mode: string; value: string };
}

/** What each operation on rows cannot do without: else it does it with all rows, or with none. */
const NEEDED: Record<string, Array<keyof Rows>> = {
	deleteRows: ['filters'],
	get: ['filters'],
	insert: ['columns'],
	rowNotExists: ['filters'],
	update: ['filters', 'columns'],
	upsert: ['filters', 'columns'],
};

/** n8n's own nodes in the examples. One that n8n does not know is a question mark on the canvas. */
const NODES_OF_N8N = [
	'@n8n/n8n-nodes-langchain.agent',
	'@n8n/n8n-nodes-langchain.lmChatOpenAi',
	'@n8n/n8n-nodes-langchain.memoryBufferWindow',
	'@n8n/n8n-nodes-langchain.openAi',
	'@n8n/n8n-nodes-langchain.toolCode',
	'n8n-nodes-base.dataTable',
	'n8n-nodes-base.dataTableTool',
	'n8n-nodes-base.emailSend',
	'n8n-nodes-base.filter',
	'n8n-nodes-base.formTrigger',
	'n8n-nodes-base.if',
	'n8n-nodes-base.manualTrigger',
	'n8n-nodes-base.merge',
	'n8n-nodes-base.noOp',
	'n8n-nodes-base.redis',
	'n8n-nodes-base.removeDuplicates',
	'n8n-nodes-base.set',
	'n8n-nodes-base.splitOut',
	'n8n-nodes-base.stickyNote',
	'n8n-nodes-base.stopAndError',
	'n8n-nodes-base.switch',
	'n8n-nodes-base.wait',
];

interface Conditions {
	options: object;
	combinator: string;
	conditions: object[];
}

/** The conditions of a node that lets items through, or sends them one way or the other. */
function conditionsOf({ parameters }: INode): Conditions[] {
	const { rules, conditions } = parameters as unknown as {
		rules?: { values: Array<{ conditions: Conditions }> };
		conditions: Conditions;
	};
	return rules?.values.map((rule) => rule.conditions) ?? [conditions];
}

/** How many main outputs a node has. */
function countOutputs(node: INode): number {
	const own = () => {
		if (kindOf(node) === 'if') return 2;
		if (kindOf(node) !== 'switch') return 1;
		const { rules, options } = node.parameters as {
			rules: { values: object[] };
			options: { fallbackOutput?: string };
		};
		return rules.values.length + (options.fallbackOutput === 'extra' ? 1 : 0);
	};
	return own() + (node.onError === 'continueErrorOutput' ? 1 : 0);
}

describe.each(files)('the example %s', (file) => {
	const { nodes, connections, settings } = JSON.parse(
		readFileSync(join(folder, file), 'utf8'),
	) as WorkflowDraft;
	const working = nodes.filter((node) => kindOf(node) !== 'stickyNote');

	it('sets only what our nodes have, to what they offer', () => {
		const unknown = working.flatMap((node) => {
			const shown = shownFor(node);
			if (shown.size === 0) return [];
			return Object.entries(node.parameters).flatMap(([name, value]) =>
				findUnknown(`${node.name}: ${name}`, value, shown.get(name)),
			);
		});
		expect(unknown).toEqual([]);
	});

	it('has only nodes that there are', () => {
		const ours = types.map(({ description }) => description);
		for (const node of nodes) {
			if (!node.type.startsWith('n8n-nodes-messaging-gateway.')) {
				expect(NODES_OF_N8N).toContain(node.type);
				continue;
			}
			const description = findDescription(node);
			expect(ours).toContain(description);
			expect([description?.version].flat()).toContain(node.typeVersion);
		}
	});

	it('decides by conditions that n8n can read', () => {
		const deciding = working.filter((node) => ['if', 'filter', 'switch'].includes(kindOf(node)));
		for (const { options, combinator, conditions } of deciding.flatMap(conditionsOf)) {
			expect(options).toMatchObject({ caseSensitive: expect.any(Boolean), version: 2 });
			expect(combinator).toMatch(/^(and|or)$/);
			for (const condition of conditions)
				expect(condition).toEqual({
					id: expect.any(String),
					leftValue: expect.stringMatching(/^=\{\{ .+ \}\}$/),
					rightValue: expect.anything(),
					operator: expect.objectContaining({
						type: expect.stringMatching(/^(boolean|dateTime|number|string)$/),
						operation: expect.any(String),
					}),
				});
		}
	});

	it('reads only fields that events of its trigger have', () => {
		const absent = working.flatMap((trigger) => {
			if (kindOf(trigger) !== 'messagingGatewayTrigger') return [];
			const fields = fieldsOf(trigger);
			const after = (connections[trigger.name].main[0] ?? []).map(({ node }) => node);
			const text = JSON.stringify(nodes.map(({ parameters }) => parameters));
			const direct = nodes.filter(({ name }) => after.includes(name));
			return [
				...text.matchAll(/\$\('([^']+)'\)\.(?:item|first\(\))\.json\.(\w+)/g),
				...JSON.stringify(direct.map(({ parameters }) => parameters)).matchAll(/(\$json)\.(\w+)/g),
			]
				.filter(([, from]) => from === trigger.name || from === '$json')
				.map(([, , field]) => field)
				.filter((field) => !fields.has(field));
		});
		expect(absent).toEqual([]);
	});

	it('works with no table and no column that it does not make', () => {
		const tables = tablesOf(nodes);
		const wrong = working.flatMap(({ name, parameters }) => {
			const { filters, columns, dataTableId } = parameters as Rows;
			if (parameters.resource !== 'row') return [];
			expect(dataTableId).toMatchObject({ __rl: true, mode: 'name' });
			expect(parameters).toMatchObject(
				Object.fromEntries(
					(NEEDED[String(parameters.operation)] ?? ['none']).map((key) => [key, expect.anything()]),
				),
			);
			if (dataTableId === undefined) return [];
			const made = tables.get(dataTableId.value);
			if (made === undefined) return [`${name}: ${dataTableId.value}`];
			const written = Object.keys(columns?.value ?? {});
			const known = [...made, ...COLUMNS_OF_N8N];
			expect(columns?.schema.map(({ id }) => id) ?? []).toEqual(written);
			return [...(filters?.conditions ?? []).map(({ keyName }) => keyName), ...written]
				.filter((column) => !known.includes(column))
				.map((column) => `${name}: ${column}`);
		});
		expect(wrong).toEqual([]);
	});

	it('leads to each of its nodes, and from each way out of a choice', () => {
		const links = Object.entries(connections).flatMap(([from, kinds]) =>
			Object.entries(kinds).flatMap(([kind, outputs]) =>
				outputs.flatMap((output, index) =>
					(output ?? []).map((end) => ({ from, kind, index, to: end.node, end })),
				),
			),
		);
		const isUsed = (node: INode) =>
			links.some(({ from, to, kind }) => (kind === 'main' ? to === node.name : from === node.name));
		expect(working.filter((node) => !isTrigger(node) && !isUsed(node))).toEqual([]);
		for (const { kind, to, end } of links) {
			const { numberInputs = 1 } = nodes.find(({ name }) => name === to)?.parameters ?? {};
			expect(end).toEqual({ node: to, type: kind, index: expect.any(Number) });
			expect(end.index).toBeLessThan(Number(numberInputs));
		}
		for (const node of working) {
			const used = links.filter(({ from, kind }) => from === node.name && kind === 'main');
			const outputs = new Set(used.map(({ index }) => index));
			const all = countOutputs(node);
			expect([...outputs].filter((index) => index >= all)).toEqual([]);
			if (node.onError === 'continueErrorOutput') expect(outputs).toContain(all - 1);
			if (kindOf(node) === 'switch') expect(outputs.size).toBe(all);
		}
	});

	it('runs in the order of its lines', () => {
		expect(settings).toMatchObject({ executionOrder: 'v1' });
	});

	it('makes a table without harm if it is there, or is just being made', () => {
		const byHand = working
			.filter((node) => kindOf(node) === 'manualTrigger')
			.flatMap(({ name }) => (connections[name].main[0] ?? []).map(({ node }) => node));
		for (const table of working.filter(({ parameters }) => parameters.resource === 'table')) {
			expect(table.parameters.options).toMatchObject({ createIfNotExists: true });
			if (!byHand.includes(table.name)) expect(table).toMatchObject({ retryOnFail: true });
		}
	});

	it('starts for what its notes say', () => {
		const triggers = working.filter((node) => kindOf(node) === 'messagingGatewayTrigger');
		expect(triggers.map(({ parameters: { events, options } }) => ({ events, options }))).toEqual(
			STARTS[file] ?? [],
		);
	});

	it('goes on as its notes say: after a failure, without a row, once for all items', () => {
		const switches = working
			.filter(({ parameters }) => parameters.resource !== 'table')
			.flatMap(({ name, alwaysOutputData, executeOnce, retryOnFail, onError }) =>
				Object.entries({ alwaysOutputData, executeOnce, retryOnFail, onError })
					.filter(([, value]) => value !== undefined)
					.map(([key, value]) => `${name}: ${value === true ? key : String(value)}`),
			);
		expect(switches).toEqual(SWITCHES[file] ?? []);
	});
});
