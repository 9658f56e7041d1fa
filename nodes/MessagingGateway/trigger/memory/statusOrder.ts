import type { IDataObject } from 'n8n-workflow';
import { dataOf, messageIdsOf, textIn, type GatewayEvent } from '../../webhooks/event';
import type { Settlement } from '../../webhooks/http';
import { RecentIds } from './recentIds';

const RANKS: Record<string, number> = { SENT: 1, DELIVERED: 2, READ: 3 };
const HIGHEST_RANK = 3;

/**
 * How far an event says that its messages have come (API document, "Message delivery status"); undefined for events
 * that say nothing about it. A `MESSAGE.SENT` puts its message into the first state.
 */
export function statusRankOf(event: GatewayEvent): number | undefined {
	if (event.type === 'MESSAGE.SENT') return RANKS.SENT;
	if (event.type !== 'MESSAGE.STATUS_UPDATED') return undefined;
	const status = textIn(dataOf(event), 'status');
	return status !== undefined && Object.hasOwn(RANKS, status) ? RANKS[status] : undefined;
}

/** What to do with a status event. */
type StatusVerdict =
	/** A start under way decides about it: ask again after that. */
	| { kind: 'undecided'; until: Promise<Settlement> }
	| { kind: 'overtaken' }
	/** Goes on with the message ids that have advanced; `follow` must be told what becomes of it. */
	| { kind: 'advances'; event: GatewayEvent; follow(settled: Promise<Settlement>): void };

/** Remembers how far each message has come, so that a status only moves forward. */
export class StatusOrder {
	private readonly reached = new RecentIds(() => {});
	private readonly underway = new Map<string, { rank: number; settled: Promise<Settlement> }>();

	/** @param reached what an older load of the package has handed over */
	constructor(reached: Iterable<string> = []) {
		for (const fingerprint of reached) this.reached.keep(fingerprint);
	}

	/** What code that was loaded later has to know. */
	handOver(): Iterable<string> {
		return this.reached.all();
	}

	judge(event: GatewayEvent): StatusVerdict {
		const rank = statusRankOf(event);
		if (rank === undefined) return letPass(event);
		if (event.type === 'MESSAGE.SENT') {
			const messageId = textIn(dataOf(event), 'messageId');
			const keys = messageId === undefined ? [] : [messageKeyOf(event, messageId)];
			return {
				kind: 'advances',
				event,
				follow: (settled) => void this.follow(keys, rank, settled),
			};
		}
		if (!namesMessages(event)) return letPass(event);
		const messageIds = messageIdsOf(event);
		for (const messageId of messageIds) {
			const ahead = this.underway.get(messageKeyOf(event, messageId));
			if (ahead && ahead.rank >= rank) return { kind: 'undecided', until: ahead.settled };
		}
		const advanced = messageIds.filter(
			(messageId) => !this.hasReached(messageKeyOf(event, messageId), rank),
		);
		if (advanced.length === 0) return { kind: 'overtaken' };
		const keys = advanced.map((messageId) => messageKeyOf(event, messageId));
		return {
			kind: 'advances',
			event: narrow(event, advanced),
			follow: (settled) => void this.follow(keys, rank, settled),
		};
	}

	private hasReached(key: string, rank: number): boolean {
		for (let higher = rank; higher <= HIGHEST_RANK; higher++) {
			if (this.reached.has(`${higher} ${key}`)) return true;
		}
		return false;
	}

	private async follow(keys: string[], rank: number, settled: Promise<Settlement>): Promise<void> {
		const entry = { rank, settled };
		for (const key of keys) {
			if ((this.underway.get(key)?.rank ?? 0) <= rank) this.underway.set(key, entry);
		}
		const result = await settled;
		for (const key of keys) {
			if (result === 'accepted') this.reached.add(`${rank} ${key}`);
			if (this.underway.get(key) === entry) this.underway.delete(key);
		}
	}
}

/** What cannot be judged is not held back, and nothing is remembered of it. */
function letPass(event: GatewayEvent): StatusVerdict {
	return { kind: 'advances', event, follow: () => {} };
}

/** Whether a status event says of which messages it speaks as the document shows it: in a list of texts. */
function namesMessages(event: GatewayEvent): boolean {
	const { messageIds } = dataOf(event);
	if (!Array.isArray(messageIds) || messageIds.length === 0) return false;
	return messageIds.every((id: unknown) => typeof id === 'string');
}

/** Message ids are the network's, and two numbers on it may see the same one. */
function messageKeyOf(event: GatewayEvent, messageId: string): string {
	return `${textIn(event, 'instanceId') ?? ''} ${messageId}`;
}

function narrow(event: GatewayEvent, messageIds: string[]): GatewayEvent {
	const data: IDataObject = { ...dataOf(event), messageIds };
	return { ...event, data };
}
