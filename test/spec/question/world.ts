import { createHash, randomBytes } from 'node:crypto';
import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { signDelivery } from '../../../lab/simulator/webhooks/sign';
import type * as Event from '../../../nodes/MessagingGateway/incoming/event';
import type * as Ask from '../../../nodes/MessagingGateway/question/ask';
import type { QuestionDraft } from '../../../nodes/MessagingGateway/question/question';
import type * as Receive from '../../../nodes/MessagingGateway/question/receive';
import type * as TakeAnswer from '../../../nodes/MessagingGateway/question/takeAnswer';

// A gateway and an n8n in memory, with two processes, and a clock of their own. It is small enough for many
// thousand histories. Each request takes a random number of turns, which the seed of a history decides.

const ORIGIN = 'https://n8n.example.com';
const CREDENTIAL = {
	baseUrl: 'https://gateway.example.com',
	accountToken: 'svc_acct_1',
	instanceToken: 'svc_inst_1',
	furtherNumbers: 'I1, svc_inst_1; I2, svc_inst_2',
};
const MAX_ATTEMPTS = 40;

/** The code as one process has loaded it, with memory of its own. */
interface Process {
	ask: typeof Ask.ask;
	receiveReply: typeof Receive.receiveReply;
	takeAnswer: typeof TakeAnswer.takeAnswer;
	readEvent: typeof Event.readEvent;
	sendError(outcome: 'rejected' | 'unknown'): Error;
	forget(): void;
}

interface Webhook {
	id: string;
	url: string;
	secret: string;
	createdAt: string;
}

export interface Execution {
	id: string;
	workflow: string;
	state: 'running' | 'waiting' | 'answered' | 'stopped' | 'refused';
	saved?: object;
	until?: number;
	/** ID of the event that it goes on with. */
	answeredBy?: string;
	messageId?: string;
	/** The lines as they were sent. */
	lines: string;
}

export interface RawEvent extends IDataObject {
	id: string;
	type: string;
}

function loadProcess(): Process {
	let loaded: Process | undefined;
	jest.isolateModules(() => {
		const folder = '../../../nodes/MessagingGateway';
		const load = <T extends object>(path: string) => jest.requireActual<T>(`${folder}/${path}`);
		const { NodeOperationError } =
			jest.requireActual<Record<string, Record<symbol, unknown>>>('n8n-workflow');
		const { GatewayError } = load<{ GatewayError: new (failure: object) => Error }>(
			'gateway/failure',
		);
		const { ask } = load<typeof Ask>('question/ask');
		const { receiveReply } = load<typeof Receive>('question/receive');
		const { takeAnswer } = load<typeof TakeAnswer>('question/takeAnswer');
		const { readEvent } = load<typeof Event>('incoming/event');
		const root = NodeOperationError[Symbol.for('n8n-nodes-messaging-gateway')] as {
			maps: Map<string, Map<string, unknown>>;
		};
		loaded = {
			ask,
			receiveReply,
			takeAnswer,
			readEvent,
			sendError: (outcome) =>
				new GatewayError({ message: 'failed', description: '', outcome, retryable: false }),
			forget: () => root.maps.forEach((map) => map.clear()),
		};
	});
	return loaded!;
}

const realNow = Date.now;
const realTimeout = AbortSignal.timeout;

afterAll(() => {
	Date.now = realNow;
	AbortSignal.timeout = realTimeout;
});

/** Both are loaded once; `reset` ends what they know. */
const processes = [loadProcess(), loadProcess()];

export class World {
	now = Date.parse('2026-03-01T12:00:00Z');
	webhooks: Webhook[] = [];
	executions: Execution[] = [];
	/** Requests of a kind that still fail, by method. */
	readonly faults = new Map<string, number>();
	/** Events with which the trigger's workflow has started, with repeats. */
	readonly started: string[] = [];
	readonly errors: string[] = [];
	private count = 0;
	private random: number;

	constructor(
		seed: number,
		private readonly processCount: number,
	) {
		this.random = seed;
		// A mock of jest would remember each call.
		Date.now = () => this.now;
		// A pause is over when the history lets time pass.
		AbortSignal.timeout = () => this.pause();
		for (const process of processes) process.forget();
	}

	private readonly pauses: AbortController[] = [];

	private pause(): AbortSignal {
		const pause = new AbortController();
		this.pauses.push(pause);
		return pause.signal;
	}

