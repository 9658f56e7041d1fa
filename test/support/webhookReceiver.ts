import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGunzip } from 'node:zlib';
import { WebhookContext } from 'n8n-core';
import {
	resolveWebhookDescriptionField,
	type INode,
	type INodeExecutionData,
	type IRun,
	type IRunExecutionData,
	type IWebhookData,
	type IWebhookResponseData,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { execute, type BuiltWorkflow, type Engine, type TestWorkflow } from './engine';

const PAYLOAD_LIMIT = 16 * 1024 * 1024;
const PARSED_TYPES = ['application/json', 'text/plain', 'application/x-www-form-urlencoded'];

export interface ReceiverOptions {
	/** Whether deliveries come to the editor's test URL. */
	test?: boolean;
	/** Runs before an execution counts as started; reject to make n8n answer 500, wait to make it slow. */
	beforeStart?(items: INodeExecutionData[]): Promise<void>;
	/** Runs before n8n learns that an execution has ended: wait to make it long, reject to make it fail. */
	beforeEnd?(items: INodeExecutionData[]): Promise<void>;
}

/** A port that does with deliveries what n8n's webhook endpoint does. */
export interface WebhookReceiver {
	/** Address of the trigger: what n8n would register and what deliveries are sent to. */
	url: string;
	built: BuiltWorkflow;
	/** The items each started execution began with, in the order of the starts. */
	executions: INodeExecutionData[][];
	/** n8n's answers to the deliveries that the trigger was given, in the order in which it was, ended or not. */
	answers: ServerResponse[];
	/** Resolves with the finished runs of everything started so far. */
	runs(): Promise<IRun[]>;
	/** What no trigger may do: throw, write static data with a delivery that starts an execution, or respond at two times. */
	violations: string[];
	stop(): Promise<void>;
}

/** n8n's own reader fills these in; n8n-workflow declares the rest on `IncomingMessage`. */
export type N8nRequest = IncomingMessage & { body?: unknown; params?: object; query?: object };

export interface N8nResponse extends ServerResponse {
	status(code: number): N8nResponse;
	json(body: unknown): N8nResponse;
	send(body: string): N8nResponse;
	locals: object;
}

/** See `Engine.receive`. */
export async function receiveWebhooks(
	engine: Engine,
	definition: TestWorkflow,
	options: ReceiverOptions,
): Promise<WebhookReceiver> {
	const staticData = definition.staticData ?? {};
	const executions: INodeExecutionData[][] = [];
	const answers: ServerResponse[] = [];
	const running: Array<Promise<IRun>> = [];
	const violations: string[] = [];

	const { origin, stop } = await serveLikeN8n(answer);
	const urls = { production: `${origin}/webhook`, test: `${origin}/webhook-test` };
	// n8n builds the workflow anew for each delivery; only the static data lives on.
	const rebuild = () => engine.build({ ...definition, staticData }, urls);
	const built = rebuild();
	const trigger = built.node();
	const url = addressOf(engine, trigger, built, options.test ? urls.test : urls.production);

	async function answer(request: N8nRequest, response: N8nResponse): Promise<void> {
		if (request.method !== 'POST' || request.url?.split('?')[0] !== new URL(url).pathname) {
			response.status(404).json({ message: 'The requested webhook is not registered.' });
			return;
		}

		const mode = options.test ? 'manual' : 'webhook';
		let result: IWebhookResponseData;
		try {
			answers.push(response);
			const own = rebuild();
			result = await callWebhook(engine, own, own.node(), request, response, { mode });
		} catch (error) {
			violations.push(`threw ${String(error)}`);
			response
				.status(500)
				.json({ message: 'Workflow Webhook Error: Workflow could not be started!' });
			return;
		}

		// n8n saves what was written only with a delivery that starts nothing.
		const wrote = '__dataChanged' in staticData && staticData.__dataChanged;
		if (wrote && result.workflowData !== undefined)
			violations.push('wrote static data that is lost');

		if (result.workflowData === undefined) {
			if (result.noWebhookResponse !== true) {
				respond(response, result.webhookResponse ?? { message: 'Webhook call received' });
			}
			return;
		}

		const [items] = result.workflowData;
		try {
			await options.beforeStart?.(items);
		} catch {
			response.status(500).json({ message: 'There was a problem executing the workflow' });
			return;
		}

		executions.push(items);
		const second = rebuild();
		const run = execute(second, second.node(), items, mode);
		running.push(run);

		const { read, resolved } = readResponseMode(engine, second);
		if (read !== resolved)
			violations.push(`responds ${String(resolved)}, and as expression ${String(read)}`);
		if (resolved === 'onReceived') {
			respond(response, result.webhookResponse ?? { message: 'Workflow was started' });
			return;
		}

		try {
			const { data } = await run;
			await options.beforeEnd?.(items);
			if (data.resultData.error) throw data.resultData.error;
			const { responseData } = engine.nodeType(trigger.type).description.webhooks![0];
			respond(response, responseData === 'noData' ? '' : {});
		} catch {
			response.status(500).json({ message: 'Error in workflow' });
		}
	}

	return {
		url,
		built,
		executions,
		answers,
		violations,
		runs: async () => await Promise.all(running),
		stop,
	};
}

/** A server that reads requests as n8n does, and answers by itself what n8n cannot read. */
export async function serveLikeN8n(
	answer: (request: N8nRequest, response: N8nResponse) => Promise<void>,
): Promise<{ origin: string; server: Server; stop(): Promise<void> }> {
	const server = createServer((request, plain) => {
		const response = decorate(plain);
		parseBody(request).then(
			async () => await answer(request, response),
			({ status = 500 }: { status?: number }) =>
				response.status(status).json({ message: 'Not parsed' }),
		);
	});

	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

	const stop = async () => {
		server.closeAllConnections();
		await new Promise((resolve) => void server.close(resolve));
	};

	return { origin, server, stop };
}

/** Gives a request to a node. `runData` is that of the execution that it is to resume. */
export async function callWebhook(
	engine: Engine,
	{ workflow, additionalData }: BuiltWorkflow,
	node: INode,
	httpRequest: N8nRequest,
	httpResponse: N8nResponse,
	{
		mode = 'webhook',
		runData = null,
	}: { mode?: WorkflowExecuteMode; runData?: IRunExecutionData | null },
): Promise<IWebhookResponseData> {
	const context = new WebhookContext(
		workflow,
		node,
		{ ...additionalData, httpRequest, httpResponse } as IWorkflowExecuteAdditionalData,
		mode,
		{ isTest: mode === 'manual' } as IWebhookData,
		[],
		runData,
	);
	return (await engine.nodeType(node.type).webhook!.call(context)) as IWebhookResponseData;
}

function addressOf(engine: Engine, node: INode, { workflow }: BuiltWorkflow, base: string): string {
	const path = engine.nodeType(node.type).description.webhooks?.[0].path;
	const prefix = node.webhookId ?? `${workflow.id}/${encodeURIComponent(node.name.toLowerCase())}`;
	return `${base}/${prefix}/${path}`;
}

/** When n8n responds: as an expression says, and as n8n resolves it if no parameter has an expression. */
function readResponseMode(engine: Engine, { workflow, node: find }: BuiltWorkflow) {
	const node = find();
	const [description] = engine.nodeType(node.type).description.webhooks!;
	const { responseMode } = description;
	const read = workflow.expression.getSimpleParameterValue(node, responseMode, 'webhook', {});
	const native = resolveWebhookDescriptionField(node, description, 'responseMode');
	return { read, resolved: native.resolved ? native.value : read };
}

function decorate(response: ServerResponse): N8nResponse {
	return Object.assign(response, {
		locals: {},
		status(this: N8nResponse, code: number) {
			this.statusCode = code;
			return this;
		},
		json(this: N8nResponse, body: unknown) {
			this.setHeader('content-type', 'application/json; charset=utf-8');
			return this.end(JSON.stringify(body));
		},
		send(this: N8nResponse, body: string) {
			return this.end(body);
		},
	}) as N8nResponse;
}

function respond(response: N8nResponse, body: unknown): void {
	if (typeof body === 'string') response.status(200).send(body);
	else response.status(200).json(body);
}

async function parseBody(request: N8nRequest): Promise<void> {
	request.params = {};
	request.query = Object.fromEntries(new URL(request.url!, 'http://n8n').searchParams);
	request.contentType = request.headers['content-type']?.split(';')[0].trim().toLowerCase();
	request.readRawBody = async () => {
		if (!request.rawBody) request.rawBody = await readAll(request);
	};

	const parsed = PARSED_TYPES.some((type) => request.contentType?.startsWith(type));
	if (!parsed) return;

	await request.readRawBody();
	if (request.contentType !== 'application/json' || !request.rawBody?.length) return;
	try {
		request.body = JSON.parse(request.rawBody.toString().replace(/^\uFEFF/, ''));
	} catch {
		throw Object.assign(new Error('not JSON'), { status: 422 });
	}
}

async function readAll(request: N8nRequest): Promise<Buffer> {
	if (Number(request.headers['content-length']) > PAYLOAD_LIMIT) throw new Error('too large');
	const encoding = request.headers['content-encoding'];
	const stream = encoding === 'gzip' ? request.pipe(createGunzip()) : request;
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of stream) {
		size += (chunk as Buffer).length;
		if (size > PAYLOAD_LIMIT) throw new Error('too large');
		chunks.push(chunk as Buffer);
	}
	return Buffer.concat(chunks);
}
