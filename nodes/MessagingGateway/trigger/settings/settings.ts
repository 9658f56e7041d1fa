import type {
	IDataObject,
	IHookFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { parseEvents, splitCommas } from '../../fields/parse';
import { quote } from '../../gateway/plainText';
import { TOKENS } from '../../gateway/secrets';
import type { ConfirmWhen } from '../../incoming/respond';
import { INTERNATIONAL, phoneKeyOf, readPhone } from '../../phone';
import * as fields from './options';

const CONFIRM_WHEN: ConfirmWhen[] = ['received', 'started', 'succeeded'];

export type TriggerContext = IHookFunctions | ITriggerFunctions | IWebhookFunctions;

/** Whether the editor listens for a test event. */
export function isTest(context: TriggerContext): boolean {
	return context.getMode() === 'manual';
}

export function isManualSetup(context: TriggerContext): boolean {
	return context.getNodeParameter('webhookSetup', 'automatic') === 'manual';
}

/** The webhook secret in the credential, for manual setup; undefined if it is empty. */
export async function readCredentialSecret(context: TriggerContext): Promise<string | undefined> {
	const { webhookSecret } = await context.getCredentials(TOKENS.account.credential);
	return String(webhookSecret ?? '').trim() || undefined;
}

export type TriggerSettings = ReturnType<typeof readSettings>;

/** The trigger's parameters. An empty list means no restriction. Throws if a value cannot be used. */
export function readSettings(context: TriggerContext) {
	const options = readOptions(context);
	const debounce = fields.readOption(fields.combineMessages, options);
	const turn = fields.readOption(fields.oneTurnAtATime, options);
	const limit = fields.readOption(fields.maxStarts, options);
	const confirmWhen = CONFIRM_WHEN.find((each) => each === options.confirmWhen) ?? 'started';
	// The request of the newest message waits for the quiet time. Unless it is confirmed, it must get its response in time.
	if (debounce && debounce.quietSeconds > 6 && confirmWhen !== 'received') {
		throw new Error(
			"'Quiet Time (Seconds)' is at most 6, or 60 with 'Confirm Event: When Received'. Choose that, or enter 1 to 6.",
		);
	}
	return {
		events: readSubscribedEvents(context),
		instanceIds: splitCommas(context.getNodeParameter('instanceIds', [])),
		isRaw: context.getNodeParameter('output', 'simplified') === 'raw',
		chatTypes: readChatTypes(context.getNodeParameter('chatTypes', ['person'])),
		messageTypes: splitCommas(options.messageTypes).map((type) => type.toUpperCase()),
		senders: readSenders(context, options),
		onlyQuotedReplies: options.onlyQuotedReplies === true,
		ignoreAnswers: options.ignoreAnswers !== false,
		ignoreOutdatedStatuses: options.ignoreOutdatedStatuses === true,
		maxAgeMs: fields.readOption(fields.maxAge, options) * 60_000,
		maxPerExecution: fields.readOption(fields.maxPerExecution, options),
		confirmWhen,
		debounce: debounce && {
			quietMs: debounce.quietSeconds * 1000,
			maxWaitMs: debounce.maxWaitSeconds * 1000,
		},
		maxTurnMs: turn && turn.maxTurnMinutes * 60_000,
		startLimit: limit && { maxStarts: limit.maxStarts, withinMs: limit.minutes * 60_000 },
	};
}

/** *Trigger On* and *Custom Events*, sorted. Throws if there is none, or one that no gateway has. */
export function readSubscribedEvents(context: TriggerContext): string[] {
	const { customEvents } = readOptions(context);
	const events = parseEvents(context.getNodeParameter('events', []), customEvents).sort();
	if (events.length === 0) throw new Error("Choose at least one event in 'Trigger On'");
	const unknown = events.find((event) => /[a-z]/.test(event));
	if (unknown === undefined) return events;
	throw new Error(
		`${quote(unknown)} cannot be in 'Trigger On' or 'Custom Events'. Write event types in capitals, e.g. MESSAGE.RECEIVED, as your gateway’s API documentation does.`,
	);
}

function readOptions(context: TriggerContext): IDataObject {
	return context.getNodeParameter('options', {}) as IDataObject;
}

function readChatTypes(value: unknown): string[] {
	const chosen = splitCommas(value);
	const known = fields.CHAT_TYPES.map((type) => type.value);
	const unknown = chosen.find((each) => !known.includes(each));
	if (unknown === undefined) return chosen;
	throw new Error(`${quote(unknown)} cannot be one of Chat Types. Use ${known.join(', ')}.`);
}

/** An empty field means everybody (undefined). An expression that gives nothing is refused, since it names nobody. */
function readSenders(context: TriggerContext, options: IDataObject): string[] | undefined {
	if (!('senders' in options)) return undefined;
	const typed = context.getNodeParameter('options', {}, { rawExpressions: true }) as IDataObject;
	if (typed.senders === '') return undefined;
	const names = splitCommas(options.senders);
	if (names.length > 0) return names.map(readSender);
	throw new Error(
		'Only From names nobody, so that no message would start the workflow. Enter a phone or an ID, or remove the option.',
	);
}

/** The ID of a person (API document, "Identifiers"): not that of a group, a channel or statuses. */
const PERSON_ID = /^[^\s\p{C}@]+@(?!g\.us$|newsletter$|broadcast$)[^\s\p{C}@]+$/u;

function readSender(name: string): string {
	const sender = PERSON_ID.test(name) ? name : findPhoneKey(name);
	if (sender !== undefined) return sender;
	throw new Error(
		`${quote(name)} cannot be one of Only From. Enter a phone with its country code, or the ID of a person: the personKey of an item whose phone is hidden.`,
	);
}

function findPhoneKey(name: string): string | undefined {
	try {
		return phoneKeyOf(readPhone(name, INTERNATIONAL));
	} catch {
		return undefined;
	}
}
