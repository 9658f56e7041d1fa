import type { IDataObject } from 'n8n-workflow';
import { flagField, groupField, numberField, stringField, type Field } from '../fields/field';
import { MAX_LENGTH } from '../question/readAnswer';
import { INTERNATIONAL, isIdOfDigits, readPhone } from '../values/phone';

const UNITS_MS: Record<string, number> = { days: 86_400_000, hours: 3_600_000, minutes: 60_000 };
const DEFAULT_WAIT = { resumeAmount: 24, resumeUnit: 'hours' };
const MAX_DAYS = 365;
const MAX_CHOICES = 9;

/** The response type, and what each type needs. */
export const answerFields: Field[] = [
	{
		displayName: 'Response Type',
		name: 'responseType',
		type: 'options',
		default: 'reply',
		required: true,
		options: [
			{ name: 'Approval', value: 'approval', description: 'Yes or no, by numbers of its own' },
			{ name: 'Choice', value: 'choice', description: 'One of the choices that you list' },
			{ name: 'Reply', value: 'reply', description: 'Whatever the person writes next' },
		],
		description: 'What counts as the answer',
		builderHint: {
			propertyHint: [
				'approval puts out `data.approved` (true or false), choice `data.choice`; each also',
				'`data.text` (none for a picture: requireText; reply takes any text, even a start word: check),',
				'`data.messageType`, `data.responder` (phone with +, personKey; if hidden, id alone),',
				'`data.chatId`, `data.messageId` (of the question), `data.respondedAt`, `replyTo`, `event`.',
				'Any other message leaves it open. A new reply or choice ends the one before in its chat (that goes on without data).',
				"Without an answer in time, or (set onError 'continueRegularOutput') if nobody could be asked,",
				'the input goes on without any `data`: behind it, If $json.data !== undefined',
				'→ If $json.data.approved, or Switch on $json.data.choice.',
				'Later answers start triggers like any text.',
				'Takes one item. To ask many, start a sub-workflow for each without waiting, no loop, no error output.',
				'More than 50: sendText with numbered lines, and a trigger that counts number or label alone, else asks again.',
			].join(' '),
		},
	},
	{
		displayName: 'Choices',
		name: 'choices',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		required: true,
		placeholder: 'e.g. Tomorrow morning',
		hint: 'One choice a line',
		description:
			'Two to nine. The message numbers them (letters if they hold such a number): end it with "Please answer with the number".',
		displayOptions: { show: { responseType: ['choice'] } },
		parse: parseChoices,
	},
	groupField({
		displayName: 'Approval Options',
		name: 'approvalOptions',
		placeholder: 'Add Labels',
		description:
			'Labels, numbered (2711, 2712), like No: leave of Ana; end Message with "Please answer with the number"',
		title: 'Labels',
		fields: [
			{ displayName: 'Approve Label', name: 'approveLabel', type: 'string', default: 'Yes' },
			{ displayName: 'Decline Label', name: 'disapproveLabel', type: 'string', default: 'No' },
		],
		displayOptions: { show: { responseType: ['approval'] } },
		parse: parseLabels,
	}),
];

/** Options of a question, by their display names. */
export const questionOptions: Field[] = [
	groupField({
		displayName: 'Limit Wait Time',
		name: 'limitWaitTime',
		default: { values: DEFAULT_WAIT },
		description: 'Then the workflow goes on without an answer',
		title: 'Time',
		fields: [
			{
				displayName: 'Amount',
				name: 'resumeAmount',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 24,
				description: 'How long to wait',
			},
			{
				displayName: 'Unit',
				name: 'resumeUnit',
				type: 'options',
				default: 'hours',
				options: ['Days', 'Hours', 'Minutes'].map((name) => ({ name, value: name.toLowerCase() })),
			},
		],
		parse: parseWait,
	}),
	numberField({
		displayName: 'Max Open Questions',
		name: 'maxOpenQuestions',
		default: 20,
		range: [1, 50],
		isWhole: true,
		description: 'How many approvals, or others, this workflow may have open, 1 to 50',
	}),
	stringField({
		displayName: 'Person Asked',
		name: 'person',
		// An expression that finds nothing must not let everybody in.
		required: true,
		placeholder: 'e.g. +55 11 98765-4321',
		description:
			'Who can answer in a group: a phone with country code, or a sender ID. By default, anybody.',
		parse: (value, { defaultCountry }) => {
			const typed = String(value).trim();
			if (typed.includes('@') || isIdOfDigits(typed)) return typed;
			return readPhone(typed, defaultCountry || INTERNATIONAL);
		},
	}),
	flagField({
		displayName: 'Require Quoted Reply',
		name: 'requireQuotedReply',
		description: 'Whether only a message that quotes the question counts',
	}),
	flagField({
		displayName: 'Require Text',
		name: 'requireText',
		description: 'Whether a reply counts only if it has text',
	}),
];

function parseChoices(value: unknown): string[] {
	const lines = String(value)
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '');
	const listed = [...new Set(lines)];

	const isShort = listed.every(({ length }) => length <= MAX_LENGTH);
	if (listed.length > 1 && listed.length <= MAX_CHOICES && isShort) return listed;
	throw new Error(
		`Choices needs two to ${MAX_CHOICES}, each in a line of its own of at most ${MAX_LENGTH} characters.`,
	);
}

function parseLabels(value: unknown): string[] {
	const { values = {} } = value as { values?: IDataObject };
	const yes = String(values.approveLabel || 'Yes').trim();
	const no = String(values.disapproveLabel || 'No').trim();

	const isShort = yes.length <= MAX_LENGTH && no.length <= MAX_LENGTH;
	if (isShort && yes.toLowerCase() !== no.toLowerCase()) return [yes, no];
	throw new Error(
		`Approve Label and Decline Label must differ, and have at most ${MAX_LENGTH} characters.`,
	);
}

function parseWait(value: unknown): number {
	const { values } = value as { values?: IDataObject };
	const { resumeAmount, resumeUnit } = { ...DEFAULT_WAIT, ...values };
	const milliseconds = Number(resumeAmount) * UNITS_MS[String(resumeUnit)];
	if (milliseconds > 0 && milliseconds <= MAX_DAYS * UNITS_MS.days) return milliseconds;
	throw new Error(`Limit Wait Time must be above 0, and at most ${MAX_DAYS} days.`);
}
