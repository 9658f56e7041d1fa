import type { Field } from '../fields/field';
import { bounded, readFlag, readGroup } from '../fields/typed';
import { readPhone } from '../phone';
import type { QuestionDraft } from '../question/ask';

const UNITS_MS: Record<string, number> = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };
const MOST_DAYS = 365;

export const responseType: Field = {
	displayName: 'Response Type',
	name: 'responseType',
	type: 'options',
	default: 'reply',
	options: [
		{ name: 'Approval', value: 'approval', description: 'Yes or no' },
		{ name: 'Choice', value: 'choice', description: 'One of the choices that you list' },
		{ name: 'Reply', value: 'reply', description: 'Whatever the person writes next' },
	],
	description: 'What counts as the answer',
};

export const choices: Field = {
	displayName: 'Choices',
	name: 'choices',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	required: true,
	placeholder: 'e.g. Tomorrow morning',
	hint: 'One choice a line',
	description:
		'One in each line. The message lists them with numbers. The person answers with the number or the words.',
	displayOptions: { show: { responseType: ['choice'] } },
	clean: readChoices,
};

export const approvalOptions: Field = {
	displayName: 'Approval Options',
	name: 'approvalOptions',
	type: 'fixedCollection',
	placeholder: 'Add Labels',
	default: {},
	description:
		'The labels for yes and no, which the message lists with numbers. The person answers with the number, these words, or a plain yes or no in English or Portuguese.',
	options: [
		{
			displayName: 'Labels',
			name: 'values',
			values: [
				{ displayName: 'Approve Label', name: 'approveLabel', type: 'string', default: 'Yes' },
				{ displayName: 'Decline Label', name: 'disapproveLabel', type: 'string', default: 'No' },
			],
		},
	],
	displayOptions: { show: { responseType: ['approval'] } },
	clean: readLabels,
};

export const limitWaitTime: Field = {
	displayName: 'Limit Wait Time',
	name: 'limitWaitTime',
	type: 'fixedCollection',
	default: { values: { resumeAmount: 24, resumeUnit: 'hours' } },
	description:
		'How long to wait for the answer: 24 hours unless changed. Afterwards the workflow goes on with what came into this node.',
	options: [
		{
			displayName: 'Time',
			name: 'values',
			values: [
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
					options: [
						{ name: 'Days', value: 'days' },
						{ name: 'Hours', value: 'hours' },
						{ name: 'Minutes', value: 'minutes' },
					],
				},
			],
		},
	],
	clean: readWait,
};

export const requireQuotedReply: Field = {
	displayName: 'Require Quoted Reply',
	name: 'requireQuotedReply',
	type: 'boolean',
	default: true,
	description: 'Whether only a message that quotes the question counts',
	clean: readFlag,
};

export const person: Field = {
	displayName: 'Person Asked',
	name: 'person',
	type: 'string',
	default: '',
	// An expression that finds nothing must not let everybody in.
	required: true,
	placeholder: 'e.g. +55 11 98765-4321',
	description:
		'Who can answer in a group: a phone number with country code, or the ID of the sender in an event. Without this option, the first answer counts.',
	clean: async (value, _mode, { readDefaultCountry }) => {
		const typed = String(value).trim();
		return typed.includes('@') ? typed : readPhone(typed, await readDefaultCountry());
	},
};

const maxAttempts = bounded('Max Attempts', { from: 1, to: 10, isWhole: true });

export const askAgain: Field = {
	displayName: 'Ask Again',
	name: 'askAgain',
	type: 'fixedCollection',
	default: { values: { text: 'Please answer with one of the numbers.', maxAttempts: 2 } },
	description: 'The text to send when a reply fits no choice, and how often at most',
	options: [
		{
			displayName: 'Answer',
			name: 'values',
			values: [
				{
					displayName: 'Text',
					name: 'text',
					type: 'string',
					default: 'Please answer with one of the numbers.',
				},
				{
					displayName: 'Max Attempts',
					name: 'maxAttempts',
					type: 'number',
					typeOptions: maxAttempts.typeOptions,
					default: 2,
				},
			],
		},
	],
	clean: readAskAgain,
};

export const maxOpenQuestions: Field = {
	displayName: 'Max Open Questions',
	name: 'maxOpenQuestions',
	type: 'number',
	default: 20,
	description:
		'How many questions of this n8n may be open at once. Each of them takes n8n about 50 milliseconds for every message of the account. Beside a published trigger of the same account, up to 1,000 may be open, and they cost little.',
	...bounded('Max Open Questions', { from: 1, to: 1000, isWhole: true }),
};

function readChoices(value: unknown): string[] {
	const lines = String(value).split('\n');
	const listed = [...new Set(lines.map((line) => line.trim()).filter((line) => line !== ''))];
	if (listed.length > 1) return listed;
	throw new Error('Choices needs at least two, each in a line of its own.');
}

function readLabels(value: unknown): string[] {
	const { approveLabel, disapproveLabel } = readGroup(value, 'Approval Options');
	return [String(approveLabel || 'Yes').trim(), String(disapproveLabel || 'No').trim()];
}

function readWait(value: unknown): number {
	const { resumeAmount = 24, resumeUnit = 'hours' } = readGroup(value, 'Limit Wait Time');
	const milliseconds = Number(resumeAmount) * UNITS_MS[String(resumeUnit)];
	if (milliseconds > 0 && milliseconds <= MOST_DAYS * UNITS_MS.days) return milliseconds;
	throw new Error(`Limit Wait Time must be above 0, and at most ${MOST_DAYS} days.`);
}

function readAskAgain(value: unknown): QuestionDraft['askAgain'] {
	const { text = '', maxAttempts: most = 2 } = readGroup(value, 'Ask Again');
	if (String(text).trim() === '')
		throw new Error('Ask Again needs a text. Enter one, or remove the option.');
	return { text: String(text), maxAttempts: maxAttempts.clean(most) };
}
