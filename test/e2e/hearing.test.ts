import { randomUUID } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IConnections, INode } from 'n8n-workflow';
import {
	createTriggerWorkflow,
	draftTriggerWorkflow,
	type TriggerWorkflow,
} from '../../host/drafts/workflows';
import { startHost, type Host } from '../../host/host';
import { waitFor } from '../../host/waiting';
import { startSimulator } from '../../simulator';
import { deliver, makeEvent, post } from '../contract/deliveries';

// What shares a workflow with the trigger, and writes its static data over.

let host: Host;
let feed: Server;
const entries: string[] = ['first'];
/** What executions wait for; undefined if they need not. */
let held: ServerResponse[] | undefined;

const addressOfFeed = (): string => `http://127.0.0.1:${(feed.address() as AddressInfo).port}`;

beforeAll(async () => {
	host = await startHost({ n8n: {} });
	feed = createServer((request, response) => {
		if (request.url === '/hold') return void (held ? held.push(response) : response.end('{}'));
		const items = entries.map(
			(title, index) =>
				`<item><title>${title}</title><guid>${title}</guid><pubDate>${new Date(1_700_000_000_000 + index * 60_000).toUTCString()}</pubDate></item>`,
		);
		response.setHeader('content-type', 'application/rss+xml');
		response.end(
			`<?xml version="1.0"?><rss version="2.0"><channel><title>Feed</title>${items.join('')}</channel></rss>`,
		);
	});
	await new Promise<void>((resolve) => void feed.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
	await host?.stop();
	feed?.closeAllConnections();
	feed?.close();
});

const recordsOf = (url: string) => host.gateway.webhooks().filter((webhook) => webhook.url === url);

/** One event, signed with a secret and repeated as a gateway does until it is taken: every answer, in order. */
async function deliverUntilTaken(url: string, secret: string): Promise<number[]> {
	const event = makeEvent();
	const answers: number[] = [];
	do {
		const kit = { secret, oldSecret: '', otherSecret: '', now: Math.floor(Date.now() / 1000) };
		answers.push((await post(url, deliver(kit, { event }))).status);
	} while (answers.at(-1) !== 200 && answers.length < 4);
	return answers;
}

async function heldSecret({ id }: TriggerWorkflow): Promise<unknown> {
	const { staticData } = await host.api.getWorkflow(id);
	return (staticData?.['node:Trigger'] as { secret?: string } | undefined)?.secret;
}

const link = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });

async function publishWith(
	workflow: TriggerWorkflow,
	events: string[],
	neighbours: INode[],
	connections: IConnections,
): Promise<void> {
	const draft = draftTriggerWorkflow(host, {
		webhookId: workflow.webhookId,
		parameters: { events },
	});
	await host.api.updateWorkflow(workflow.id, {
		...draft,
		nodes: [...draft.nodes, ...neighbours],
		connections: { ...draft.connections, ...connections },
	});
	await host.api.publish(workflow.id);
	await waitFor('one webhook', () => recordsOf(workflow.url).length === 1);
}

describe('a poller in the same workflow', () => {
	// Older versions register the poller anew with every publication, so that it has nothing old to write.
	it('cannot take the secret away, and the secret of the deleted webhook never opens again', async () => {
		const poller: INode = {
			id: 'poller',
			name: 'Feed',
			type: 'n8n-nodes-base.rssFeedReadTrigger',
			typeVersion: 1,
			position: [0, 300],
			parameters: {
				feedUrl: addressOfFeed(),
				// Every minute: n8n allows no shorter interval.
				pollTimes: { item: [{ mode: 'everyMinute' }] },
			},
		};
		const workflow = await createTriggerWorkflow(host);
		const connections = { Feed: link('Next') };
		await publishWith(workflow, ['MESSAGE.RECEIVED'], [poller], connections);
		const [before] = recordsOf(workflow.url);
		await publishWith(workflow, ['MESSAGE.RECEIVED', 'MESSAGE.SENT'], [poller], connections);
		const [now] = recordsOf(workflow.url);
		expect(now.secret).not.toBe(before.secret);
		expect(await deliverUntilTaken(workflow.url, now.secret)).toEqual([200]);

		entries.push('second');
		await waitFor(
			'the poller to write',
			async () => (await heldSecret(workflow)) !== now.secret,
			90_000,
		);

		await expectOnlyNewestOpens(workflow, before.secret, now.secret);
	});
});

