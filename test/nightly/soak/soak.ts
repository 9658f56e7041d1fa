import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { startHost, type Host } from '../../../host/host';
import { waitFor } from '../../../host/waiting';
import { startSimulator, type Simulator, type WebhookRecord } from '../../../simulator';
import { deliver, makeEvent, post } from '../../contract/deliveries';
import { listenToRuns, serveFeed, type Listener } from './listeners';
import { draftSoaked, type Shape, type Surroundings } from './workflow';

const EVENTS_PER_SECOND = 2;
const WATCHED_EVERY_MS = 25;
/** By then n8n ends itself, whatever is still running. */
const BROKEN_OFF_AFTER_MS = 30_000;
const RETRY_DELAYS_MS = [500, 1_000, 2_000, 4_000, ...Array<number>(2_000).fill(5_000)];

/** A webhook that the gateway has or had; times in milliseconds since 1970. */
export interface SeenWebhook {
	id: string;
	url: string;
	secret: string;
	/** When it was there the last time that somebody looked. */
	lastSeenAt: number;
	isGone: boolean;
}

/** One process of n8n, from its start to its end. */
export interface Life {
	/** In milliseconds since 1970. */
	beganAt: number;
	endedBy?: 'stop' | 'kill';
}

export interface Run {
	eventId: string;
	/** Index of the process of n8n in which it ran. */
	life: number;
}

/** A real n8n with one published workflow, a gateway with a steady flow of events, and notes of what happens. */
export class Soak {
	readonly journal: string[] = [];
	readonly lives: Life[] = [{ beganAt: 0 }];
	readonly runs: Run[] = [];
	readonly webhooks = new Map<string, SeenWebhook>();
	/** Ids of the events that the gateway has written. */
	readonly written: string[] = [];
	/** Ids of the events that were signed with the secret of a deleted webhook. */
	readonly forged = new Set<string>();
	shape: Shape = { edition: 1, events: ['MESSAGE.RECEIVED'], polls: false, hasNeighbour: false };
	/** How many webhooks a person has deleted that the trigger could not know as its own. */
	forgotten = 0;
	/** Webhooks that had another URL, changed by hand, at a restart: n8n's record may be an older one, and name none of them. */
	private readonly elsewhereAtRestart = new Set<string>();
	/** Whether n8n could not register the trigger: then a person publishes again. */
	needsPublication = false;
	isGatewayDown = false;
	private wasGatewayDown = false;
	private isNeighbourOpen = false;
	private readonly startedAt = Date.now();
	private readonly closing = new AbortController();
	private flow = Promise.resolve();
	private watching?: NodeJS.Timeout;

	private constructor(
		readonly host: Host,
		readonly workflow: { id: string; url: string },
		readonly feedEntries: string[],
		private readonly neighbour: Simulator,
		private readonly surroundings: Surroundings,
		private readonly listeners: Listener[],
	) {}

	static async begin(): Promise<Soak> {
		const host = await startHost({
			n8n: {},
			gateway: { deliveryConcurrency: 40, retryDelaysMs: RETRY_DELAYS_MS },
		});
		const neighbour = await startSimulator();
		const feedEntries = ['first'];
		const heard: { runs(ids: string[]): void } = { runs: () => {} };
		const runs = await listenToRuns((ids) => heard.runs(ids));
		const feed = await serveFeed(feedEntries);
		const webhookId = randomUUID();
		const surroundings: Surroundings = {
			account: host.credentials.account,
			neighbourAccount: await host.api.createCredential('messagingGatewayAccountApi', 'Closed', {
				baseUrl: neighbour.url,
				accountToken: neighbour.accountToken,
			}),
			webhookId,
			runsUrl: runs.url,
			feedUrl: feed.url,
		};
		await neighbour.pauseListening();
		const shape = { edition: 0, events: ['MESSAGE.RECEIVED'], polls: false, hasNeighbour: false };
		const { id } = await host.api.createWorkflow(draftSoaked(shape, surroundings));
		const url = `${host.n8n.url}/webhook/${webhookId}/webhook`;
		const soak = new Soak(host, { id, url }, feedEntries, neighbour, surroundings, [runs, feed]);
		heard.runs = (ids) => {
			const life = soak.lives.length - 1;
			soak.runs.push(...ids.map((eventId) => ({ eventId, life })));
		};
		soak.watching = setInterval(() => soak.look(), WATCHED_EVERY_MS);
		return soak;
	}

	note(what: string): void {
		const seconds = ((Date.now() - this.startedAt) / 1_000).toFixed(1);
		this.journal.push(`${seconds.padStart(7)} s  ${what}`);
	}

	/** Saves the workflow in another shape and publishes it. Where a gateway is down, n8n may give up. */
	async publish(change: Partial<Omit<Shape, 'edition'>> = {}): Promise<void> {
		const hadNeighbour = this.shape.hasNeighbour;
		this.shape = { ...this.shape, ...change, edition: this.shape.edition + 1 };
		this.wasGatewayDown = this.isGatewayDown;
		const { api } = this.host;
		await api.updateWorkflow(this.workflow.id, draftSoaked(this.shape, this.surroundings));
		try {
			await api.publish(this.workflow.id);
			this.needsPublication = false;
		} catch (error) {
			const mayFail = hadNeighbour || this.shape.hasNeighbour || this.wasGatewayDown;
			if (!mayFail) throw error;
			this.needsPublication = this.wasGatewayDown;
			this.note((error as Error).message);
		}
	}

