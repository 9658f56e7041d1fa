import { randomBytes, randomUUID } from 'node:crypto';
import type { Changes } from '../changes';
import type { Clock } from '../clock';

/** A webhook (API 6.9). */
export interface WebhookRecord {
	id: string;
	url: string;
	events: string[];
	enabled: boolean;
	secret: string;
	/** ISO 8601. */
	createdAt: string;
}

/** The registered webhooks. One URL may be registered several times. */
export class WebhookRegistry {
	private records: WebhookRecord[] = [];

	constructor(
		private readonly clock: Clock,
		private readonly changes: Changes,
	) {}

	create(url: string, events: string[]): WebhookRecord {
		const record = {
			id: `wh_${randomUUID()}`,
			url,
			events: [...events],
			enabled: true,
			secret: `whsec_${randomBytes(32).toString('base64')}`,
			createdAt: this.clock.now().toISOString(),
		};
		this.records.push(record);
		this.tell();
		return record;
	}

	list(): WebhookRecord[] {
		return this.records;
	}

	find(id: string): WebhookRecord | undefined {
		return this.records.find((record) => record.id === id);
	}

	/** Changes what is given; false when there is no such webhook. */
	update(
		id: string,
		changes: Partial<Pick<WebhookRecord, 'url' | 'events' | 'enabled'>>,
	): WebhookRecord | undefined {
		const record = this.find(id);
		if (record) Object.assign(record, changes);
		this.tell();
		return record;
	}

	/** False when there is no such webhook. */
	delete(id: string): boolean {
		const before = this.records.length;
		this.records = this.records.filter((record) => record.id !== id);
		this.tell();
		return this.records.length < before;
	}

	/** Those that get events of this type. */
	subscribedTo(type: string): WebhookRecord[] {
		return this.records.filter((record) => record.enabled && record.events.includes(type));
	}

	restore(records: WebhookRecord[]): void {
		this.records = records;
		this.tell();
	}

	private tell(): void {
		this.changes.tell('webhooks', this.records.map(hideSecret));
	}
}

/** The record as every answer after the creation shows it: the secret never appears again. */
export function hideSecret({
	secret: _secret,
	...shown
}: WebhookRecord): Omit<WebhookRecord, 'secret'> {
	return shown;
}