describe('an execution that spans a publication and writes static data', () => {
	const makeWriter = (): INode => ({
		id: 'writer',
		name: 'Next',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		position: [200, 0],
		parameters: {
			jsCode: `const data = $getWorkflowStaticData('global');
await this.helpers.httpRequest({ url: '${addressOfFeed()}/hold' });
data.seen = Date.now();
return [];`,
		},
	});

	async function publishWriter(workflow: TriggerWorkflow, events: string[]): Promise<void> {
		const draft = draftTriggerWorkflow(host, {
			webhookId: workflow.webhookId,
			parameters: { events },
		});
		await host.api.updateWorkflow(workflow.id, { ...draft, nodes: [draft.nodes[0], makeWriter()] });
		await host.api.publish(workflow.id);
		await waitFor('one webhook', () => recordsOf(workflow.url).length === 1);
	}

	async function overwrite(workflow: TriggerWorkflow) {
		await publishWriter(workflow, ['MESSAGE.RECEIVED']);
		const waiting: ServerResponse[] = [];
		held = waiting;
		const [before] = recordsOf(workflow.url);
		expect(await deliverUntilTaken(workflow.url, before.secret)).toEqual([200]);
		await publishWriter(workflow, ['MESSAGE.RECEIVED', 'MESSAGE.SENT']);
		const [now] = recordsOf(workflow.url);
		await waitFor('the execution to wait', () => waiting.length > 0);
		held = undefined;
		for (const response of waiting) response.end('{}');
		await host.api.waitForExecutions(workflow.id, 1);
		await waitFor(
			'the execution to write',
			async () => (await heldSecret(workflow)) === before.secret,
		);
		return { before, now };
	}

	it('cannot put the old secret back', async () => {
		const workflow = await createTriggerWorkflow(host);
		const { before, now } = await overwrite(workflow);
		await expectOnlyNewestOpens(workflow, before.secret, now.secret);
	});

	it('not even with a restart of n8n: the start makes a webhook anew', async () => {
		const workflow = await createTriggerWorkflow(host);
		const { before, now: lost } = await overwrite(workflow);
		await host.n8n.restart();
		const [now] = await waitFor('the webhook of the start', () => {
			const records = recordsOf(workflow.url);
			return records.length === 1 && records[0].id !== lost.id && records;
		});
		await waitFor('the new secret', async () => (await heldSecret(workflow)) === now.secret);
		expect(await deliverUntilTaken(workflow.url, now.secret)).toEqual([200]);
		expect(await deliverUntilTaken(workflow.url, before.secret)).toEqual([401, 401, 401, 401]);
	});

	it('nor with a restart while the gateway cannot be asked', async () => {
		const workflow = await createTriggerWorkflow(host);
		const { before, now } = await overwrite(workflow);
		const earlier = host.n8n.log().length;
		await host.gateway.pauseListening();
		try {
			await host.n8n.restart();
			await waitFor('the trigger to have tried to check', () =>
				host.n8n.log().slice(earlier).includes('could not check its webhook at the start'),
			);
			// Nobody can tell yet which of them is the deleted one: what n8n holds is taken, the other comes again.
			expect(await deliverUntilTaken(workflow.url, before.secret)).toEqual([200]);
			expect(await deliverUntilTaken(workflow.url, now.secret)).toEqual([503, 503, 503, 503]);
		} finally {
			await host.gateway.resumeListening();
		}
		const [newest] = await waitFor(
			'a new webhook in place of the one whose secret is lost',
			() => {
				const records = recordsOf(workflow.url);
				return records.length === 1 && records[0].id !== now.id && records;
			},
			90_000,
		);
		await waitFor(
			'the newest to be taken',
			async () => (await deliverUntilTaken(workflow.url, newest.secret)).at(-1) === 200,
		);
		expect(await deliverUntilTaken(workflow.url, before.secret)).toEqual([401, 401, 401, 401]);
	});
});

describe('a second trigger whose gateway refuses connections', () => {
	// Older versions publish all triggers of a workflow or none.
	it('keeps the first from nothing', async () => {
		const closed = await startSimulator();
		try {
			const account = await host.api.createCredential('messagingGatewayAccountApi', 'Closed', {
				baseUrl: closed.url,
				accountToken: closed.accountToken,
			});
			await closed.pauseListening();
			const workflow = await createTriggerWorkflow(host);
			const draft = draftTriggerWorkflow(host, { webhookId: workflow.webhookId });
			const second: INode = {
				...draft.nodes[0],
				id: 'second',
				name: 'Second',
				webhookId: randomUUID(),
				credentials: { messagingGatewayAccountApi: { id: account.id, name: account.name } },
			};
			await host.api.updateWorkflow(workflow.id, { ...draft, nodes: [...draft.nodes, second] });
			const publishing = host.api.publish(workflow.id).catch(() => 'the second one failed');
			const [{ secret }] = await waitFor('the first webhook', () => {
				const records = recordsOf(workflow.url);
				return records.length === 1 && records;
			});
			const answers = new Set<number>();
			let isOver = false;
			void publishing.then(() => (isOver = true));
			await waitFor(
				'the end of the publication',
				async () => {
					const taken = await deliverUntilTaken(workflow.url, secret);
					expect(taken.at(-1)).toBe(200);
					for (const answer of taken) answers.add(answer);
					return isOver;
				},
				90_000,
			);
			expect(await deliverUntilTaken(workflow.url, secret)).toEqual([200]);
			expect([...answers]).not.toContain(401);
		} finally {
			await closed.resumeListening();
			await closed.stop();
		}
	});
});

/** No genuine delivery is refused for good, and none that a deleted webhook would sign is taken. */
async function expectOnlyNewestOpens(
	workflow: TriggerWorkflow,
	deleted: string,
	newest: string,
): Promise<void> {
	expect(await deliverUntilTaken(workflow.url, deleted)).toEqual([401, 401, 401, 401]);
	// Asked for a repeat, unless the self-check has put it right a moment before; n8n saves it after the answer.
	const [last, ...earlier] = (await deliverUntilTaken(workflow.url, newest)).reverse();
	expect(last).toBe(200);
	expect(earlier.filter((status) => status !== 503)).toEqual([]);
	expect(await deliverUntilTaken(workflow.url, newest)).toEqual([200]);
	expect(await heldSecret(workflow)).toBe(newest);
	expect(await deliverUntilTaken(workflow.url, deleted)).toEqual([401, 401, 401, 401]);
}
