import type { Answer } from './gateway';

const SEND = '--write --to';
const WEBHOOK = '--write --webhook';
const RECEIVE = '--write --to --webhook --listen';

/** The rows of the table: the subject, what to do if the gateway differs, and the options without which it is not tried. */
export const ROWS = {
	settings: ['settings of the number', 'no field: *Get Settings* may fail'],
	refusals: ['form of a refusal', 'no field: messages show it as it comes'],
	signature: ['signed deliveries', 'no field: the trigger refuses them', RECEIVE],
	A1: ['list of webhooks', 'enter your path as *Webhooks Path* in both credentials'],
	'A1 changes': ['create and delete a webhook', 'choose *Webhook Setup → Manual*', WEBHOOK],
	'A1 PATCH': [
		'change a webhook',
		'no field: only questions need it, and forget their chat at a restart of n8n',
		WEBHOOK,
	],
	A2: ['list of instances', 'enter your path as *Instances Path* in the account credential'],
	'A2 ID': ['ID of an instance', 'put an expression into *Number (Instance) Names or IDs*'],
	A3: ['field that shows typing', 'enter your field as *Presence Field* in the credential', SEND],
	A4: [
		'parameter of a poll',
		'enter yours as *Poll Parameter* in the instance credential',
		'--poll',
	],
	'A5 groups': ['list of groups', 'choose *By ID* in place of *From List*'],
	'A5 communities': ['list of communities', 'choose *By ID* in place of *From List*'],
	'A5 newsletters': ['list of newsletters', 'no field: *Get Many* may fail'],
	A6: ['answer to a send', 'no field: the outcome of each send is unknown', SEND],
	A7: ['types of events', 'enter the further types as *Custom Events* in the trigger'],
	A8: ['type of a chat with a person', 'choose no *Chat Types* in the trigger', RECEIVE],
	A9: ['status codes of refusals', 'no field: *may have been sent* can be wrong'],
	A10: ['events while one is open', 'use no *Combine Messages*, no *One Turn at a Time*', RECEIVE],
};

export type Row = keyof typeof ROWS;

/** Notes a row: whether the gateway is as documented or assumed. Undefined if nothing came that shows it. */
export type Note = (row: Row, isRight: boolean | undefined, words?: string) => void;

/** Notes a row by an answer. Nothing is seen if the gateway was not reached, is busy, or has trouble of its own. */
export function noteAnswer(note: Note, row: Row, answer: Answer, isRight: boolean, words = '') {
	const { status } = answer;
	const isSeen = status > 0 && status !== 429 && status < 500;
	note(row, isSeen ? isRight : undefined, isRight ? words : answer.words);
}