	/** Time passes. What waits for a while goes on. */
	async pass(milliseconds: number): Promise<void> {
		this.now += milliseconds;
		for (const pause of this.pauses.splice(0)) pause.abort();
		await this.settle();
	}

	/** n8n restarts: what the processes know is gone. */
	restart(): void {
		for (const process of processes) process.forget();
	}

	/** A number from 0 to below `max`, the next of the seed. */
	private draw(max: number): number {
		this.random = (this.random * 1_103_515_245 + 12_345) % 2_147_483_648;
		return Math.floor((this.random / 2_147_483_648) * max);
	}

	private async turns(): Promise<void> {
		for (let turns = this.draw(40); turns > 0; turns--) await Promise.resolve();
	}

	/** Until nothing more happens by itself. */
	async settle(): Promise<void> {
		for (let turns = 0; turns < 400; turns++) await Promise.resolve();
	}

	private nextId(kind: string): string {
		this.count += 1;
		return `${kind}_${this.count}`;
	}

	private isFailing(kind: string): boolean {
		const left = this.faults.get(kind) ?? 0;
		if (left > 0) this.faults.set(kind, left - 1);
		return left > 0;
	}

	/** The gateway's side of the requests for webhooks. */
	private async serve({ method = 'GET', url, body }: IHttpRequestOptions): Promise<object> {
		await this.turns();
		const respond = (statusCode: number, content: object) => ({
			statusCode,
			headers: {},
			body: content,
		});
		const { pathname } = new URL(url);
		const id = pathname.split('/')[3];
		if (this.isFailing(method)) return respond(503, { error: 'unavailable' });
		if (pathname === '/v1/messages/send-text')
			return respond(202, { data: { messageId: this.nextId('list') } });
		if (method === 'GET') return respond(200, { data: this.webhooks.map((each) => ({ ...each })) });

		const content = JSON.parse(String(body ?? '{}')) as { url: string };
		if (method === 'POST') {
			const secret = `whsec_${randomBytes(32).toString('base64')}`;
			const createdAt = new Date(this.now).toISOString();
			const webhook = { id: this.nextId('wh'), url: content.url, secret, createdAt };
			this.webhooks.push(webhook);
			return respond(200, { data: webhook });
		}
		const found = this.webhooks.find((each) => each.id === id);
		if (found === undefined) return respond(404, { error: 'not found' });
		if (method === 'PATCH') found.url = content.url;
		if (method === 'DELETE') this.webhooks = this.webhooks.filter((each) => each !== found);
		return respond(200, { data: {} });
	}

	/** n8n's word about an execution that waits. */
	private async knock({ url }: IHttpRequestOptions): Promise<object> {
		await this.turns();
		const execution = this.find(url);
		const word = (statusCode: number, message: string) => ({
			statusCode,
			headers: {},
			body: { message },
		});
		if (execution.state === 'answered' || (execution.until ?? Infinity) < this.now)
			return word(200, 'No action required');
		if (execution.state === 'stopped') return word(409, 'The execution "1" has finished already.');
		if (execution.state !== 'waiting') return word(409, 'The execution "1" is running already.');
		return word(401, 'Unauthorized');
	}

	private find(url: string): Execution {
		const [, , id] = new URL(url).pathname.split('/');
		return this.executions.find((each) => each.id === id)!;
	}

