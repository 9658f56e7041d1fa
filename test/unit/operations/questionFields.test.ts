import type { NodeParameterValueType } from 'n8n-workflow';
import type { Field } from '../../../nodes/MessagingGateway/fields/field';
import { recipient } from '../../../nodes/MessagingGateway/fields/recipient';
import {
	approvalOptions,
	askAgain,
	choices,
	limitWaitTime,
	maxOpenQuestions,
	person,
} from '../../../nodes/MessagingGateway/operations/questionFields';

/** What goes on with a field's value, in a node whose numbers are Brazilian unless they say otherwise. */
async function read(field: Field, value: NodeParameterValueType): Promise<unknown> {
	const readDefaultCountry = async () => await Promise.resolve('BR');
	return await field.clean?.(value, undefined, { readDefaultCountry } as never);
}

const MINUTE = 60_000;
const inGroup = (values: object) => ({ values }) as NodeParameterValueType;

it.each<[string, Field, NodeParameterValueType, unknown]>([
	['two choices', choices, ' Red \n\nBlue\nRed', ['Red', 'Blue']],
	['no labels', approvalOptions, {}, ['Yes', 'No']],
	[
		'empty labels',
		approvalOptions,
		inGroup({ approveLabel: '', disapproveLabel: '' }),
		['Yes', 'No'],
	],
	[
		'labels, the one for yes first',
		approvalOptions,
		inGroup({ disapproveLabel: 'Leave it ', approveLabel: ' Do it' }),
		['Do it', 'Leave it'],
	],
	['a time without a unit', limitWaitTime, inGroup({ resumeAmount: 2 }), 120 * MINUTE],
	['a unit without a time', limitWaitTime, inGroup({ resumeUnit: 'minutes' }), 24 * MINUTE],
	[
		'the longest time',
		limitWaitTime,
		inGroup({ resumeAmount: 365, resumeUnit: 'days' }),
		365 * 24 * 60 * MINUTE,
	],
	['a person’s ID', person, ' 7@lid ', '7@lid'],
	['a person’s phone', person, '(11) 98765-4321', '5511987654321'],
	[
		'a text without a number of times',
		askAgain,
		inGroup({ text: 'Again?' }),
		{ text: 'Again?', maxAttempts: 2 },
	],
	[
		'the most times',
		askAgain,
		inGroup({ text: 'Again?', maxAttempts: 10 }),
		{ text: 'Again?', maxAttempts: 10 },
	],
	['the most questions', maxOpenQuestions, 1000, 1000],
	['the fewest questions', maxOpenQuestions, 1, 1],
])('reads %s', async (_what, field, value, expected) => {
	expect(await read(field, value)).toEqual(expected);
});

it.each<[string, Field, NodeParameterValueType, string]>([
	['one choice', choices, 'Red\n\nRed ', 'Choices needs at least two, each in a line of its own.'],
	['no time', limitWaitTime, inGroup({ resumeAmount: 0 }), 'Limit Wait Time must be above 0'],
	[
		'a time below none',
		limitWaitTime,
		inGroup({ resumeAmount: -1 }),
		'Limit Wait Time must be above 0',
	],
	[
		'more than the longest time',
		limitWaitTime,
		inGroup({ resumeAmount: 366, resumeUnit: 'days' }),
		'at most 365 days',
	],
	['an unknown unit', limitWaitTime, inGroup({ resumeUnit: 'weeks' }), 'Limit Wait Time must'],
	['an empty text', askAgain, inGroup({ text: ' ', maxAttempts: 1 }), 'Ask Again needs a text.'],
	['too many times', askAgain, inGroup({ text: 'Again?', maxAttempts: 11 }), 'Max Attempts'],
	['no times', askAgain, inGroup({ text: 'Again?', maxAttempts: 0 }), 'Max Attempts'],
	['too many questions', maxOpenQuestions, 1001, 'Max Open Questions'],
	['no questions', maxOpenQuestions, 0, 'Max Open Questions'],
	['no recipient', recipient, '  ', 'The recipient is empty.'],
])('refuses %s', async (_what, field, value, words) => {
	await expect((async () => await read(field, value))()).rejects.toThrow(words);
});
