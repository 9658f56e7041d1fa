import type { INode, INodeParameters } from 'n8n-workflow';
import { splitCommas } from '../../nodes/MessagingGateway/fields/read';
import { adviseOnStatus, explainNetworkError } from '../../nodes/MessagingGateway/gateway/advice';
import {
	readConnection,
	readFurtherNumbers,
} from '../../nodes/MessagingGateway/gateway/connection';
import { fillEndpoint } from '../../nodes/MessagingGateway/gateway/endpoints';
import { quote, toNodeError, toPlainText } from '../../nodes/MessagingGateway/gateway/failure';
import { whySecretUnfit, whyTokenUnfit } from '../../nodes/MessagingGateway/gateway/secrets';
import {
	changeData,
	conversationOf,
	isEvent,
	readEvent,
} from '../../nodes/MessagingGateway/incoming/event';
import { verifyDelivery } from '../../nodes/MessagingGateway/incoming/signature';
import { parseDisposition } from '../../nodes/MessagingGateway/libraries';
import { resources } from '../../nodes/MessagingGateway/operations';
import { findMeant, readMeant } from '../../nodes/MessagingGateway/question/isMeant';
import type { Known } from '../../nodes/MessagingGateway/question/known';
import { linesOf, readCode } from '../../nodes/MessagingGateway/question/labels';
import { isInChat, type Listing } from '../../nodes/MessagingGateway/question/listing';
import { keyOf, type Question } from '../../nodes/MessagingGateway/question/question';
import { readAnswer, type Asked } from '../../nodes/MessagingGateway/question/readAnswer';
import { passesFilters } from '../../nodes/MessagingGateway/trigger/delivery/filter';
import { combineMessages, present } from '../../nodes/MessagingGateway/trigger/delivery/present';
import { advance } from '../../nodes/MessagingGateway/trigger/delivery/statusOrder';
import { fields as triggerOptions } from '../../nodes/MessagingGateway/trigger/settings/options';
import {
	readSettings,
	type TriggerContext,
} from '../../nodes/MessagingGateway/trigger/settings/settings';
import { readCountry } from '../../nodes/MessagingGateway/values/country';
import * as folding from '../../nodes/MessagingGateway/values/fold';
import { parseTime, toWellFormed, writeJson } from '../../nodes/MessagingGateway/values/json';
import { countryOf, phoneKeyOf, readPhone } from '../../nodes/MessagingGateway/values/phone';

/** A function that reads a text which a stranger, a model or a spreadsheet may write. */
export interface Reader {
	/** The name of the exported function, perhaps with words behind it. */
	name: string;
	/** Reads a text. It may throw: a refusal is a result too. */
	read(text: string): unknown;
}

const NODE = { name: 'Send', type: 'x' } as INode;
const ANA = { id: '5511987654321@c.us', phone: '5511987654321' };

/** An event with a text in every place that the gateway's API documentation shows. */
function eventWith(text: string, chat: object = { id: text, phone: text, name: text, type: text }) {
	return {
		id: 'evt',
		type: 'MESSAGE.RECEIVED',
		instanceId: text,
		timestamp: text,
		[text]: text,
		data: {
			messageId: text,
			quotedMessageId: text,
			messageIds: [text],
			chat,
			sender: { id: text, phone: text, name: text },
			text,
			status: text,
			buttonReply: { id: text, title: text },
			messageType: text,
			[text]: text,
		},
	};
}

/** One of eight characters of a text is a field, or a message. */
function countOf(text: string): number {
	return Math.floor(text.length / 8);
}

function wideEvent(text: string) {
	const fields: Record<string, null> = {};
	for (let index = 0; index < countOf(text); index++) fields[`field${index}`] = null;
	return readEvent({
		id: 'evt',
		type: 'MESSAGE.STATUS_UPDATED',
		data: { status: 'READ', ...fields },
	});
}

