import type {
	IDataObject,
	IHookFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { splitCommas } from '../fields/commas';
import { readEvents } from '../fields/events';

export type Registration = 'automatic' | 'manual';
export type ChatKind = 'group' | 'person' | 'status';
/** What a delivery's 200 waits for: that its execution has started, or that it has ended well. */
export type AnswerWhen = 'started' | 'succeeded';

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
		instanceIds: splitCommas(context.getNodeParameter('instanceIds', [])),
		output:
			context.getNodeParameter('output', 'simplified') === 'envelope' ? 'envelope' : 'simplified',
		chatKinds: splitCommas(options.chatKinds) as ChatKind[],
		messageTypes: splitCommas(options.messageTypes).map((type) => type.toUpperCase()),
		onlyReplies: options.onlyReplies === true,
		forwardOnly: options.forwardOnly === true,
		maxPerExecution: Math.max(1, Math.trunc(Number(options.maxPerExecution)) || 1),
		answerWhen: readAnswerWhen(context, options),
	};
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
