import type { IncomingHttpHeaders } from 'node:http';
import type { SimulatorSettings } from './options';

export type TokenKind = 'account' | 'instance';

/** One API request as it came in and as it was answered. */
export interface RecordedRequest {
	method: string;
	/** Path without query and without the base path. */
	path: string;
	query: Record<string, unknown>;
	headers: IncomingHttpHeaders;
	/** Parsed JSON, or undefined when there was none or it could not be parsed. */
	body: unknown;
	rawBody: string;
	/** Status answered; 0 while open and when the connection was cut without an answer. */
	status: number;
	/** Beginning of the body answered; empty while open and when there was none. */
	answer: string;
	token: TokenKind | 'none';
	/** The number that the token acts for; undefined for that of the account and for none. */
	instanceId?: string;
	/** Milliseconds since 1970, with fractions. */
	startedAt: number;
	/** End of the answer or of the connection; 0 while open. */
	finishedAt: number;
	/** True when the request was a send and the message was really taken. */
	accepted: boolean;
	/** Kind of the fault that was played, if one was. */
	fault?: string;
}

export interface RecordedDelivery {
	eventId: string;
	type: string;
	webhookId: string;
	url: string;
	/** 1 for the first try. */
	attempt: number;
	startedAt: number;
	/** 0 while under way. */
	finishedAt: number;
	/** Status of the receiver's answer, null when there was none. */
	status: number | null;
	error?: string;
	/** Beginning of the receiver's answer. */
	answer?: string;
	body: string;
	headers: Record<string, string>;
	forged: boolean;
	/** True when the delivery was given up after this attempt. */
	givenUp: boolean;
}

export interface AcceptedSend {
	messageId: string;
	/** The number that sent it. */
	instanceId: string;
	to: string;
	text: string;
	/** Milliseconds since 1970. */
	at: number;
}

/** Milliseconds since 1970 with the precision that telling two overlapping requests apart needs. */
export function readClock(): number {
	return performance.timeOrigin + performance.now();
}

/** Requests, deliveries and accepted sends, for tests and for the laboratory of the page. */
export class Recorder {
	readonly requests: RecordedRequest[] = [];
	readonly deliveries: RecordedDelivery[] = [];
	readonly sends: AcceptedSend[] = [];

	constructor(private readonly settings: SimulatorSettings) {}

	keepRequest(request: RecordedRequest): void {
		this.keep(this.requests, request);
	}

	keepDelivery(delivery: RecordedDelivery): void {
		this.keep(this.deliveries, delivery);
	}

	keepSend(send: AcceptedSend): void {
		this.keep(this.sends, send);
	}

	clear(): void {
		this.requests.length = 0;
		this.deliveries.length = 0;
		this.sends.length = 0;
	}

	private keep<T>(list: T[], entry: T): void {
		list.push(entry);
		// Cutting off a tenth at a time keeps the cost per entry constant.
		if (list.length > this.settings.recordLimit * 1.1)
			list.splice(0, list.length - this.settings.recordLimit);
	}
}