function eventOfManyMessages(text: string) {
	const messageIds = Array.from({ length: countOf(text) }, (_, index) => String(index));
	return { ...wideEvent(''), messageIds };
}

function readTriggerSettings(options: INodeParameters = {}) {
	const parameters: INodeParameters = { options, events: ['MESSAGE.RECEIVED'] };
	const context = {
		getNodeParameter: (name: string, missing: unknown) => parameters[name] ?? missing,
	};
	return readSettings(context as unknown as TriggerContext);
}

function readCredential(changes: INodeParameters) {
	const fields = { baseUrl: 'https://gateway.example.com', instanceToken: 'svc_inst_1' };
	return readConnection({ ...fields, ...changes }, 'instance');
}

async function verify(id: string, signature: string) {
	const rawHeaders = ['webhook-id', id, 'webhook-timestamp', id, 'webhook-signature', signature];
	const readBody = async () => await Promise.resolve(undefined);
	return await verifyDelivery({ rawHeaders, readBody }, () => undefined);
}

/** A question that this process knows; a `person` in clear. */
function makeQuestion(changes: Partial<Question & Listing>): Known {
	const { person } = changes;
	const question: Question = {
		type: 'choice',
		labels: ['Yes', 'No'],
		to: '5511987654321',
		webhookId: 'w',
		messageId: 'q',
		secret: '',
		account: '',
		askedAt: 0,
		requireQuotedReply: false,
		requireText: false,
		isReview: false,
		ended: [],
		leftovers: [],
		...changes,
	};

	const listing: Listing = {
		kind: question.type === 'approval' ? 'approval' : 'other',
		code: '271',
		needsQuote: false,
		workflow: '',
		to: keyOf('5511987654321'),
		until: Infinity,
		openedAt: 0,
		person: person === undefined ? undefined : keyOf(person),
	};
	return {
		question,
		listing,
		url: '',
		state: { is: 'open' },
		lists: [],
		isTimeTold: false,
		isTidy: false,
	};
}

/** What a text in the chat of a question means, and whether the question is meant. */
function answer(text: string, changes: Partial<Question & Listing>) {
	const event = changeData(readEvent(eventWith(text, ANA)), {
		quotedMessageId: changes.isReview ? 'q' : null,
		messageType: 'TEXT',
	});
	const known = makeQuestion(changes);
	const isMeant = findMeant({ ...event, at: undefined }, [known]) === known;
	return { isMeant, reading: readMeant(known, event) };
}

const choiceOf = (label: string): Asked => ({
	type: 'choice',
	labels: [label, 'No'],
	code: '',
	requireText: false,
	isReview: false,
});

const everybody = readTriggerSettings();

const byName = (name: string, read: Reader['read']): Reader => ({ name, read });

const valueReaders: Reader[] = [
	...Object.entries(folding).map(([name, read]) => byName(name, read)),
	byName('phoneKeyOf', phoneKeyOf),
	byName('readPhone', (text) => readPhone(text, 'BR')),
	byName('readPhone by country code', (text) => readPhone(text, 'international')),
	byName('countryOf', countryOf),
	byName('readCountry', readCountry),
	byName('parseTime', parseTime),
	byName('toWellFormed', toWellFormed),
	byName('writeJson', writeJson),
	byName('splitCommas', splitCommas),
];

const gatewayReaders: Reader[] = [
	byName('quote', quote),
	byName('toPlainText', toPlainText),
	byName('whySecretUnfit', (text) => whySecretUnfit(`whsec_${text}`)),
	byName('whyTokenUnfit', (text) => whyTokenUnfit(`svc_inst_${text}`, 'instance')),
	byName('fillEndpoint', (text) => fillEndpoint('GET /v1/{id}', {}, { id: text })),
	byName('readConnection of a path', (text) => readCredential({ webhooksPath: `a${text}` })),
	byName('readFurtherNumbers', (text) => readFurtherNumbers({ furtherNumbers: `inst_1${text}` })),
	byName('parseDisposition', (text) => parseDisposition(`attachment; filename="${text}"`)),
	byName('explainNetworkError', (text) =>
		explainNetworkError({ message: text }, 'https://a.example'),
	),
	byName('adviseOnStatus', (text) =>
		adviseOnStatus(302, { kind: 'account', path: text, location: text }),
	),
	byName('toNodeError', (text) => toNodeError(NODE, { message: text, description: text })),
];

