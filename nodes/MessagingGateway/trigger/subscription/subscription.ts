import type { Logger } from 'n8n-workflow';
import { SHAPE, startedAt } from '../../processState';
import { Batcher, type BatchEntry } from '../memory/batcher';
import { Conversations } from '../memory/conversations';
import { Deduplicator } from '../memory/deduplicator';
import { Retries } from '../memory/retries';
import { SmallerGroups } from '../memory/smallerGroups';
import { StatusOrder } from '../memory/statusOrder';
import type { WebhookRecord } from '../record';
import { Conditions } from './conditions';
import type { DesiredWebhook, Estate, Said, SubscriptionKey, SwitchedOn } from './estate';
import { GatewayClock, ReplayGuard } from './gatewayClock';
import type { Trouble } from './plan';
import { COUNTS, EXPIRES_AFTER_MS, TRANSITIONS, type Happening, type Standing } from './standing';

const AT_MOST_EVERY_MS = 60_000;

/**
 * The webhook of one trigger node, and all that this process knows of it and of what has come through it. Never in
 * n8n's static data: that is written as a whole, last writer wins, and would take a new secret back.
 */
export class Subscription {
	/** What n8n asks for; undefined where it asks for none. */
	desired?: DesiredWebhook;
	/** Where the trigger receives, or did until n8n asked for none. */
	url?: string;
	/** Whether a creation was sent and not answered: it may still be carried out. */
	hasUnanswered = false;
	/** Whether n8n has unpublished the trigger: what waits for its turn starts nothing, unless it is published again meanwhile. */
	isUnpublished = false;
	switchedOn?: SwitchedOn;

	/** How and when troubles were repaired that no check has seen to be over yet, in milliseconds as of `Date.now`. */
	readonly repairs = new Map<Trouble, { how: 'changed' | 'replaced'; at: number }>();
	/** Fingerprint of the account that the credential named when it was last read. */
	account?: string;

	readonly conditions = new Conditions();
	readonly clock = new GatewayClock();
	readonly replayGuard = new ReplayGuard(startedAt);
	readonly deduplicator: Deduplicator;
	readonly retries: Retries;
	readonly statuses: StatusOrder;
	readonly batcher = new Batcher<BatchEntry>();
	readonly smallerGroups = new SmallerGroups();
	readonly conversations: Conversations<Said>;

	private record?: WebhookRecord;
	private latest: Standing = 'starting';
	private since = startedAt;
	private changing = false;
	private lastTurn: Promise<unknown> = Promise.resolve();
	private askedAt = -Infinity;
	private readonly warned = new Map<string, number>();

	/** @param estate of the same trigger, if an older load of the package had one */
	constructor(
		readonly key: SubscriptionKey,
		private readonly logger: Logger,
		estate?: Estate,
	) {
		this.deduplicator = new Deduplicator((count) => {
			this.log(
				`forgot ${count} event ids in less than 24 hours, because more than 500,000 events came. If the gateway repeats one of these events, it runs again.`,
			);
		}, estate?.received);
		const isSame = estate?.shape === SHAPE;
		this.statuses = new StatusOrder(isSame ? estate.reached : []);
		this.retries = new Retries(isSame ? estate.retried : undefined);
		this.conversations = new Conversations(this.warn, isSame ? estate.talks : undefined);
		if (!estate) return;
		this.desired = estate.desired;
		this.url = estate.url ?? estate.desired?.url;
		this.record = estate.record;
		this.lastTurn = estate.lastTurn;
		if (estate.record) this.latest = 'confirmed';
		if (!isSame) return;
		this.hasUnanswered = estate.hasUnanswered;
		this.isUnpublished = estate.isUnpublished ?? false;
		// What becomes of a change under way, only the gateway and static data will tell.
		this.latest = estate.isChanging ? 'unconfirmed' : estate.standing;
		this.since = estate.isChanging ? Date.now() : estate.since;
	}

	/** How well the webhook is known now, or that something is being done about it. */
	get standing(): Standing | 'changing' {
		return this.changing ? 'changing' : this.readStanding();
	}

