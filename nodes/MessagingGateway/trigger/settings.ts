import type {
	IDataObject,
	IHookFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { isObject } from '../api/answer';
import { quote } from '../api/plainText';
import { readEvents, readGroup, splitCommas } from '../fields/typed';
import type { ConfirmWhen } from '../webhooks/http';
import { BOUNDS, CHAT_TYPES } from './options';
import { readSenders } from './senders';

export type ChatType = (typeof CHAT_TYPES)[number]['value'];

/** How long a conversation gathers messages before an execution starts, in milliseconds. */
interface Debounce {
	/** Without a new message. */
	quietMs: number;
	/** From the first message. */
	maxWaitMs: number;
}

/** The trigger's parameters as the person filled them in; an empty list means no restriction, except of events. */
export interface TriggerSettings {
	/** Event types, the known and the custom ones, sorted and without repetition. */
	events: string[];
	instanceIds: string[];
	output: 'raw' | 'simplified';
	chatTypes: ChatType[];
	/** In upper case, as the API document writes them. */
	messageTypes: string[];
	/** People who may start the workflow, as `isFrom` takes them; undefined for everybody. */
	senders?: string[];
	onlyQuotedReplies: boolean;
	ignoreAnswers: boolean;
	ignoreOutdatedStatuses: boolean;
	/** How many events may share one execution; 1 if none may. */
	maxPerExecution: number;
	confirmWhen: ConfirmWhen;
	/** Undefined if each message starts an execution. */
	debounce?: Debounce;
	/** How long a conversation waits at most for the execution that it has started; undefined if it does not wait. */
	maxTurnMs?: number;
	/** Whether n8n answers at the end of an execution, and not at its start. */
	isAnsweredAtEnd: boolean;
}

type TriggerContext = IHookFunctions | ITriggerFunctions | IWebhookFunctions;

/** Whether the editor listens for a test event, at a URL of its own. */
export function isTest(context: TriggerContext): boolean {
	return context.getMode() === 'manual';
}

/** Whether the trigger creates its webhook (`automatic`), or the person does. */
export function readWebhookSetup(context: TriggerContext): 'automatic' | 'manual' {
	return context.getNodeParameter('webhookSetup', 'automatic') === 'manual'
		? 'manual'
		: 'automatic';
}

/** @throws Error in a person's words if a field or an option has a value that cannot be used */
export function readSettings(context: TriggerContext): TriggerSettings {
	const options = readOptions(context);
	return {
		events: readSubscribedEvents(context, options),
		instanceIds: splitCommas(context.getNodeParameter('instanceIds', [])),
		output: context.getNodeParameter('output', 'simplified') === 'raw' ? 'raw' : 'simplified',
		chatTypes: readChatTypes(context.getNodeParameter('chatTypes', ['person'])),
		messageTypes: splitCommas(options.messageTypes).map((type) => type.toUpperCase()),
		senders: readOnlyFrom(context, options),
		onlyQuotedReplies: options.onlyQuotedReplies === true,
		ignoreAnswers: options.ignoreAnswers !== false,
		ignoreOutdatedStatuses: options.ignoreOutdatedStatuses === true,
		maxPerExecution: BOUNDS.maxPerExecution.clean(options.maxPerExecution ?? 1),
		confirmWhen: options.confirmWhen === 'succeeded' ? 'succeeded' : 'started',
		debounce: readDebounce(options.combineMessages),
		maxTurnMs: readMaxTurn(options.oneTurnAtATime),
		isAnsweredAtEnd: isAnsweredAtEnd(options),
	};
}

/** Whether n8n answers at the end of an execution, and not at its start. */
export function isAnsweredAtEnd({ confirmWhen, oneTurnAtATime }: IDataObject): boolean {
	return confirmWhen === 'succeeded' || isAdded(oneTurnAtATime);
}

/**
 * The event types to subscribe to: *Trigger On* and *Custom Events*.
 *
 * @throws Error in a person's words if there is none, or one that no gateway has
 */
export function readSubscribedEvents(
	context: TriggerContext,
	{ customEvents } = readOptions(context),
): string[] {
	const events = readEvents(context.getNodeParameter('events', []), customEvents).sort();
	if (events.length === 0) throw new Error('Choose at least one event to listen to');
	const unknown = events.find((event) => /[a-z]/.test(event));
	if (unknown === undefined) return events;
	throw new Error(
		`${quote(unknown)} is no event type. Write event types in capitals, e.g. MESSAGE.RECEIVED, as your gateway’s API documentation does.`,
	);
}

function readOptions(context: TriggerContext): IDataObject {
	return context.getNodeParameter('options', {}) as IDataObject;
}

function readChatTypes(value: unknown): ChatType[] {
	const chosen = splitCommas(value);
	const known: readonly string[] = CHAT_TYPES.map((type) => type.value);
	const unknown = chosen.find((each) => !known.includes(each));
	if (unknown === undefined) return chosen as ChatType[];
	throw new Error(`${quote(unknown)} cannot be one of Chat Types. Use ${known.join(', ')}.`);
}

/** A field left empty means everybody; an expression that gives nothing names nobody. */
function readOnlyFrom(context: TriggerContext, options: IDataObject): string[] | undefined {
	if (!('senders' in options)) return undefined;
	const typed = context.getNodeParameter('options', {}, { rawExpressions: true }) as IDataObject;
	return typed.senders === '' ? undefined : readSenders(options.senders);
}

function readDebounce(value: unknown): Debounce | undefined {
	if (!isAdded(value)) return undefined;
	const { quietSeconds = 4, maxWaitSeconds = 30 } = readGroup(value, 'Combine Messages');
	return {
		quietMs: BOUNDS.quietTime.clean(quietSeconds) * 1000,
		maxWaitMs: BOUNDS.maxWait.clean(maxWaitSeconds) * 1000,
	};
}

function readMaxTurn(value: unknown): number | undefined {
	if (!isAdded(value)) return undefined;
	const { maxTurnMinutes = 5 } = readGroup(value, 'One Turn at a Time');
	return BOUNDS.maxTurn.clean(maxTurnMinutes) * 60_000;
}

/** Whether a group of fields is added; by default it is empty. */
function isAdded(value: unknown): boolean {
	return value !== undefined && !(isObject(value) && value.values === undefined);
}
