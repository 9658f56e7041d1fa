import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { chain, makeNode, makeTrigger } from '../../host/drafts/nodes';
import { publish } from '../../host/drafts/workflows';
import { startHost, type Host } from '../../host/host';
import { waitFor } from '../../host/waiting';
import { createRandom } from './random';
import { isStartingUp, percentile } from './tally';

/** Longer than n8n needs to notice that the worker of a job is gone. */
const PATIENCE_MS = 300_000;

/** What an execution has been given of one message. */
interface Said {
	eventId: string;
	chatId: string;
	text: string;
}

interface Run {
	executionId: string;
	said: Said[];
	begunAt: number;
	/** Infinity while it runs. */
	endedAt: number;
}

/** Where each execution stays for so long, and which says when it came and went. */
export interface Stay {
	url: string;
	runs: Run[];
	close(): void;
}

/** @param stayMs how long an execution lasts */
async function openStay(stayMs: number): Promise<Stay> {
	const runs: Run[] = [];
	const server = createServer((request, response) => {
		// Cut off by the end of n8n, it says nothing.
		void json(request)
			.then(async (body) => {
				const { executionId, said } = body as Pick<Run, 'executionId' | 'said'>;
				const run: Run = { executionId, said, begunAt: Date.now(), endedAt: Infinity };
				runs.push(run);
				response.once('close', () => (run.endedAt = Math.min(run.endedAt, Date.now())));
				await pause(stayMs);
				run.endedAt = Math.min(run.endedAt, Date.now());
				response.end('{}');
			})
			.catch(() => response.destroy());
	});
	await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
		runs,
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}

