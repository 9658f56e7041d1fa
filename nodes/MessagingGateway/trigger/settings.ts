import type {
	IDataObject,
	IHookFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { splitCommas } from '../fields/commas';
import { readEvents } from '../fields/events';
import type { AnswerWhen } from '../webhooks/settlement';

export type Registration = 'automatic' | 'manual';
export type ChatKind = 'group' | 'person' | 'status';

/** How long a conversation gathers what is said in it, in milliseconds. */
export interface Quiet {
	/** It is over when nothing has come for so long. */
	quietMs: number;
	/** It is over so long after its first message in any case. */
	longestMs: number;
}

/** The trigger's parameters as the user filled them in; an empty list means no restriction. */
export interface TriggerSettings {
	/** Event types, the known and the custom ones, sorted and without repetition. */
	events: string[];
	instanceIds: string[];
	output: 'envelope' | 'simplified';
	chatKinds: ChatKind[];
	/** In upper case, as the API document writes them. */
	messageTypes: string[];
	onlyReplies: boolean;
	forwardOnly: boolean;
	/** How many events may share one execution; 1 for none. */
	maxPerExecution: number;
	answerWhen: AnswerWhen;
	/** How long to gather what a person writes in several messages; undefined where each comes by itself. */
	quiet?: Quiet;
	leaveOutAnswers: boolean;
}

type TriggerContext = IHookFunctions | ITriggerFunctions | IWebhookFunctions;

/** Whether the editor listens for a test event, at a URL of its own. */
export function isTest(context: TriggerContext): boolean {
	return context.getMode() === 'manual';
}

export function readRegistration(context: TriggerContext): Registration {
	return context.getNodeParameter('registration', 'automatic') === 'manual'
		? 'manual'
		: 'automatic';
}

export function readSettings(context: TriggerContext): TriggerSettings {
	const options = readOptions(context);
	return {
		events: readSubscribedEvents(context, options),
		instanceIds: splitCommas(options.instanceIds),
		output:
			context.getNodeParameter('output', 'simplified') === 'envelope' ? 'envelope' : 'simplified',
		chatKinds: splitCommas(options.chatKinds) as ChatKind[],
		messageTypes: splitCommas(options.messageTypes).map((type) => type.toUpperCase()),
		onlyReplies: options.onlyReplies === true,
		forwardOnly: options.forwardOnly === true,
		maxPerExecution: Math.max(1, Math.trunc(Number(options.maxPerExecution)) || 1),
		answerWhen: readAnswerWhen(context, options),
		quiet: readQuiet(options),
		leaveOutAnswers: options.leaveOutAnswers === true,
	};
}

/**
 * The newest message is held for the quiet time, and must be able to start an execution then: what an expression gives
 * beyond the limits of the fields counts as the nearest one within.
 */
function readQuiet({ quietSeconds, longestWait }: IDataObject): Quiet | undefined {
	const seconds = Number(quietSeconds);
	if (!seconds) return undefined;
	return {
		quietMs: limit(seconds, 1, 6) * 1000,
		longestMs: limit(Number(longestWait) || 30, 5, 60) * 1000,
	};
}

function limit(value: number, least: number, most: number): number {
	return Math.min(most, Math.max(least, value));
}

export function readAnswerWhen(
	context: TriggerContext,
	{ answerWhen } = readOptions(context),
): AnswerWhen {
	return answerWhen === 'succeeded' ? 'succeeded' : 'started';
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