const eventReaders: Reader[] = [
	byName('verifyDelivery of an ID', async (text) => await verify(text, 'v1,')),
	byName('verifyDelivery of a signature', async (text) => await verify('id', text)),
	byName('isEvent', (text) => isEvent(eventWith(text), 'evt')),
	byName('readEvent', (text) => readEvent(eventWith(text))),
	byName('conversationOf', (text) => conversationOf(readEvent(eventWith(text)))),
	byName('passesFilters', (text) => passesFilters(readEvent(eventWith(text)), everybody)),
	byName('present', (text) => present(readEvent(eventWith(text)), false)),
	byName('present of a raw one', (text) => present(readEvent(eventWith(text)), true)),
	byName('combineMessages', (text) =>
		combineMessages(Array(2).fill({ text, chatInput: text }), false),
	),
];

const questionReaders: Reader[] = [
	byName('isInChat', (text) => isInChat(makeQuestion({}).listing, readEvent(eventWith(text)))),
	byName('readAnswer', (text) => readAnswer(choiceOf('Yes'), text, false)),
	byName('readAnswer with such a label', (text) => readAnswer(choiceOf(text), 'yes', false)),
	byName('linesOf', (text) => linesOf(choiceOf(text)).length),
	byName('readCode', readCode),
	byName('findMeant', (text) => answer(text, {})),
	byName('readMeant of an approval', (text) => answer(text, { type: 'approval', isReview: true })),
	byName('readMeant of a reply', (text) => answer(text, { type: 'reply', person: text })),
];

const triggerOptionReaders = triggerOptions.map(({ name }) =>
	byName(`readSettings of ${name}`, (text) => readTriggerSettings({ [name]: text })),
);

/** The fields of the action node that have a `parse`, each of these functions once. */
function makeFieldReaders(): Reader[] {
	const operations = resources.flatMap((resource) => resource.operations);
	const fields = operations.flatMap((each) => [...each.fields, ...(each.options ?? [])]);
	const known = new Set<unknown>();
	const readers: Reader[] = [];
	for (const { name, parse } of fields) {
		if (parse === undefined || known.has(parse)) continue;
		known.add(parse);
		for (const mode of ['phone', 'id']) {
			const read = (text: string) => {
				const value = name === 'path' ? `/v1/${text}` : text;
				return parse(value, { mode, defaultCountry: 'BR' });
			};
			readers.push(byName(`parse of ${name}, ${mode}`, read));
		}
	}
	return readers;
}

/** Readers of events with many fields or messages. Only the length of their text counts. */
export const WIDE_READERS: Reader[] = [
	byName('readEvent of a wide one', wideEvent),
	byName('present of a wide one', (text) => present(wideEvent(text), false)),
	byName('present of many messages', (text) => present(eventOfManyMessages(text), false)),
	byName('advance of many messages', (text) =>
		advance(text, eventOfManyMessages(text), Promise.resolve('accepted')),
	),
];

/** Every exported function that reads what a stranger, a model or a spreadsheet may write. */
export const READERS: Reader[] = [
	...valueReaders,
	...gatewayReaders,
	...eventReaders,
	...questionReaders,
	...triggerOptionReaders,
	...makeFieldReaders(),
];

/**
 * Lets a reader read a text.
 *
 * @returns what it has read, or the error by which it has refused the text
 */
export async function runReader({ read }: Reader, text: string): Promise<unknown> {
	try {
		return await read(text);
	} catch (error) {
		return error;
	}
}