	private contextOf(execution: Execution): IDataObject {
		const sign = (parameters: Record<string, string> = {}) => {
			const url = new URL(`${ORIGIN}/webhook-waiting/${execution.id}/node`);
			for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
			const signature = createHash('sha256').update(url.href).digest('hex');
			url.searchParams.set('signature', signature);
			return url.href;
		};
		const helpers = {
			httpRequest: async (options: IHttpRequestOptions) => await this.knock(options),
			httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) =>
				await this.serve(options),
		};
		return {
			getCredentials: async () => await Promise.resolve(CREDENTIAL),
			getInstanceId: () => 'n8n',
			getNode: () => ({ name: 'Ask', type: 'messagingGateway' }),
			getSignedResumeUrl: sign,
			helpers,
			logger: {
				warn: () => {},
				error: (words: string, { error }: { error: Error }) => {
					this.errors.push(`${words} ${error.stack}`);
				},
			},
		} as never;
	}

	/** Asks in a process. `during` runs while the message goes out. */
	async ask(
		process: number,
		workflow: string,
		draft: QuestionDraft,
		outcome: 'accepted' | 'rejected' | 'unknown',
		during: { typing(): Promise<void>; sending(): Promise<void> },
	): Promise<Execution> {
		const id = this.nextId('e');
		const execution: Execution = { id, workflow, state: 'running', lines: '' };
		this.executions.push(execution);
		const saved: { question?: object } = {};
		const context = {
			...this.contextOf(execution),
			getMode: () => 'trigger',
			getInputData: () => [{ json: {} }],
			getContext: () => saved,
			getWorkflow: () => ({ id: workflow }),
			getExecutionCancelSignal: () => undefined,
			putExecutionToWait: async (until: Date) => {
				await this.turns();
				execution.state = 'waiting';
				execution.saved = JSON.parse(JSON.stringify(saved.question)) as object;
				execution.until = Number(until);
			},
		};
		const code = processes[process];
		try {
			await code.ask(context as unknown as IExecuteFunctions, draft, {
				before: async () => await during.typing(),
				send: async (lines) => {
					execution.lines = lines;
					await during.sending();
					if (outcome === 'accepted') {
						execution.messageId = this.nextId('q');
						return execution.messageId;
					}
					throw code.sendError(outcome);
				},
			});
		} catch (error) {
			execution.state = 'refused';
			const { message } = error as Error;
			if (!/failed|unavailable|just asked|status 503/.test(message)) this.errors.push(message);
		}
		await this.settle();
		return execution;
	}

	/** Delivers an event to all webhooks and to the trigger at once, until each responds 2xx. */
	async deliver(raw: RawEvent, copies = 1): Promise<void> {
		const deliveries: Array<Promise<void>> = [];
		for (let copy = 0; copy < copies; copy++) {
			for (const webhook of this.webhooks) deliveries.push(this.deliverTo(webhook, raw));
			if (raw.type === 'MESSAGE.RECEIVED') deliveries.push(this.deliverToTrigger(raw));
		}
		await Promise.all(deliveries);
		await this.settle();
	}

	private async deliverToTrigger(raw: RawEvent): Promise<void> {
		const { takeAnswer, readEvent } = processes[this.draw(this.processCount)];
		const execution: Execution = { id: 'trigger', workflow: 't', state: 'running', lines: '' };
		await this.turns();
		const context = this.contextOf(execution) as unknown as IWebhookFunctions;
		if (!(await takeAnswer(context, readEvent(raw)))) this.started.push(raw.id);
	}

	/** Before it tries again, a gateway waits for longer than n8n needs. */
	private async deliverTo(webhook: Webhook, raw: RawEvent): Promise<void> {
		for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
			if (!this.webhooks.includes(webhook)) return;
			await this.turns();
			if ((await this.post(webhook, raw)) < 300) return;
			for (let turns = 0; turns < 60; turns++) await Promise.resolve();
		}
	}

	private async post({ url, secret }: Webhook, raw: RawEvent): Promise<number> {
		const execution = this.find(url);
		if (execution.state === 'answered' || (execution.until ?? Infinity) < this.now) return 200;
		if (execution.state !== 'waiting') return 409;

		const body = Buffer.from(JSON.stringify(raw));
		const headers = signDelivery(body, secret, { id: raw.id, timestamp: new Date(this.now) });
		const response = {
			statusCode: 200,
			headersSent: false,
			status(code: number) {
				this.statusCode = code;
				return this;
			},
			json() {
				this.end();
			},
			setHeader: () => {},
			end() {
				this.headersSent = true;
			},
		};
		const context = {
			...this.contextOf(execution),
			evaluateExpression: () => execution.saved,
			getQueryData: () => Object.fromEntries(new URL(url).searchParams),
			getRequestObject: () => ({ rawHeaders: Object.entries(headers).flat(), rawBody: body }),
			getResponseObject: () => response,
		};
		const { receiveReply } = processes[this.draw(this.processCount)];
		const result: IWebhookResponseData = await receiveReply.call(
			context as unknown as IWebhookFunctions,
		);
		if (result.workflowData === undefined) return response.statusCode;

		// n8n locks the execution: of two answers, one finds it running.
		await this.turns();
		if ((execution.state as string) !== 'waiting') {
			response.statusCode = 409;
			response.end();
			return 409;
		}
		if (execution.answeredBy !== undefined) this.errors.push(`${execution.id} has two answers`);
		execution.state = 'answered';
		execution.answeredBy = raw.id;
		response.end();
		return 200;
	}
}
