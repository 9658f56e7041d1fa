import { randomBytes } from 'node:crypto';
import type { Changes } from '../changes';
import type { Clock } from '../clock';
import type { GatewayEvent } from '../event';
import type { SimulatorSettings } from '../options';
import { readClock, type RecordedDelivery, type Recorder } from '../recorder';
import type { Schedule } from '../schedule';
import { Poster } from './post';
import type { WebhookRecord, WebhookRegistry } from './registry';
import { signDelivery } from './sign';

/** Trouble with deliveries that a receiver has to live with. */
export interface DeliveryMode {
	/** Number of deliveries of each event at once. */
	duplicate: number;
	/** Sign with a key that is not the webhook's. */
	forge: boolean;
	/** Deliveries that are due wait. */
	pause: boolean;
	/** Types of events that are never delivered. */
	drop: string[];
}

const ORDERLY: DeliveryMode = {
	duplicate: 1,
	forge: false,
	pause: false,
	drop: [],
};

interface Job {
	event: GatewayEvent;
	body: string;
	webhook: WebhookRecord;
	attempt: number;
	/** Jobs of an earlier generation than the current one are dropped. */
	generation: number;
}

/** Delivers events to webhooks: signed, several at a time, tried again until a 2xx (API 7). */
export class Deliveries {
	mode: DeliveryMode = { ...ORDERLY };
	private readonly poster: Poster;
	private readonly queue: Job[] = [];
	/** Failed answers in a row, by webhook ID. */
	private readonly failures = new Map<string, number>();
	private underWay = 0;
	private generation = 0;

	constructor(
		private readonly settings: SimulatorSettings,
		private readonly clock: Clock,
		private readonly webhooks: WebhookRegistry,
		private readonly recorder: Recorder,
		private readonly schedule: Schedule,
		private readonly changes: Changes,
	) {
		this.poster = new Poster(settings.deliveryConcurrency);
	}

	setMode(mode: Partial<DeliveryMode>): void {
		this.mode = { ...this.mode, ...mode };
		this.changes.tell('mode', this.mode);
		this.work();
	}

	deliver(event: GatewayEvent): void {
		if (this.mode.drop.includes(event.type)) return;
		const webhooks = this.webhooks.subscribedTo(event.type);
		if (webhooks.length === 0) return;
		const body = JSON.stringify(event);
		const jobs = webhooks.map((webhook) => ({
			event,
			body,
			webhook,
			attempt: 1,
			generation: this.generation,
		}));
		for (let copies = this.mode.duplicate; copies > 0; copies--) this.enqueue(jobs);
	}

	/** Back to orderly delivery; nothing that was on its way is tried again. */
	reset(): void {
		this.generation += 1;
		this.queue.splice(0).forEach(() => this.schedule.end());
		this.setMode(ORDERLY);
	}

	stop(): void {
		this.reset();
		this.poster.close();
	}

	private enqueue(jobs: Job[]): void {
		for (const job of jobs) {
			this.schedule.begin();
			this.queue.push(job);
		}
		this.work();
	}

	private work(): void {
		while (!this.mode.pause && this.underWay < this.settings.deliveryConcurrency) {
			const job = this.queue.shift();
			if (!job) return;
			this.underWay += 1;
			void this.attempt(job).then(() => {
				this.underWay -= 1;
				this.schedule.end();
				this.work();
			});
		}
	}

	private async attempt(job: Job): Promise<void> {
		const { event, webhook, body } = job;
		// Deleted or switched off while the delivery waited.
		if (!this.webhooks.find(webhook.id)?.enabled) return;

		const { forge } = this.mode;
		const secret = forge ? `whsec_${randomBytes(32).toString('base64')}` : webhook.secret;
		const headers = signDelivery(body, secret, { id: event.id, timestamp: this.clock.now() });
		const delivery: RecordedDelivery = {
			eventId: event.id,
			type: event.type,
			webhookId: webhook.id,
			url: webhook.url,
			attempt: job.attempt,
			startedAt: readClock(),
			finishedAt: 0,
			status: null,
			body,
			headers,
			forged: forge,
			givenUp: false,
		};
		this.recorder.keepDelivery(delivery);

		const answer = await this.poster.post(
			webhook.url,
			body,
			headers,
			this.settings.deliveryTimeoutMs,
		);
		Object.assign(delivery, answer, { finishedAt: readClock() });

		const failures = this.countFailures(delivery);
		if (failures === this.settings.disableAfterFailures) {
			this.webhooks.update(webhook.id, { enabled: false });
		}
		if (failures > 0) this.planRetry(job, delivery);
		this.changes.tell('delivery', delivery);
	}

	/** Counts the failed answers in a row of a delivery's webhook. */
	private countFailures(delivery: RecordedDelivery): number {
		const before = this.failures.get(delivery.webhookId) ?? 0;
		const failures = isAccepted(delivery) ? 0 : before + 1;
		this.failures.set(delivery.webhookId, failures);
		return failures;
	}

	private planRetry(job: Job, delivery: RecordedDelivery): void {
		const wait = this.settings.retryDelaysMs[job.attempt - 1];
		if (wait === undefined || job.generation < this.generation) {
			delivery.givenUp = true;
			return;
		}
		this.schedule.after(wait, () => this.enqueue([{ ...job, attempt: job.attempt + 1 }]));
	}
}

function isAccepted({ status }: RecordedDelivery): boolean {
	return status !== null && status >= 200 && status < 300;
}
