import type { GatewayEvent } from '../incoming/event';
import { resumeUrlOf, type WaitingContext } from '../n8n/waitingExecution';
import { fingerprint, keyOf } from './question';

/**
 * The part of a question that its signed URL tells every process. Names of people are fingerprints there, so
 * that a list of webhooks shows no phone number.
 */
export interface Listing {
	/** An approval has numbers of its own; of the others a chat has one. */
	kind: 'approval' | 'other';
	/** Three digits with which the numbers of an approval begin; else empty. */
	code: string;
	/** Whether only a message that quotes the question can answer it. */
	needsQuote: boolean;
	/** Milliseconds. */
	until: number;
	/** With a fraction of a millisecond: two workers hardly open a question at the same moment. */
	openedAt: number;
	/** Fingerprint of the workflow that asks. */
	workflow: string;
	/** Fingerprint of the recipient, as the author has named it. */
	to: string;
	/** Fingerprint of *Person Asked*. */
	person?: string;
	/** The number that asks; undefined until it is known. */
	instanceId?: string;
	/** ID of the chat as the gateway names it, told by `MESSAGE.SENT`. */
	chatId?: string;
	/** Fingerprint of the phone of the chat, told by `MESSAGE.SENT`. */
	chatPhone?: string;
}

/** The parameters that a listing has if it is known. */
const OPTIONAL = ['person', 'instanceId', 'chatId', 'chatPhone'] as const;

/** Fingerprint of this n8n: several may use one account. */
export function ownerOf(context: WaitingContext): string {
	return fingerprint(context.getInstanceId());
}

/** The URL that resumes the execution, with the listing as its parameters. */
export function composeUrl(context: WaitingContext, listing: Listing): string {
	const parameters: Record<string, string> = {
		kind: listing.kind,
		until: String(listing.until),
		openedAt: String(listing.openedAt),
		workflow: listing.workflow,
		to: listing.to,
		by: ownerOf(context),
	};
	if (listing.code !== '') parameters.code = listing.code;
	if (listing.needsQuote) parameters.needsQuote = 'true';
	for (const name of OPTIONAL) {
		const value = listing[name];
		if (value !== undefined && value !== '') parameters[name] = value;
	}
	return resumeUrlOf(context, parameters);
}

/** Reads the parameters of such a URL; undefined if it is that of no question. */
export function readListing(parameters: Record<string, unknown>): Listing | undefined {
	const { kind } = parameters;
	const until = Number(parameters.until);
	const isQuestion = (kind === 'approval' || kind === 'other') && until > 0;
	if (!isQuestion) return undefined;

	const listing: Listing = {
		kind,
		code: String(parameters.code ?? ''),
		needsQuote: parameters.needsQuote === 'true',
		until,
		openedAt: Number(parameters.openedAt),
		workflow: String(parameters.workflow),
		to: String(parameters.to),
	};
	for (const name of OPTIONAL) {
		const value = parameters[name];
		if (typeof value === 'string') listing[name] = value;
	}
	return listing;
}

/**
 * Whether two questions are asked in one chat: it is the recipient, and the number that asks. A number
 * that is not known yet is any.
 */
export function isSameChat(one: Listing, other: Listing): boolean {
	const isSameNumber =
		one.instanceId === undefined ||
		other.instanceId === undefined ||
		one.instanceId === other.instanceId;
	return isSameNumber && keysOf(one).some((key) => keysOf(other).includes(key));
}

/** Whether a message is written where a question was asked, by somebody who may answer. */
export function isInChat(listing: Listing, event: GatewayEvent): boolean {
	const { chat, sender } = event;
	if (chat === undefined || chat.type === 'status') return false;

	const { instanceId, person } = listing;
	const isSameNumber = instanceId === undefined || instanceId === event.instanceId;
	const isThere = namesOf(chat).some((key) => keysOf(listing).includes(key));
	if (!isSameNumber || !isThere) return false;

	const isPersonAsked =
		person === undefined || chat.type === 'person' || namesOf(sender).includes(person);
	return isPersonAsked;
}

/** The fingerprints under which the chat of a question is known. */
function keysOf({ to, chatId, chatPhone }: Listing): string[] {
	const learned = [chatId === undefined ? undefined : keyOf(chatId), chatPhone];
	return [to, ...learned.filter((key) => key !== undefined)];
}

function namesOf(address: Partial<GatewayEvent['sender']>): string[] {
	const names = [address?.id, address?.phone];
	return names.filter((name) => name !== undefined).map(keyOf);
}
