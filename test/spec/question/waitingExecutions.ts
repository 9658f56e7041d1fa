import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	IRun,
	IRunExecutionData,
} from 'n8n-workflow';
import { PEOPLE, type Simulator, type WebhookRecord } from '../../../lab/simulator';
import { to } from '../../contract/document';
import { execute, outputOf, type BuiltWorkflow, type TestNode } from '../../support/engine';
import { engine, gateway } from '../../support/engineAndGateway';
import { credentialsOf } from '../../support/runOperation';
import {
	callWebhook,
	serveLikeN8n,
	type N8nRequest,
	type N8nResponse,
} from '../../support/webhookReceiver';

export const ANA = PEOPLE[0].phone!;

/** Its quotes, braces and backslash could end an expression that holds it. */
export const NAME = 'Ask "{{ Ana }}" \\';

/** The files of each item. */
export const FILES = { data: { data: 'QQ==', mimeType: 'text/plain' } };

/** An execution that has asked. */
export interface Asked {
	run: IRun;
	built: BuiltWorkflow;
	/** Text of the message as it was sent. */
	sent: string;
	messageId: string;
	webhook: WebhookRecord;
	/** The item with which the workflow went on; undefined while it waits. */
	answer(): IDataObject | undefined;
	/** What n8n does when the time is up. */
	timeOut(): Promise<INodeExecutionData[]>;
}

interface Waiting {
	built: BuiltWorkflow;
	run: IRun;
	answer?: IDataObject;
	isStopped?: boolean;
}

/** The executions that wait, by ID. They are saved as n8n saves them, as text. */
const waiting = new Map<string, Waiting>();
let count = 0;
let refusing = false;
/** n8n's response, under a path, to a question that is being asked. */
let underPath: { status: number; words: string } | undefined;

let n8n: Awaited<ReturnType<typeof serveLikeN8n>>;

beforeAll(async () => {
	n8n = await serveLikeN8n(receive);
});

afterEach(() => {
	waiting.clear();
	underPath = undefined;
});

afterAll(async () => await n8n.stop());

/** Answers as n8n does under `/webhook-waiting/`. */
async function receive(request: N8nRequest, response: N8nResponse): Promise<void> {
	const id = request.url!.split('/')[2];
	const found = waiting.get(id);
	const answer = (status: number, message: string) =>
		void response.status(status).json({ message });
	if (underPath) return answer(underPath.status, underPath.words);
	if (!found) return answer(404, `The execution "${id}" does not exist.`);
	if (found.isStopped) return answer(409, `The execution "${id}" has finished already.`);
	const isOver = found.answer ?? Number(found.run.waitTill) < Date.now();
	if (isOver) return answer(200, 'No action required');
	const { built, run } = found;
	const runData = JSON.parse(JSON.stringify(run.data)) as IRunExecutionData;
	const node = built.node();
	const result = await callWebhook(engine, built, node, request, response, { runData });
	if (result.workflowData && refusing) {
		refusing = false;
		return answer(500, 'database is locked');
	}
	if (result.workflowData) found.answer = result.workflowData[0][0].json;
	if (!result.noWebhookResponse) response.status(200).json(result.webhookResponse ?? {});
}

/** A workflow whose node asks Ana. */
export function buildAsk(
	parameters: INodeParameters = {},
	node: Partial<TestNode> = {},
	credential: Record<string, string> = {},
	from: Simulator = gateway,
	workflowId = 'workflow',
) {
	const built = engine.build({
		id: workflowId,
		nodes: [
			{
				type: 'messagingGateway',
				name: NAME,
				parameters: {
					resource: 'message',
					operation: 'sendAndWait',
					to: to('phone', ANA),
					message: 'Shall we?',
					...parameters,
				} as never,
				...node,
			},
		],
		credentials: credentialsOf(from, credential),
	});
	const executionId = String(++count);
	Object.assign(built.additionalData, {
		executionId,
		webhookWaitingBaseUrl: `${n8n.origin}${underPath ? '/n8n' : ''}/webhook-waiting`,
	});
	return { built, executionId };
}

/** Runs a workflow that asks. It need not have asked. */
export async function tryToAsk(
	parameters: INodeParameters = {},
	items: IDataObject[] = [{}],
	credential: Record<string, string> = {},
	from: Simulator = gateway,
	workflowId?: string,
): Promise<{ run: IRun; built: BuiltWorkflow; executionId: string }> {
	const { built, executionId } = buildAsk(parameters, {}, credential, from, workflowId);
	const given = items.map((json, item) => ({ json, binary: FILES, pairedItem: item }));
	const run = await execute(built, built.node(), given, 'trigger');
	if (run.waitTill) waiting.set(executionId, { built, run });
	return { run, built, executionId };
}

/** Why nothing was asked: message and description; a space if it was. */
export async function refusal(...asked: Parameters<typeof tryToAsk>): Promise<string> {
	const { error } = (await tryToAsk(...asked)).run.data.resultData;
	const { message = '', description = '' } = (error ?? {}) as Error & { description?: string };
	return `${message} ${description}`;
}

/** Asks, and waits for nothing. */
export async function ask(
	parameters: INodeParameters = {},
	json: IDataObject = {},
	credential: Record<string, string> = {},
	from: Simulator = gateway,
	workflowId?: string,
): Promise<Asked> {
	const { run, built, executionId } = await tryToAsk(
		parameters,
		[json],
		credential,
		from,
		workflowId,
	);
	if (!run.waitTill) throw run.data.resultData.error ?? new Error('Nothing waits');
	const { text: sent = '', messageId } = from.acceptedSends().at(-1)!;
	return {
		run,
		built,
		sent,
		messageId,
		webhook: from.webhooks().find(({ url }) => url.includes(`/${executionId}/`))!,
		answer: () => waiting.get(executionId)?.answer,
		timeOut: async () => {
			const hooks = new ExecutionLifecycleHooks('trigger', executionId, {
				nodes: [],
				connections: {},
			} as never);
			const additionalData = { ...built.additionalData, hooks };
			const execution = new WorkflowExecute(additionalData, 'trigger', run.data);
			return outputOf(await execution.processRunExecutionData(built.workflow), NAME);
		},
	};
}

/** Ends an execution as a person does who stops it. */
export function stop({ built }: Asked): void {
	waiting.get(built.additionalData.executionId!)!.isStopped = true;
}

/** Deletes an execution. */
export const remove = ({ built }: Asked) => waiting.delete(built.additionalData.executionId!);

/** Breaks the next connection to n8n. */
export function breakNext(): void {
	n8n.server.closeAllConnections();
	n8n.server.once('connection', (socket) => socket.destroy());
}

/** Moves n8n under a path until the test ends. */
export function moveUnderPath(status: number, words: string): void {
	underPath = { status, words };
}

/** Lets n8n fail to go on with the next answer. */
export function refuseNext(): void {
	refusing = true;
}

/** Ana writes. Resolves when all deliveries of it are answered, with their statuses. */
export async function write(words: string, writing: object = {}): Promise<Array<number | null>> {
	await gateway.drained();
	const { id } = gateway.write(words, { phone: ANA, ...writing });
	await gateway.drained();
	return gateway.deliveries.flatMap(({ eventId, status }) => (eventId === id ? [status] : []));
}