/** An n8n and a gateway that gives up late, when a first small crowd has written; and the place where executions stay. */
export async function startConversing(stayMs: number): Promise<{ host: Host; stay: Stay }> {
	const stay = await openStay(stayMs);
	const host = await startHost({
		n8n: { env: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' } },
		gateway: {
			statusDelaysMs: { sent: null, delivered: null, read: null },
			deliveryConcurrency: 2_000,
			deliveryTimeoutMs: 10_000,
			retryDelaysMs: [500, 1_000, 2_000, 4_000, 8_000, ...Array<number>(100).fill(12_000)],
		},
	});
	// The first deliveries after a start take n8n so long that later ones overtake them.
	await converse(host, stay, { chats: 10, messages: 2, beginWithinMs: 5_000, gapMs: 2_000 });
	return { host, stay };
}

/** How many people write how much. */
export interface Crowd {
	chats: number;
	messages: number;
	/** When the last of them begins, in milliseconds. */
	beginWithinMs: number;
	/** Between two messages of one, at most. */
	gapMs: number;
}

export interface Conversing {
	options?: INodeParameters;
	/** Called when half of the messages are written; calls back when it has killed, and is fulfilled when all is up again. */
	disturb?(killed: () => void): Promise<unknown>;
}

async function listen(host: Host, stay: Stay, options: INodeParameters): Promise<string> {
	const said =
		'$input.all().flatMap(({ json }) => (json.messages ?? [json]).map(({ eventId, replyTo, text }) => ({ eventId, chatId: replyTo, text })))';
	const nodes = [
		makeTrigger(host.credentials.account, { events: ['MESSAGE.RECEIVED'], options }),
		makeNode(
			'n8n-nodes-base.httpRequest',
			'Stay',
			{
				method: 'POST',
				url: stay.url,
				sendBody: true,
				specifyBody: 'json',
				jsonBody: `={{ JSON.stringify({ executionId: $execution.id, said: ${said} }) }}`,
				options: {},
			},
			{ typeVersion: 4.2, executeOnce: true },
		),
	];
	return await publish(host.api, { name: 'Turns', nodes, connections: chain(nodes) });
}

/** Lets a crowd write, and the gateway deliver everything twice; answers what came of it. */
export async function converse(
	host: Host,
	stay: Stay,
	crowd: Crowd,
	{ options = { oneTurnAtATime: { values: {} } }, disturb }: Conversing = {},
) {
	stay.runs.splice(0);
	host.gateway.reset();
	host.gateway.setDelivery({ duplicate: 2 });
	const workflowId = await listen(host, stay, options);
	const random = createRandom(28);
	const plan = Array.from({ length: crowd.chats }, (_each, chat) => {
		let at = random.integer(0, crowd.beginWithinMs);
		return Array.from({ length: crowd.messages }, (_message, index) => {
			if (index > 0) at += random.integer(100, crowd.gapMs);
			return { at, text: `${chat}.${index}`, phone: `55119${10_000_000 + chat}` };
		});
	})
		.flat()
		.sort((one, other) => one.at - other.at);
	const ids = new Map<string, string>();
	const writtenAt = new Map<string, number>();
	const begin = Date.now();
	let disturbing: Promise<unknown> | undefined;
	let disturbedAt = Infinity;
	for (const [index, { at, text, phone }] of plan.entries()) {
		await pause(Math.max(0, begin + at - Date.now()));
		writtenAt.set(text, Date.now());
		ids.set(text, host.gateway.write(text, { phone }).id);
		if (index === Math.floor(plan.length / 2) && disturb) {
			disturbing = disturb(() => (disturbedAt = Date.now()));
		}
	}
	await disturbing;
	await host.gateway.drained();
	const executions = await waitFor(
		'all executions to end',
		async () => {
			const all = await host.api.listExecutions(workflowId);
			return all.every(({ status }) => !['new', 'running'].includes(status)) && all;
		},
		PATIENCE_MS,
	);
	// n8n goes on after its start with what it had made and not begun: such an execution takes no turn.
	const madeBefore = new Set(
		executions.filter(({ createdAt }) => Date.parse(createdAt) <= disturbedAt).map(({ id }) => id),
	);
	const isRevived = ({ executionId, begunAt }: Run) =>
		begunAt > disturbedAt && madeBefore.has(executionId);
	await host.api.unpublish(workflowId);
	const interrupted = new Set<string>();
	for (const { id } of await host.api.listExecutions(workflowId, [
		'crashed',
		'error',
		'canceled',
	])) {
		const { data } = await host.api.getExecution(id);
		for (const [eventId] of JSON.stringify(data ?? {}).matchAll(/evt_[0-9a-f-]{36}/g))
			interrupted.add(eventId);
	}

	const { deliveries } = host.gateway;
	const answeredByN8n = new Set(deliveries.filter(isStartingUp).map(({ eventId }) => eventId));
	const runs = stay.runs.toSorted((one, other) => one.begunAt - other.begunAt);
	const ran = new Map<string, Run[]>();
	for (const run of runs)
		for (const { eventId } of run.said) ran.set(eventId, [...(ran.get(eventId) ?? []), run]);
	const missing = [...ids.values()].filter((id) => !ran.has(id) && !answeredByN8n.has(id));
	const byChat = new Map<string, Run[]>();
	for (const run of runs)
		for (const chat of new Set(run.said.map(({ chatId }) => chatId)))
			byChat.set(chat, [...(byChat.get(chat) ?? []), run]);
	const overlaps = [...byChat.values()].flatMap((each) =>
		each
			.filter((run) => !isRevived(run))
			.filter((run, index, all) => run.begunAt < (all[index - 1]?.endedAt ?? 0)),
	);
	const isInOrder = (texts: string[]) =>
		texts.join() ===
		texts.toSorted((one, other) => Number(one.split('.')[1]) - Number(other.split('.')[1])).join();
	const ofChat = (run: Run, chat: string) =>
		run.said.filter(({ chatId }) => chatId === chat).map(({ text }) => text);
	const chats = [...byChat];
	const delays = [...writtenAt]
		.filter(([text]) => text.endsWith('.0'))
		.map(([text, at]) => (ran.get(ids.get(text) ?? '')?.[0]?.begunAt ?? NaN) - at)
		.filter((delay) => !Number.isNaN(delay));
	const sameLife = (each: Run[]) =>
		new Set(each.map(({ executionId }) => madeBefore.has(executionId))).size < each.length;
	return {
		messages: ids.size,
		executions: runs.length,
		lost: missing.filter((id) => !interrupted.has(id)).length,
		cutOff: missing.filter((id) => interrupted.has(id)).length,
		twice: [...ran.values()].filter((each) => each.length > 1).length,
		twiceInOneLife: [...ran.values()].filter((each) => each.length > 1 && sameLife(each)).length,
		overlaps: overlaps.length,
		/** Conversations out of order over all of their executions, and executions out of order in themselves. */
		disordered: chats.filter(([chat, each]) => !isInOrder(each.flatMap((run) => ofChat(run, chat))))
			.length,
		disorderedWithin: chats.filter(
			([chat, each]) => !each.every((run) => isInOrder(ofChat(run, chat))),
		).length,
		deferred: deliveries.filter(({ status }) => status === 503).length,
		givenUp: deliveries.filter(({ givenUp }) => givenUp).length,
		/** From the first message of a conversation to its execution, in milliseconds. */
		firstDelay: { median: percentile(delays, 50), p95: percentile(delays, 95) },
		memoryMb: Math.round(host.n8n.memory() / 2 ** 20),
	};
}
