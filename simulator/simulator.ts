import type { EventDraft, GatewayEvent } from './event';
import type { FaultControl } from './faults/control';
import type { FurtherNumber } from './options';
import type { AcceptedSend, RecordedDelivery, RecordedRequest } from './recorder';
import type { Chat, Message } from './state/chats';
import type { PollResults } from './state/directory';
import type { Ban, ConnectionStatus } from './state/instance';
import type { OwnWriting, Writing } from './state/traffic';
import type { DeliveryMode } from './webhooks/deliveries';
import type { WebhookRecord } from './webhooks/registry';
import type { SigningOptions } from './webhooks/sign';

/** A running simulator, as tests and the demo drive it. */
export interface Simulator {
	/** Base address of the API, without a trailing slash. */
	url: string;
	/** Address of the phone page and of `/simulator/…`, without a trailing slash. */
	pageUrl: string;
	readonly accountToken: string;
	readonly instanceToken: string;
	instanceId: string;
	/** The numbers of the account beside the first one. */
	readonly furtherNumbers: FurtherNumber[];
	/** All numbers, as the instance credential takes them; empty where there is only one. */
	readonly numberLines: string;
	/** Every API request in order of arrival. */
	requests: RecordedRequest[];
	/** Every attempt of every delivery in the order of their start. */
	deliveries: RecordedDelivery[];
	faults: FaultControl;
	/** The registered webhooks, secrets included. */
	webhooks(): WebhookRecord[];
	acceptedSends(): AcceptedSend[];
	/** The conversations as they look on the others' phones. */
	chats(): Array<Chat & { messages: Message[] }>;
	/** Makes a poll that poll-results can be asked for. */
	addPoll(poll: PollResults): void;
	/** Somebody writes to the number: `MESSAGE.RECEIVED`. Without a chat or phone it is the first person. */
	write(text: string, writing?: Writing): GatewayEvent;
	/**
	 * The owner of the number writes on the phone itself: assumed to emit what a send emits, with the id of a message that
	 * no send has made. Without a chat or phone it goes to the first person.
	 */
	writeAsOwner(text: string, writing?: OwnWriting): Message;
	/** Any event, completed with an envelope and delivered to the webhooks that asked for its type. */
	emit(event: EventDraft): GatewayEvent;
	/** The number's connection changes by itself: `CONNECTION.UPDATED`. */
	setConnection(status: ConnectionStatus, ban?: Ban): GatewayEvent;
	/** A pairing code appears or expires: `QRCODE.UPDATED`. Only for a number that was logged out. */
	setPairing(status: 'GENERATED' | 'EXPIRED'): GatewayEvent;
	/** Headers of a delivery signed with this secret, for deliveries that a test makes itself. */
	sign(
		payload: GatewayEvent | string | Buffer,
		secret: string,
		options?: SigningOptions,
	): Record<string, string>;
	/** A webhook made by hand, as in the provider's dashboard. */
	createWebhook(webhook: { url: string; events: string[] }): WebhookRecord;
	/** Gives a webhook another URL, as in the provider's dashboard. */
	moveWebhook(id: string, url: string): void;
	deleteWebhook(id: string): boolean;
	/**
	 * Lets the gateway's clock be wrong: in the `Date` header of each answer, in the time stamps of deliveries, and in
	 * events and records. Negative where it is behind.
	 */
	setClock(aheadSeconds: number): void;
	setDelivery(mode: Partial<DeliveryMode>): void;
	/** Makes all tokens anew, as in the provider's dashboard; the old ones are no longer known. */
	replaceTokens(): void;
	/** Resolves when no event is still to come and no delivery is under way or waits for another try. */
	drained(): Promise<void>;
	/** Refuses connections (and ends those that are open) until resumed on the same port. */
	pauseListening(): Promise<void>;
	resumeListening(): Promise<void>;
	/** Clears recordings, faults, delivery trouble, the clock, chats and settings; webhooks only when asked. */
	reset(options?: { webhooks?: boolean }): void;
	stop(): Promise<void>;
}
