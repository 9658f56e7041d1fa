import { readFileSync, writeFileSync } from 'node:fs';
import type { INode } from 'n8n-workflow';
import { choose, makeNode, makeSend } from '../host/drafts/nodes';
import { publishBehindEntrance } from '../host/drafts/workflows';
import type { Host } from '../host/host';
import { openExecutions, type Executions } from './executions';
import { measure, race, type Contestant } from './measure';
import type { Row } from './table';
import type { Tree } from './trees';

const MESSAGES = 1_000;
const BULK = 10_000;
/** As many messages are under way at once with both nodes. */
const CONCURRENCY = 20;
/** The gateway responds after this time. */
export const LATENCY_MS = 50;

/** Compares a bulk of messages with n8n's HTTP Request node: computing time and speed. */
export async function compareMessages(
	host: Host,
	executions: Executions,
	trees: Tree[],
	rounds: number,
): Promise<Row[]> {
	const contestants: Record<string, Contestant> = {};
	const add = async (name: string, node: INode) => {
		const { id, start } = await publishBehindEntrance(host, [node]);
		const send = async () => {
			const before = executions.count(id);
			await start(makeItems(MESSAGES));
			await executions.waitForEnds(id, before + 1);
		};
		contestants[name] = { units: MESSAGES, run: async () => await measure(host, send) };
	};

	await add('HTTP Request', await makeRequest(host));
	for (const tree of trees) await add(tree.title, makeOwn(host, tree));

	const costs = await race(contestants, { rounds, turns: 1 });
	const others = costs['HTTP Request'];
	const cpu = new Map<string, number[]>();
	const speed = new Map<string, number[]>();
	for (const { title } of trees) {
		const own = costs[title];
		cpu.set(
			title,
			own.map((cost, round) => cost.cpuMs / others[round].cpuMs),
		);
		speed.set(
			title,
			own.map((cost, round) => others[round].clockMs / cost.clockMs),
		);
	}
	return [
		{
			what: `CPU of a message in a bulk of ${MESSAGES} (HTTP Request)`,
			limit: { atMost: 0.65 },
			ratios: cpu,
		},
		{
			what: `speed of a bulk of ${MESSAGES} messages (HTTP Request)`,
			limit: { atLeast: 1.3 },
			ratios: speed,
		},
	];
}

/** Compares the most memory of a fresh n8n while it sends a large bulk. Linux only. */
export async function compareMemory(host: Host, trees: Tree[], rounds: number): Promise<Row> {
	const request = await publishBehindEntrance(host, [await makeRequest(host)]);
	const own = new Map<string, Awaited<ReturnType<typeof publishBehindEntrance>>>();
	for (const tree of trees) {
		own.set(tree.title, await publishBehindEntrance(host, [makeOwn(host, tree)]));
	}

	const ratios = new Map<string, number[]>(trees.map(({ title }) => [title, []]));
	for (let round = 0; round < rounds; round++) {
		const others = await readPeak(host, request);
		for (const [title, workflow] of own) {
			ratios.get(title)?.push((await readPeak(host, workflow)) / others);
		}
	}
	return {
		what: `memory of n8n in a bulk of ${BULK} messages (HTTP Request)`,
		limit: { atMost: 1 },
		ratios,
	};
}

/** The most memory of n8n in a bulk, in kilobytes. */
async function readPeak(
	host: Host,
	{ id, start }: Awaited<ReturnType<typeof publishBehindEntrance>>,
): Promise<number> {
	await host.n8n.restart();
	const executions = openExecutions(host);
	const process = `/proc/${host.n8n.pid}`;
	// Linux forgets the peak of the start.
	writeFileSync(`${process}/clear_refs`, '5');
	const before = executions.count(id);
	await start(makeItems(BULK));
	await executions.waitForEnds(id, before + 1);
	executions.close();
	const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`${process}/status`, 'utf8')) ?? [];
	return Number(kilobytes);
}

function makeOwn(host: Host, tree: Tree): INode {
	const options = { concurrency: CONCURRENCY };
	return makeSend(host.credentials.instance, options, { type: tree.nodes.action });
}

/** n8n's own node for the same work: it waits as long as the gateway between two batches. */
async function makeRequest(host: Host): Promise<INode> {
	const header = { name: 'Authorization', value: `Bearer ${host.gateway.instanceToken}` };
	const credential = await host.api.createCredential('httpHeaderAuth', 'Token', header);
	const parameters = ['to', 'text'].map((name) => ({ name, value: `={{ $json.${name} }}` }));

	return makeNode(
		'n8n-nodes-base.httpRequest',
		'Send',
		{
			method: 'POST',
			url: `${host.gateway.url}/v1/messages/send-text`,
			authentication: 'genericCredentialType',
			genericAuthType: 'httpHeaderAuth',
			sendBody: true,
			bodyParameters: { parameters },
			options: {
				batching: { batch: { batchSize: CONCURRENCY, batchInterval: LATENCY_MS } },
			},
		},
		{ typeVersion: 4.2, ...choose(credential) },
	);
}

function makeItems(count: number) {
	return Array.from({ length: count }, (_, index) => ({
		to: String(5_511_900_000_000 + index),
		text: `message ${index}`,
	}));
}
