import type {
	IDataObject,
	IHookFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { readOption, splitCommas } from '../../fields/read';
import { quote } from '../../gateway/failure';
import { TOKENS } from '../../gateway/secrets';
import type { ConfirmWhen } from '../../n8n/respond';
import { INTERNATIONAL, phoneKeyOf, readPhone } from '../../values/phone';
import { CHAT_TYPES, fields } from './options';

export type TriggerContext = IHookFunctions | ITriggerFunctions | IWebhookFunctions;

/** Whether the editor listens for a test event. */
export function isTest(context: TriggerContext): boolean {
	return context.getMode() === 'manual';
}

export function isManualSetup(context: TriggerContext): boolean {
	return context.getNodeParameter('webhookSetup') === 'manual';
}

/** The webhook secret in the credential, for manual setup; undefined if it is empty. */
export async function readCredentialSecret(context: TriggerContext): Promise<string | undefined> {
	const { webhookSecret } = await context.getCredentials(TOKENS.account.credential);
	return String(webhookSecret ?? '').trim() || undefined;
}

/** The values of an option that is a group of numbers. */
type NumbersOfGroup = Record<string, number>;

export type TriggerSettings = ReturnType<typeof readSettings>;

/** The trigger's parameters; an empty list restricts nothing. Throws if a value cannot be used. */
export function readSettings(context: TriggerContext) {
	const options = readOptions(context);
	const debounce = options.combineMessages as NumbersOfGroup | undefined;
	const turn = options.oneTurnAtATime as NumbersOfGroup | undefined;
	const limit = options.maxStartsPerConversation as NumbersOfGroup | undefined;

	const confirmWhen = options.confirmWhen as ConfirmWhen;

	// The request of the newest message waits for the quiet time, and must get its response in time.
	if (debounce && debounce.quietSeconds > 6 && confirmWhen !== 'received') {
		throw new Error(
			"'Quiet Time (Seconds)' is at most 6, or 60 with 'Confirm Event: When Received'. Choose that, or enter 1 to 6.",
		);
	}

	return {
		events: readSubscribedEvents(context),
		instanceIds: splitCommas(context.getNodeParameter('instanceIds')),
		isRaw: context.getNodeParameter('output') === 'raw',
		chatTypes: readChatTypes(context.getNodeParameter('chatTypes')),
		messageTypes: splitCommas(options.messageTypes).map((type) => type.toUpperCase()),
		/** Undefined means everybody. */
		senders: (options.senders as string[] | undefined)?.map(readSender),
		onlyQuotedReplies: options.onlyQuotedReplies as boolean,
		ignoreAnswers: options.ignoreAnswers as boolean,
		ignoreMessagesFromN8n: options.ignoreMessagesFromN8n as boolean,
		ignoreOutdatedStatuses: options.ignoreOutdatedStatuses as boolean,
		maxAgeMs: Number(options.ignoreOlderThan) * 60_000,
		maxPerExecution: Number(options.maxPerExecution),
		confirmWhen,
		debounce: debounce && {
			quietMs: debounce.quietSeconds * 1000,
			maxWaitMs: debounce.maxWaitSeconds * 1000,
		},
		maxTurnMs: turn && turn.maxTurnMinutes * 60_000,
		startLimit: limit && { maxStarts: limit.maxStarts, withinMs: limit.minutes * 60_000 },
	};
}

/** *Trigger On* and *Custom Events*, sorted. Throws if there is none, or an impossible one. */
export function readSubscribedEvents(context: TriggerContext): string[] {
	const added = context.getNodeParameter('options') as IDataObject;
	const chosen = splitCommas(context.getNodeParameter('events'));
	const custom = splitCommas(added.customEvents);
	const events = [...new Set([...chosen, ...custom])].sort();

	if (events.length === 0) throw new Error("Choose at least one event in 'Trigger On'");
	const unknown = events.find((event) => /[a-z]/.test(event));
	if (unknown === undefined) return events;
	throw new Error(
		`${quote(unknown)} cannot be one of 'Trigger On' or 'Custom Events'. Write event types in capitals, e.g. MESSAGE.RECEIVED, as your gateway’s API documentation does.`,
	);
}

/** The values of options that are not added: those of most options, in each delivery. */
const DEFAULTS: IDataObject = {};
for (const field of fields) DEFAULTS[field.name] = readOption(field, {});

function readOptions(context: TriggerContext): IDataObject {
	const added = { ...(context.getNodeParameter('options') as IDataObject) };
	// An empty *Only From* means everybody, an expression that gives nothing does not.
	if ('senders' in added && isTypedEmpty(context, 'senders')) delete added.senders;

	const options = { ...DEFAULTS };
	for (const field of fields) {
		if (field.name in added) options[field.name] = readOption(field, added);
	}
	return options;
}

/** Whether a person has left the field of an option empty, in place of writing an expression. */
function isTypedEmpty(context: TriggerContext, name: string): boolean {
	const typed = context.getNodeParameter('options', {}, { rawExpressions: true }) as IDataObject;
	return typed[name] === '';
}

function readChatTypes(value: unknown): string[] {
	const chosen = splitCommas(value);
	const known = CHAT_TYPES.map((type) => type.value);
	const unknown = chosen.find((each) => !known.includes(each));
	if (unknown === undefined) return chosen;
	throw new Error(`${quote(unknown)} cannot be one of Chat Types. Use ${known.join(', ')}.`);
}

/** The ID of a person (API 2.2): not that of a group, a channel or statuses. */
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
