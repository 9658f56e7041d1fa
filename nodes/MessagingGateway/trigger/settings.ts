import type {
	IDataObject,
	IHookFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { isObject } from '../api/answer';
import { splitCommas } from '../fields/commas';
import { readEvents } from '../fields/events';
import { readGroup } from '../fields/fieldGroup';
import type { ConfirmWhen } from '../webhooks/settlement';

export type WebhookSetup = 'automatic' | 'manual';
export type ChatType = 'channel' | 'group' | 'person' | 'status';

/** How long a conversation gathers what is said in it, in milliseconds. */
export interface Quiet {
	/** It is over when nothing has come for so long. */
	quietMs: number;
	/** It is over so long after its first message in any case. */
	maxWaitMs: number;
}

/** The trigger's parameters as the user filled them in; an empty list means no restriction. */
export interface TriggerSettings {
	/** Event types, the known and the custom ones, sorted and without repetition. */
	events: string[];
	instanceIds: string[];
	output: 'raw' | 'simplified';
	chatTypes: ChatType[];
	/** In upper case, as the API document writes them. */
	messageTypes: string[];
	onlyQuotedReplies: boolean;
	ignoreOutdatedStatuses: boolean;
	/** How many events may share one execution; 1 for none. */
	maxPerExecution: number;
	confirmWhen: ConfirmWhen;
	/** How long to gather what a person writes in several messages; undefined where each comes by itself. */
	quiet?: Quiet;
	ignoreAnswers: boolean;
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

export function readSettings(context: TriggerContext): TriggerSettings {
	const options = readOptions(context);
	return {
		events: readSubscribedEvents(context, options),
		instanceIds: splitCommas(context.getNodeParameter('instanceIds', [])),
		output: context.getNodeParameter('output', 'simplified') === 'raw' ? 'raw' : 'simplified',
		chatTypes: splitCommas(options.chatTypes) as ChatType[],
		messageTypes: splitCommas(options.messageTypes).map((type) => type.toUpperCase()),
		onlyQuotedReplies: options.onlyQuotedReplies === true,
		ignoreOutdatedStatuses: options.ignoreOutdatedStatuses === true,
		maxPerExecution: Math.max(1, Math.trunc(Number(options.maxPerExecution)) || 1),
		confirmWhen: readConfirmWhen(context, options),
		quiet: readQuiet(options),
		ignoreAnswers: options.ignoreAnswers === true,
	};
}

/**
 * The newest message is held for the quiet time, and must be able to start an execution then: what an expression gives
 * beyond the limits of the fields counts as the nearest one within.
 */
function readQuiet({ combineMessages }: IDataObject): Quiet | undefined {
	if (!isObject(combineMessages)) return undefined;
	const { quietSeconds, maxWaitSeconds } = readGroup(combineMessages);
	return {
		quietMs: limit(Number(quietSeconds) || 4, 1, 6) * 1000,
		maxWaitMs: limit(Number(maxWaitSeconds) || 30, 5, 60) * 1000,
	};
}

function limit(value: number, least: number, most: number): number {
	return Math.min(most, Math.max(least, value));
}

export function readConfirmWhen(
	context: TriggerContext,
	{ confirmWhen } = readOptions(context),
): ConfirmWhen {
	return confirmWhen === 'succeeded' ? 'succeeded' : 'started';
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