	async restart(end: 'stop' | 'kill'): Promise<void> {
		const { n8n, gateway } = this.host;
		for (const { id, url } of gateway.webhooks())
			if (url !== this.workflow.url) this.elsewhereAtRestart.add(id);
		const asked = Date.now();
		await (end === 'stop' ? n8n.shutDown() : n8n.kill());
		const isBrokenOff = Date.now() - asked >= BROKEN_OFF_AFTER_MS;
		this.lives[this.lives.length - 1].endedBy = isBrokenOff ? 'kill' : end;
		this.lives.push({ beganAt: Date.now() });
		await n8n.start();
	}

	async closeGateway(): Promise<void> {
		this.isGatewayDown = true;
		this.wasGatewayDown = true;
		await this.host.gateway.pauseListening();
		this.note('gateway down');
	}

	async openGateway(): Promise<void> {
		if (!this.isGatewayDown) return;
		await this.host.gateway.resumeListening();
		this.isGatewayDown = false;
		this.note('gateway up');
	}

	async openNeighbour(): Promise<void> {
		if (this.isNeighbourOpen) return;
		this.isNeighbourOpen = true;
		await this.neighbour.resumeListening();
	}

	async closeNeighbour(): Promise<void> {
		if (!this.isNeighbourOpen) return;
		this.isNeighbourOpen = false;
		await this.neighbour.pauseListening();
	}

	/** The webhook that the gateway has for the trigger, if it is the only one and delivers. */
	findWebhook(): WebhookRecord | undefined {
		const own = this.host.gateway.webhooks().filter(({ url }) => url === this.workflow.url);
		const isInOrder =
			own.length === 1 &&
			own[0].enabled &&
			this.shape.events.every((event) => own[0].events.includes(event));
		return isInOrder ? own[0] : undefined;
	}

	/** Somebody writes. */
	write(text: string): string {
		const { id } = this.host.gateway.write(text, { phone: '5511987654321' });
		this.written.push(id);
		return id;
	}

	/** Lets somebody write again and again, until the soak is over. */
	startFlow(): void {
		const flow = async () => {
			while (!this.closing.signal.aborted) {
				this.write('steady');
				await pause(1_000 / EVENTS_PER_SECOND);
			}
		};
		this.flow = flow();
	}

	async endFlow(): Promise<void> {
		this.closing.abort();
		await this.flow;
	}

	/**
	 * Sends an event signed with the secret of each of the webhooks that the trigger has replaced, the latest ones.
	 * @returns the answers, null for none
	 */
	async tryReplaced(most: number): Promise<Array<number | null>> {
		const current = this.findWebhook();
		// What a person has deleted, the trigger cannot know of before it has made another one.
		if (!current) return [];
		const replaced = [...this.webhooks.values()].filter(({ isGone }) => isGone).slice(-most);
		const answers: Array<number | null> = [];
		for (const { id, secret } of replaced) {
			const event = makeEvent();
			this.forged.add(event.id);
			const kit = { secret, oldSecret: '', otherSecret: '', now: Math.floor(Date.now() / 1_000) };
			const answer = await post(this.workflow.url, deliver(kit, { event })).catch(() => undefined);
			if (answer?.status === 200) this.note(`the secret of the deleted ${id} opened`);
			answers.push(answer?.status ?? null);
		}
		return answers;
	}

	/** Waits until the start of n8n is over, and the trigger has checked its webhook. */
	async untilChecked(timeoutMs: number): Promise<WebhookRecord> {
		const { beganAt } = this.lives[this.lives.length - 1];
		const isAsked = () =>
			this.host.gateway.requests.some(
				({ method, startedAt, status }) =>
					method === 'GET' && startedAt > beganAt && status === 200,
			);
		await waitFor('the trigger to check its webhook', isAsked, timeoutMs);
		return await this.untilInOrder(timeoutMs);
	}

	/** A person deletes the webhooks that the trigger could not know as its own, as the documentation asks for. */
	deleteForgotten(): void {
		const { gateway } = this.host;
		if (!this.findWebhook()) return;
		for (const { id, url } of gateway.webhooks()) {
			if (url === this.workflow.url || !this.elsewhereAtRestart.has(id)) continue;
			gateway.deleteWebhook(id);
			this.forgotten++;
			this.note(`webhook ${id} deleted by hand, since nobody knows it any more`);
		}
	}

	async untilInOrder(timeoutMs: number): Promise<WebhookRecord> {
		return await waitFor('one webhook in order', () => this.findWebhook(), timeoutMs);
	}

	async end(): Promise<void> {
		await this.endFlow();
		clearInterval(this.watching);
		await this.openGateway();
		await this.openNeighbour();
		await this.host.stop();
		await this.neighbour.stop();
		for (const listener of this.listeners) listener.close();
	}

	private look(): void {
		const now = Date.now();
		const there = this.host.gateway.webhooks();
		for (const { id, url, secret } of there) {
			if (!this.webhooks.has(id)) this.note(`webhook ${id} made`);
			this.webhooks.set(id, { id, url, secret, lastSeenAt: now, isGone: false });
		}
		for (const webhook of this.webhooks.values()) {
			if (webhook.isGone || there.some(({ id }) => id === webhook.id)) continue;
			webhook.isGone = true;
			this.note(`webhook ${webhook.id} gone`);
		}
	}
}
