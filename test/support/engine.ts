import {
	ExecutionLifecycleHooks,
	HookContext,
	PackageDirectoryLoader,
	TriggerContext,
	WorkflowExecute,
} from 'n8n-core';
import {
	createRunExecutionData,
	NodeConnectionTypes,
	NodeHelpers,
	Workflow,
	type ExecutionError,
	type IBinaryKeyData,
	type IConnections,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IExecuteContextData,
	type INode,
	type INodeExecutionData,
	type INodeType,
	type INodeTypes,
	type IRun,
	type ITriggerFunctions,
	type IVersionedNodeType,
	type IWebhookData,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
	type NodeParameterValueType,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { projectFolder } from '../../lab/host/places';
import { CredentialVault } from './credentialVault';
import { testNodes } from './testNodes';
import { receiveWebhooks, type ReceiverOptions, type WebhookReceiver } from './webhookReceiver';

/** Decrypted credential data by credential type name, for example `{ messagingGatewayAccountApi: {…} }`. */
export type TestCredentials = Record<string, ICredentialDataDecryptedObject>;

/** A node of a test workflow; everything but its type has a sensible default. */
export interface TestNode {
	/** Short name of a node of this package (`messagingGateway`, as a tool `…Tool`, as a reviewer `…HitlTool`), or `test.pass`. */
	type: string;
	name?: string;
	id?: string;
	typeVersion?: number;
	parameters?: Record<string, NodeParameterValueType>;
	webhookId?: string;
	onError?: INode['onError'];
	retryOnFail?: boolean;
	maxTries?: number;
	waitBetweenTries?: number;
}

export interface TestWorkflow {
	nodes: TestNode[];
	/** Left out: the nodes form a chain in the order given. */
	connections?: IConnections;
	credentials?: TestCredentials;
	/** The workflow's whole static data; hooks write into this very object. */
	staticData?: IDataObject;
	/** Called after each try of each node. What n8n does next waits for it. */
	afterTry?(nodeName: string): Promise<void> | void;
	id?: string;
}

interface RunOptions extends TestWorkflow {
	/** Input of the first node; a single empty item when left out. */
	items?: IDataObject[];
	/** The files of the items, by index. */
	files?: IBinaryKeyData[];
}

interface HookOptions {
	/** Whether the editor listens for a test event, instead of the workflow being published. */
	test?: boolean;
	mode?: WorkflowExecuteMode;
	activation?: WorkflowActivateMode;
}

export interface BuiltWorkflow {
	workflow: Workflow;
	additionalData: IWorkflowExecuteAdditionalData;
	staticData: IDataObject;
	node(name?: string): INode;
}

export interface Engine {
	/** The class instance that n8n would run. */
	nodeType(type: string): INodeType;
	build(definition: TestWorkflow, urls?: WebhookUrls): BuiltWorkflow;
	/** Runs a workflow to its end and returns n8n's own record of the run. */
	run(options: RunOptions): Promise<IRun>;
	/** Calls one of `checkExists`, `create` and `delete` as n8n does when a workflow is published or unpublished. */
	hook(
		method: 'checkExists' | 'create' | 'delete',
		built: BuiltWorkflow,
		options?: HookOptions,
	): Promise<boolean>;
	/** What n8n does on publishing; a failed creation is followed by a deletion. */
	publish(built: BuiltWorkflow, options?: HookOptions): Promise<void>;
	/** Switches a trigger on as n8n does when a workflow is published, and at every start. */
	trigger(built: BuiltWorkflow, options?: HookOptions): Promise<RunningTrigger>;
	/** Opens a port that treats deliveries to the workflow's trigger as n8n's webhook endpoint does. */
	receive(definition: TestWorkflow, options?: ReceiverOptions): Promise<WebhookReceiver>;
}

/** A trigger that is switched on. */
export interface RunningTrigger {
	/** The errors of the executions that it has started by itself. */
	failures: ExecutionError[];
	/** Switches it off, as n8n does when the workflow is unpublished, and at its own end. */
	close(): Promise<void>;
}

interface WebhookUrls {
	production: string;
	test: string;
}

const DEFAULT_URLS: WebhookUrls = {
	production: 'https://n8n.example.com/webhook',
	// As N8N_ENDPOINT_WEBHOOK_TEST can name it.
	test: 'https://n8n.example.com/tried',
};

/** Output items of one node in its last run, by output index; empty when the node did not run. */
export function outputOf(run: IRun, nodeName: string, output = 0): INodeExecutionData[] {
	return run.data.resultData.runData[nodeName]?.at(-1)?.data?.main[output] ?? [];
}

/** Loads the package the way n8n does, but its sources, which jest compiles. Once for a test file. */
export async function loadEngine(): Promise<Engine> {
	const loader = new PackageDirectoryLoader(projectFolder);
	const { nodes = [], credentials = [] } = loader.packageJson.n8n ?? {};
	const toSource = (path: string) => path.replace(/^dist\/(.*)\.js$/, '$1.ts');
	loader.packageJson.n8n = {
		nodes: nodes.map(toSource),
		credentials: credentials.map(toSource),
	};
	await loader.loadAll();

	const find = (type: string): INodeType | IVersionedNodeType => {
		const { name, isTool } = readTypeName(type);
		const found = testNodes[type] ?? loader.getNode(name).type;
		return isTool ? toTool(found as INodeType) : found;
	};
	const nodeTypes: INodeTypes = {
		getByName: find,
		getByNameAndVersion: (type, version) => NodeHelpers.getVersionedNodeType(find(type), version),
		getKnownTypes: () => ({}),
	};
	const engine: Engine = {
		nodeType: (type) => nodeTypes.getByNameAndVersion(type),
		build: (definition, urls = DEFAULT_URLS) => buildWorkflow(definition, urls, loader, nodeTypes),
		run: async (options) => {
			const built = engine.build(options);
			const { items: given = [{}], files = [] } = options;
			const items = given.map((json, index) => ({ json, binary: files[index] }));
			return await execute(built, built.node(), items, 'manual');
		},
		hook: async (method, built, options = {}) => await callHook(engine, method, built, options),
		async publish(built, options) {
			if (await engine.hook('checkExists', built, options)) return;
			try {
				await engine.hook('create', built, options);
			} catch (error) {
				await engine.hook('delete', built, options).catch(() => {});
				throw error;
			}
		},
		trigger: async (built, options = {}) => await switchOn(engine, built, options),
		receive: async (definition, options = {}) => await receiveWebhooks(engine, definition, options),
	};
	return engine;
}

function readTypeName(type: string): { name: string; isTool: boolean } {
	const name = type.split('.').at(-1) ?? type;
	const plain = name.replace(/(?:Hitl)?Tool$/, '');
	return { name: plain, isTool: plain !== name };
}

/** The same node with the connections of a tool, as n8n derives it where `usableAsTool` is set. */
function toTool(node: INodeType): INodeType {
	const tool = Object.create(node) as INodeType;
	tool.description = {
		...node.description,
		name: `${node.description.name}Tool`,
		inputs: [],
		outputs: [NodeConnectionTypes.AiTool],
	};
	return tool;
}

/**
 * Starts an execution with the items already at hand, as n8n does after a trigger fired.
 * @param contextData what the execution before it has kept, if a person retries it
 */
export function start(
	{ workflow, additionalData }: BuiltWorkflow,
	node: INode,
	items: INodeExecutionData[],
	mode: WorkflowExecuteMode,
	contextData?: IExecuteContextData,
): ReturnType<WorkflowExecute['processRunExecutionData']> {
	const ownData = { ...additionalData };
	ownData.hooks = new ExecutionLifecycleHooks(mode, '1', describeWorkflow(workflow));
	const runExecutionData = createRunExecutionData({
		executionData: {
			contextData,
			nodeExecutionStack: [{ node, data: { main: [items] }, source: null }],
		},
	});
	return new WorkflowExecute(ownData, mode, runExecutionData).processRunExecutionData(workflow);
}

/** The same, to its end. */
export const execute = async (...given: Parameters<typeof start>): Promise<IRun> =>
	await start(...given);

function buildWorkflow(
	definition: TestWorkflow,
	urls: WebhookUrls,
	loader: PackageDirectoryLoader,
	nodeTypes: INodeTypes,
): BuiltWorkflow {
	const credentials = definition.credentials ?? {};
	const nodes = definition.nodes.map((node) => completeNode(node, nodeTypes, credentials));
	const staticData = definition.staticData ?? {};
	const workflow = new Workflow({
		id: definition.id ?? 'workflow-1',
		name: 'Test workflow',
		nodes,
		connections: definition.connections ?? chain(nodes),
		active: true,
		nodeTypes: definition.afterTry ? watchTries(nodeTypes, definition.afterTry) : nodeTypes,
		staticData,
		settings: { executionOrder: 'v1' },
	});

	const additionalData = {
		credentialsHelper: new CredentialVault(loader, credentials),
		executionId: '1',
		restApiUrl: 'https://n8n.example.com/rest',
		instanceBaseUrl: 'https://n8n.example.com/',
		webhookBaseUrl: urls.production,
		webhookTestBaseUrl: urls.test,
		webhookWaitingBaseUrl: 'https://n8n.example.com/webhook-waiting',
		formBaseUrl: 'https://n8n.example.com/form',
		formWaitingBaseUrl: 'https://n8n.example.com/form-waiting',
		variables: {},
		currentNodeExecutionIndex: 0,
	} as unknown as IWorkflowExecuteAdditionalData;

	const node = (name = nodes[0].name): INode => {
		const found = workflow.getNode(name);
		if (!found) throw new Error(`No node is called ${name}`);
		return found;
	};

	return { workflow, additionalData, staticData, node };
}

/** The same node types, telling of the end of each of their tries. */
function watchTries(
	nodeTypes: INodeTypes,
	afterTry: NonNullable<TestWorkflow['afterTry']>,
): INodeTypes {
	return {
		...nodeTypes,
		getByNameAndVersion: (name, version) => {
			const type = nodeTypes.getByNameAndVersion(name, version);

			const watched: INodeType['execute'] = async function (...args) {
				try {
					return (await type.execute?.apply(this, args)) ?? null;
				} finally {
					await afterTry(this.getNode().name);
				}
			};

			if (type.execute === undefined) return type;
			return Object.assign(Object.create(type) as INodeType, { execute: watched });
		},
	};
}

function completeNode(node: TestNode, nodeTypes: INodeTypes, credentials: TestCredentials): INode {
	const { description } = nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	const { defaultVersion, version, displayName } = description;
	const wanted = (description.credentials ?? []).filter(({ name }) => name in credentials);
	return {
		...node,
		id: node.id ?? `id of ${node.name ?? displayName}`,
		name: node.name ?? displayName,
		typeVersion: node.typeVersion ?? defaultVersion ?? [version].flat().at(-1) ?? 1,
		position: [0, 0],
		parameters: node.parameters ?? {},
		credentials: Object.fromEntries(wanted.map(({ name }) => [name, { id: name, name }])),
	};
}

function chain(nodes: INode[]): IConnections {
	const connections: IConnections = {};
	nodes.slice(1).forEach((node, index) => {
		connections[nodes[index].name] = {
			main: [[{ node: node.name, type: NodeConnectionTypes.Main, index: 0 }]],
		};
	});
	return connections;
}

async function switchOn(
	engine: Engine,
	built: BuiltWorkflow,
	{ mode = 'trigger', activation = 'activate' }: HookOptions,
): Promise<RunningTrigger> {
	const { workflow, additionalData } = built;
	const owner = built.node();
	const failures: ExecutionError[] = [];

	const emit: ITriggerFunctions['emit'] = ([items]) =>
		void execute(built, owner, items, mode).then(({ data }) => {
			if (data.resultData.error) failures.push(data.resultData.error);
		});

	const context = new TriggerContext(workflow, owner, additionalData, mode, activation, emit);
	const response = await engine.nodeType(owner.type).trigger?.call(context);
	return { failures, close: async () => await response?.closeFunction?.() };
}

async function callHook(
	engine: Engine,
	method: 'checkExists' | 'create' | 'delete',
	{ workflow, additionalData, node }: BuiltWorkflow,
	{ test = false, mode, activation }: HookOptions,
): Promise<boolean> {
	const owner = node();
	const usual = usualHookModes(method, test);
	const context = new HookContext(
		workflow,
		owner,
		additionalData,
		mode ?? usual.mode,
		activation ?? usual.activation,
		{ isTest: test } as IWebhookData,
	);

	const hook = engine.nodeType(owner.type).webhookMethods?.default?.[method];
	if (!hook) throw new Error(`${owner.type} has no ${method}`);
	return await hook.call(context);
}

/** How n8n calls a hook if nothing else is told. */
function usualHookModes(
	method: 'checkExists' | 'create' | 'delete',
	test: boolean,
): { mode: WorkflowExecuteMode; activation: WorkflowActivateMode } {
	if (method === 'delete') return { mode: 'internal', activation: 'update' };
	if (test) return { mode: 'manual', activation: 'manual' };
	return { mode: 'trigger', activation: 'activate' };
}

function describeWorkflow(workflow: Workflow): IWorkflowBase {
	return {
		id: workflow.id,
		name: workflow.name ?? '',
		active: true,
		isArchived: false,
		activeVersionId: null,
		createdAt: new Date(0),
		updatedAt: new Date(0),
		nodes: Object.values(workflow.nodes),
		connections: workflow.connectionsBySourceNode,
	};
}
