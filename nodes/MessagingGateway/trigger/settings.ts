import type {
	IDataObject,
	IHookFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { quote } from '../api/plainText';
import { readEvents, readGroup, splitCommas } from '../fields/typed';
import type { ConfirmWhen } from '../webhooks/http';
import { UNANSWERED_MS } from '../webhooks/patience';
import { BOUNDS, CHAT_TYPES } from './options';
import { readSenders } from './senders';

export type WebhookSetup = 'automatic' | 'manual';
export type ChatType = (typeof CHAT_TYPES)[number]['value'];

/** How long a conversation gathers what is said in it, in milliseconds. */
export interface Debounce {
	/** It is over when nothing has come for so long. */
	quietMs: number;
	/** It is over so long after its first message in any case. */
	maxWaitMs: number;
}

/** The trigger's parameters as the user filled them in; an empty list means no restriction, except of events. */
export interface TriggerSettings {
	/** Event types, the known and the custom ones, sorted and without repetition. */
	events: string[];
	instanceIds: string[];
	output: 'raw' | 'simplified';
	chatTypes: ChatType[];
	/** In upper case, as the API document writes them. */
	messageTypes: string[];
	/** Who may start the workflow, as `isFrom` takes it; undefined for everybody. */
	senders?: string[];
	onlyQuotedReplies: boolean;
	ignoreOutdatedStatuses: boolean;
	/** How many events may share one execution; 1 for none. */
	maxPerExecution: number;
	confirmWhen: ConfirmWhen;
	/** How long to gather what a person writes in several messages; undefined where each comes by itself. */
	debounce?: Debounce;
	/** How long a conversation waits at most for the execution that it has started; undefined where it waits for none. */
	maxTurnMs?: number;
	/** Whether n8n answers at the end of an execution, and not at its start. */
	answeredAtEnd: boolean;
}

type TriggerContext = IHookFunctions | ITriggerFunctions | IWebhookFunctions;

/** Whether the editor listens for a test event, at a URL of its own. */
export function isTest(context: TriggerContext): boolean {
	return context.getMode() === 'manual';
}

export function readWebhookSetup(context: TriggerContext): WebhookSetup {
	return context.getNodeParameter('webhookSetup', 'automatic') === 'manual'
		? 'manual'
		: 'automatic';
}

/** @throws Error in a person's words if an option has a value that cannot be used */
export function readSettings(context: TriggerContext): TriggerSettings {
	const options = readOptions(context);
	return {
		events: readSubscribedEvents(context, options),
		instanceIds: splitCommas(context.getNodeParameter('instanceIds', [])),
		output: context.getNodeParameter('output', 'simplified') === 'raw' ? 'raw' : 'simplified',
		chatTypes: readChatTypes(options.chatTypes),
		messageTypes: splitCommas(options.messageTypes).map((type) => type.toUpperCase()),
		senders: 'senders' in options ? readSenders(options.senders) : undefined,
		onlyQuotedReplies: options.onlyQuotedReplies === true,
		ignoreOutdatedStatuses: options.ignoreOutdatedStatuses === true,
		maxPerExecution: BOUNDS.maxPerExecution.clean(options.maxPerExecution ?? 1),
		confirmWhen: readConfirmWhen(context, options),
		debounce: readDebounce(options.combineMessages),
		maxTurnMs: readMaxTurn(options.oneTurnAtATime),
		answeredAtEnd: isAnsweredAtEnd(options),
	};
}

/** By itself: an expression in another option may fail. */
export function readIgnoreAnswers(context: TriggerContext): boolean {
	return context.getNodeParameter('options.ignoreAnswers', false) === true;
}

export function readConfirmWhen(
	context: TriggerContext,
	{ confirmWhen } = readOptions(context),
): ConfirmWhen {
	return confirmWhen === 'succeeded' ? 'succeeded' : 'started';
}

/** Whether n8n is asked to answer at the end of an execution: then its answer tells of the end. */
export function isAnsweredAtEnd({ confirmWhen, oneTurnAtATime }: IDataObject): boolean {
	return confirmWhen === 'succeeded' || oneTurnAtATime !== undefined;
}

/** How many milliseconds n8n may leave a start unanswered before a repeat may start as well. */
export function readPatience(context: TriggerContext): number {
	return UNANSWERED_MS[isAnsweredAtEnd(readOptions(context)) ? 'end' : 'start'];
}

/** The event types to subscribe to, from the list and from the option for types that the API document leaves open. */
export function readSubscribedEvents(
	context: TriggerContext,
	{ customEvents } = readOptions(context),
): string[] {
	return readEvents(context.getNodeParameter('events', []), customEvents).sort();
}

function readOptions(context: TriggerContext): IDataObject {
	return context.getNodeParameter('options', {}) as IDataObject;
}

/** @throws Error in a person's words if an expression gives something else: no message would start the workflow */
export function readChatTypes(value: unknown): ChatType[] {
	const wanted = splitCommas(value);
	const known: readonly string[] = CHAT_TYPES.map((type) => type.value);
	const unknown = wanted.find((each) => !known.includes(each));
	if (unknown === undefined) return wanted as ChatType[];
	throw new Error(
		`${quote(unknown)} cannot be one of Chat Types. Use ${known.join(', ')}, or remove the option.`,
	);
}

/** @throws Error in a person's words if a value of *Combine Messages* is out of its bounds */
export function readDebounce(value: unknown): Debounce | undefined {
	if (value === undefined) return undefined;
	const { quietSeconds = 4, maxWaitSeconds = 30 } = readGroup(value, 'Combine Messages');
	return {
		quietMs: BOUNDS.quietTime.clean(quietSeconds) * 1000,
		maxWaitMs: BOUNDS.maxWait.clean(maxWaitSeconds) * 1000,
	};
}

/**
 * The longest turn in milliseconds; undefined without the option *One Turn at a Time*.
 *
 * @throws Error in a person's words if the value is out of its bounds
 */
export function readMaxTurn(value: unknown): number | undefined {
	if (value === undefined) return undefined;
	const { maxTurnMinutes = 5 } = readGroup(value, 'One Turn at a Time');
	return BOUNDS.maxTurn.clean(maxTurnMinutes) * 60_000;
}
