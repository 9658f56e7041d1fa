import { randomUUID } from 'node:crypto';
import type { INode, INodeParameters } from 'n8n-workflow';
import { chain, makeNothing, makeStart, makeTrigger } from '../host/drafts/nodes';
import { publishDraft } from '../host/drafts/workflows';
import type { Host } from '../host/host';
import type { Executions } from './executions';
import { measure, race, type Contestant, type Cost } from './measure';
import type { Row } from './table';
import type { Tree } from './trees';

const SECRET_OF_OTHERS = 'whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQtMzI=';

/** Of one turn. */
const DELIVERIES = 100;
const CONNECTIONS = 10;
/** Events gather while n8n starts others. */
const CONNECTIONS_OF_GATHERED = 50;

interface Target {
	workflowId: string;
	url: string;
	secret: string;
}

/** How a turn differs from new messages that start executions. */
interface Kind {
	name: string;
	limit: number;
	connections: number;
	status: number;
	options: INodeParameters;
	/** The type of the chat. */
	chat: 'CONTACT' | 'GROUP';
	/** The events of a turn have the same ID in each turn. */
	isRepeated: boolean;
	isForged: boolean;
}

const STARTS: Kind = {
	name: 'starts an execution',
	limit: 1.1,
	connections: CONNECTIONS,
	status: 200,
	options: {},
	chat: 'CONTACT',
	isRepeated: false,
	isForged: false,
};

const KINDS: Kind[] = [
	STARTS,
	{ ...STARTS, name: 'is a repeat', limit: 0.3, isRepeated: true },
	{ ...STARTS, name: 'is filtered out', limit: 0.3, chat: 'GROUP' },
	{ ...STARTS, name: 'is forged', limit: 0.3, isForged: true, status: 401 },
	{
		...STARTS,
		name: 'shares an execution',
		limit: 0.3,
		connections: CONNECTIONS_OF_GATHERED,
		options: { maxPerExecution: 100 },
	},
];

/** Compares deliveries of each kind with one that starts an execution by n8n's Webhook node. */
export async function compareDeliveries(
	host: Host,
	executions: Executions,
	trees: Tree[],
	rounds: { rounds: number; turns: number },
): Promise<Row[]> {
	const contestants: Record<string, Contestant> = {};
	const add = (name: string, target: Target, kind: Kind) => {
		const run = async () => await measure(host, () => deliver(host, executions, target, kind));
		contestants[name] = { units: DELIVERIES, run };
	};

	add('Webhook', await publishWebhookNode(host), STARTS);
	for (const tree of trees) {
		for (const kind of KINDS) {
			add(`${tree.title} ${kind.name}`, await publishTrigger(host, tree, kind), kind);
		}
	}

	const costs = await race(contestants, rounds);
	const ratiosOf = (kind: Kind, ratio: (own: Cost, other: Cost) => number) =>
		new Map(
			trees.map(({ title }) => {
				const own = costs[`${title} ${kind.name}`];
				return [title, own.map((cost, round) => ratio(cost, costs.Webhook[round]))];
			}),
		);

	const rows = KINDS.map((kind): Row => {
		const ratios = ratiosOf(kind, (own, other) => own.cpuMs / other.cpuMs);
		const what = `CPU of a delivery that ${kind.name} (Webhook)`;
		return { what, limit: { atMost: kind.limit }, ratios };
	});
	rows.splice(1, 0, {
		what: 'rate of deliveries that start executions (Webhook)',
		limit: { atLeast: 0.85 },
		ratios: ratiosOf(STARTS, (own, other) => other.clockMs / own.clockMs),
	});
	return rows;
}

async function publishWebhookNode(host: Host): Promise<Target> {
	const path = randomUUID();
	const workflowId = await publishChain(host, makeStart(path));
	return { workflowId, url: `${host.n8n.url}/webhook/${path}`, secret: SECRET_OF_OTHERS };
}

async function publishTrigger(host: Host, tree: Tree, { options }: Kind): Promise<Target> {
	const known = new Set(host.gateway.webhooks().map(({ url }) => url));
	const trigger = makeTrigger(
		host.credentials.account,
		{ events: ['MESSAGE.RECEIVED'], options },
		{ id: randomUUID(), type: tree.nodes.trigger },
	);
	const workflowId = await publishChain(host, trigger);
	const webhook = host.gateway.webhooks().find(({ url }) => !known.has(url));
	if (webhook === undefined) throw new Error('The trigger has created no webhook');
	return { workflowId, url: webhook.url, secret: webhook.secret };
}

async function publishChain({ api }: Host, first: INode): Promise<string> {
	const nodes = [first, makeNothing()];
	return await publishDraft(api, { name: first.type, nodes, connections: chain(nodes) });
}

/** Posts the deliveries of one turn, and waits until n8n has ended their executions. */
async function deliver(
	host: Host,
	executions: Executions,
	{ workflowId, url, secret }: Target,
	kind: Kind,
): Promise<void> {
	let sent = 0;
	const connect = async () => {
		while (sent < DELIVERIES) {
			const event = makeEvent(host, kind, sent);
			sent += 1;

			const headers = host.gateway.sign(event, kind.isForged ? SECRET_OF_OTHERS : secret);
			const response = await fetch(url, {
				method: 'POST',
				headers: { ...headers, 'content-type': 'application/json' },
				body: JSON.stringify(event),
			});
			await response.text();
			if (response.status !== kind.status) throw new Error(`${url}: ${response.status}`);
		}
	};

	await Promise.all(Array.from({ length: kind.connections }, connect));
	await executions.waitForEnds(workflowId, 0);
}

function makeEvent(host: Host, { chat, isRepeated }: Kind, number: number) {
	return {
		id: isRepeated ? `evt_${number}` : `evt_${randomUUID()}`,
		type: 'MESSAGE.RECEIVED',
		instanceId: host.gateway.instanceId,
		timestamp: new Date().toISOString(),
		data: {
			messageId: randomUUID(),
			fromMe: false,
			messageType: 'TEXT',
			chat: { id: '5511987654321@lid', phone: '5511987654321', type: chat },
			text: 'x'.repeat(600),
		},
	};
}
