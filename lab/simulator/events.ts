import { randomUUID } from 'node:crypto';
import type { Clock } from './clock';
import type { GatewayEvent } from './event';
import type { Schedule } from './schedule';
import type { Instance } from './state/instance';
import type { Deliveries } from './webhooks/deliveries';

export type EventDraft = Partial<GatewayEvent> & { type: string };

/** Source of events: gives each its envelope and hands it to the deliveries. */
export class Events {
	private held: GatewayEvent[] = [];

	constructor(
		private readonly instance: Instance,
		private readonly instances: Map<string, Instance>,
		private readonly clock: Clock,
		private readonly deliveries: Deliveries,
		private readonly schedule: Schedule,
	) {}

	/** Completes the envelope and delivers the event to every webhook that asked for its type. */
	emit(draft: EventDraft): GatewayEvent {
		const event = this.complete(draft);
		if (!this.isSuppressed(event)) this.deliveries.deliver(event);
		return event;
	}

	/** Emits from the network after so many milliseconds; never when null. The event is stamped when it happens. */
	emitLater(milliseconds: number | null, draft: () => EventDraft): void {
		if (milliseconds === null) return;
		this.schedule.after(milliseconds, () => this.emitFromNetwork(draft()));
	}

	/** Emits what comes from the network: while the number is not connected it waits there. */
	emitFromNetwork(draft: EventDraft): GatewayEvent {
		if (this.numberOf(draft).connection === 'CONNECTED') return this.emit(draft);
		const event = this.complete(draft);
		this.held.push(event);
		return event;
	}

	/** Delivers what waited in the network while a number was not connected. */
	emitHeld(instanceId: string): void {
		const held = this.held.filter((event) => event.instanceId === instanceId);
		this.held = this.held.filter((event) => event.instanceId !== instanceId);
		for (const event of held) this.emit(event);
	}

	/** Forgets what waited in the network. */
	reset(): void {
		this.held = [];
	}

	private complete(draft: EventDraft): GatewayEvent {
		return {
			id: draft.id ?? `evt_${randomUUID()}`,
			type: draft.type,
			instanceId: draft.instanceId ?? this.instance.id,
			timestamp: draft.timestamp ?? this.clock.now().toISOString(),
			data: draft.data ?? {},
		};
	}

	/** API 9.11: two settings keep events from every webhook of the instance. */
	private isSuppressed(event: GatewayEvent): boolean {
		const chat = event.data.chat as { type?: string } | undefined;
		const { settings } = this.numberOf(event);
		if (chat?.type === 'GROUP') return settings.ignoreGroups;
		if (chat?.type === 'STATUS') return settings.ignoreStatus;
		return false;
	}

	private numberOf({ instanceId = '' }: EventDraft): Instance {
		return this.instances.get(instanceId) ?? this.instance;
	}
}