	/** Whether deliveries are being worked on, so that their ids must not be forgotten. */
	get busy(): boolean {
		return this.deduplicator.busy || this.batcher.busy || this.conversations.busy;
	}

	/**
	 * The record whose secret counts.
	 *
	 * @param inStaticData what n8n holds
	 */
	recordAmong<T extends Partial<WebhookRecord>>(inStaticData: T): T | Partial<WebhookRecord> {
		return COUNTS[this.readStanding()] === 'static data' ? inStaticData : (this.ownRecord ?? {});
	}

	/** The record that this process keeps, whatever somebody has put into n8n's static data since. */
	get ownRecord(): WebhookRecord | undefined {
		return COUNTS[this.readStanding()] === 'record' ? this.record : undefined;
	}

	/** Whether nobody knows yet who goes on with the webhook: the gateway has not confirmed it, or n8n has just let go of it. */
	get awaitsGateway(): boolean {
		return ['starting', 'unconfirmed'].includes(this.readStanding());
	}

	/** Notes what has happened to the webhook. */
	note(happening: Exclude<Happening, 'confirm'>): void {
		this.move(happening);
	}

	confirm(record: WebhookRecord): void {
		this.record = { ...record };
		this.move('confirm');
	}

	/** Does something about the webhook, when all that came before is done. */
	async inTurn<T>(work: () => Promise<T>): Promise<T> {
		const turn = this.lastTurn.then(async () => {
			this.changing = true;
			return await work().finally(() => (this.changing = false));
		});
		this.lastTurn = turn.catch(() => {});
		return await turn;
	}

	/** Asks for a check, as when a delivery does not fit: whatever strangers send, once a minute at most. */
	askForCheck(): void {
		const now = Date.now();
		if (!this.switchedOn || now - this.askedAt < AT_MOST_EVERY_MS) return;
		this.askedAt = now;
		this.switchedOn.checkSoon();
	}

	/** Notes what n8n asks for, or that it asks for none any more. It keeps what waits: a change asks for none, and then for one. */
	want(desired?: DesiredWebhook): void {
		this.desired = desired;
		this.url = desired?.url ?? this.url;
		this.isUnpublished = desired === undefined;
		if (this.isUnpublished) this.conditions.clear();
	}

	/** Gives all that must not get lost to code that was loaded later, and does nothing by itself from now on. */
	handOver(): Estate {
		this.switchedOn?.end();
		return {
			shape: SHAPE,
			key: this.key,
			logger: this.logger,
			desired: this.desired,
			record: this.record,
			received: this.deduplicator.handOver(),
			switchedOn: this.switchedOn,
			lastTurn: this.lastTurn,
			standing: this.readStanding(),
			isChanging: this.changing,
			url: this.url,
			since: this.since,
			hasUnanswered: this.hasUnanswered,
			isUnpublished: this.isUnpublished,
			reached: this.statuses.handOver(),
			retried: this.retries.handOver(),
			talks: this.conversations.handOver(),
		};
	}

	/** Logs a warning unless the same one was logged within the last minute. */
	readonly warn = (message: string): void => {
		const now = Date.now();
		if (now - (this.warned.get(message) ?? -Infinity) < AT_MOST_EVERY_MS) return;
		this.warned.set(message, now);
		this.log(message);
	};

	private log(message: string): void {
		const { workflowId, nodeId } = this.key;
		this.logger.warn(`Messaging Gateway Trigger: ${message}`, { workflowId, nodeId });
	}

	private readStanding(): Standing {
		const isOver = Date.now() - this.since >= (EXPIRES_AFTER_MS[this.latest] ?? Infinity);
		if (isOver && !this.changing) this.move('expire');
		return this.latest;
	}

	private move(happening: Happening): void {
		const next = TRANSITIONS[this.latest][happening];
		if (next === undefined) return;
		this.latest = next;
		this.since = Date.now();
		if (COUNTS[next] !== 'record') this.record = undefined;
	}
}
