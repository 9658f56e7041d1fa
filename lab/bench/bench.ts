import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { INode } from 'n8n-workflow';
import {
	chain,
	choose,
	makeNode,
	makeNothing,
	makeSend,
	makeStart,
	makeTrigger,
} from '../host/drafts/nodes';
import { publishBehindEntrance, publishDraft } from '../host/drafts/workflows';
import { startHost, type Host } from '../host/host';
import { MAX_GROWTH, measureGrowth } from './growth';

// Computing time and memory of n8n's process are compared, not time on the clock: another load on the machine changes them little.
const ROUNDS = 5;
const DELIVERIES = 300;
const CONNECTIONS = 10;
const MESSAGES = 1_000;
const BULK = 10_000;
const LATENCY_MS = 50;

/**
 * The most that this package may cost, in parts of n8n's own node for the same work. Of a message, n8n's own part is 0.7:
 * the credential, two expressions and the request.
 */
const LIMITS = { delivery: 1.1, message: 0.8, memory: 1 };

/** Computing time of n8n that each piece of work takes, in milliseconds. */
async function measure(host: Host, count: number, work: () => Promise<void>): Promise<number> {
	const before = host.n8n.computing();
	await work();
	return (host.n8n.computing() - before) / count;
}

/** Alternates two kinds of work, so that the growing database meets both. Answers the medians. */
async function race(one: () => Promise<number>, other: () => Promise<number>) {
	const figures: [number[], number[]] = [[], []];
	await one();
	await other();
	for (let round = 0; round < ROUNDS; round++) {
		figures[0].push(await one());
		figures[1].push(await other());
	}
	return figures.map((each) => each.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]);
}

/** Posts deliveries and waits until n8n has ended their executions. */
async function deliver(host: Host, id: string, url: string, secret?: string): Promise<number> {
	const { length: before } = await host.api.listExecutions(id);
	return await measure(host, DELIVERIES, async () => {
		let left = DELIVERIES;
		const connection = async () => {
			while (left-- > 0) {
				const event = {
					id: `evt_${randomUUID()}`,
					type: 'MESSAGE.RECEIVED',
					instanceId: host.gateway.instanceId,
					timestamp: new Date().toISOString(),
					data: {
						messageId: randomUUID(),
						fromMe: false,
						messageType: 'TEXT',
						chat: { id: '5511987654321@lid', phone: '5511987654321', type: 'CONTACT' },
						text: 'x'.repeat(600),
					},
				};
				const headers = host.gateway.sign(
					event,
					secret ?? 'whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQtMzI=',
				);
				const answer = await fetch(url, {
					method: 'POST',
					headers: { ...headers, 'content-type': 'application/json' },
					body: JSON.stringify(event),
				});
				if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
			}
		};
		await Promise.all(Array.from({ length: CONNECTIONS }, connection));
		await host.api.waitForEnds(id, before + DELIVERIES, 120_000);
	});
}

async function compareDeliveries(host: Host): Promise<number[]> {
	const trigger = makeTrigger(host.credentials.account, { events: ['MESSAGE.RECEIVED'] });
	const path = randomUUID();
	const publishChain = async (first: INode) => {
		const nodes = [first, makeNothing()];
		return await publishDraft(host.api, { name: first.name, nodes, connections: chain(nodes) });
	};
	const [ours, other] = [await publishChain(trigger), await publishChain(makeStart(path))];
	const [{ url, secret }] = host.gateway.webhooks();
	return await race(
		async () => await deliver(host, ours, url, secret),
		async () => await deliver(host, other, `${host.n8n.url}/webhook/${path}`),
	);
}

/** n8n's own node for the same work. */
async function makeRequest(host: Host): Promise<INode> {
	const header = { name: 'Authorization', value: `Bearer ${host.gateway.instanceToken}` };
	const credential = await host.api.createCredential('httpHeaderAuth', 'Token', header);
	return makeNode(
		'n8n-nodes-base.httpRequest',
		'Send',
		{
			method: 'POST',
			url: `${host.gateway.url}/v1/messages/send-text`,
			authentication: 'genericCredentialType',
			genericAuthType: 'httpHeaderAuth',
			sendBody: true,
			bodyParameters: {
				parameters: ['to', 'text'].map((name) => ({ name, value: `={{ $json.${name} }}` })),
			},
			options: { batching: { batch: { batchSize: 20, batchInterval: LATENCY_MS } } },
		},
		{ typeVersion: 4.2, ...choose(credential) },
	);
}

const makeItems = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		to: String(5_511_900_000_000 + index),
		text: `message ${index}`,
	}));

async function compareMessages(host: Host): Promise<number[]> {
	const items = makeItems(MESSAGES);
	const send = async (node: INode) => {
		const workflow = await publishBehindEntrance(host, [node]);
		let runs = 0;
		return async () =>
			await measure(host, MESSAGES, async () => {
				await workflow.start(items);
				await host.api.waitForEnds(workflow.id, ++runs, 300_000);
			});
	};
	const ours = makeSend(host.credentials.instance, { concurrency: 20 });
	return await race(await send(ours), await send(await makeRequest(host)));
}

/** The most memory of a fresh n8n while it sends a bulk, in megabytes. Linux only. */
async function compareMemory(host: Host): Promise<number[]> {
	const peaks: number[] = [];
	const ours = makeSend(host.credentials.instance, { concurrency: 20 });
	for (const node of [ours, await makeRequest(host)]) {
		const workflow = await publishBehindEntrance(host, [node]);
		await host.n8n.restart();
		const process = `/proc/${host.n8n.pid}`;
		// Linux forgets the peak of the start.
		writeFileSync(`${process}/clear_refs`, '5');
		await workflow.start(makeItems(BULK));
		await host.api.waitForEnds(workflow.id, 1, 600_000);
		const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`${process}/status`, 'utf8')) ?? [];
		peaks.push(Number(kilobytes) / 1024);
	}
	return peaks;
}

/** Prints the readers whose time grows most with their text, and fails if one grows too fast. */
async function printGrowth(): Promise<void> {
	const steepest = (await measureGrowth()).slice(0, 5);
	for (const { reader, kind, tries } of steepest) {
		const range = `${tries[0].toFixed(1)} to ${tries[tries.length - 1].toFixed(1)}`;
		console.log(
			`${reader}, ${kind}: ${range} times as long for 8 times the text (at most ${MAX_GROWTH})`,
		);
		// A busy machine makes single tries slow, so the fastest one counts.
		if (tries[0] > MAX_GROWTH) process.exitCode = 1;
	}
}

/** Prints each comparison when it has ended, and fails if one is above its limit. */
async function main(): Promise<void> {
	await printGrowth();
	const statusDelaysMs = { sent: null, delivered: null, read: null };
	const host = await startHost({ gateway: { latencyMs: LATENCY_MS, statusDelaysMs } });
	try {
		const comparisons = [
			['CPU per delivery, ms', 'Webhook', LIMITS.delivery, compareDeliveries],
			['CPU per message, ms', 'HTTP Request', LIMITS.message, compareMessages],
			[`memory for ${BULK} messages, MB`, 'HTTP Request', LIMITS.memory, compareMemory],
		] as const;
		for (const [what, other, limit, compare] of comparisons) {
			const [ours, theirs] = await compare(host);
			const ratio = ours / theirs;
			if (ratio > limit) process.exitCode = 1;
			console.log(
				`${what}: ${ours.toFixed(2)}, n8n's ${other} node ${theirs.toFixed(2)}: ${ratio.toFixed(2)} of it (at most ${limit})`,
			);
		}
	} finally {
		await host.stop();
	}
}

void main();
