import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { INode, INodeParameters } from 'n8n-workflow';
import { projectFolder } from '../../lab/host/places';
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
import {
	isInChat,
	keyOf,
	type Listing,
	type Question,
} from '../../nodes/MessagingGateway/question/question';
import { findRivals, readAnswer } from '../../nodes/MessagingGateway/question/readAnswer';
import { passesFilters } from '../../nodes/MessagingGateway/trigger/delivery/filter';
import { combineMessages, present } from '../../nodes/MessagingGateway/trigger/delivery/present';
import { advance } from '../../nodes/MessagingGateway/trigger/delivery/statusOrder';
import { fields as triggerOptions } from '../../nodes/MessagingGateway/trigger/settings/options';
import {
	readSettings,
	type TriggerContext,
} from '../../nodes/MessagingGateway/trigger/settings/settings';
import * as folding from '../../nodes/MessagingGateway/values/fold';
import { parseTime } from '../../nodes/MessagingGateway/values/json';
import { countryOf, phoneKeyOf, readPhone } from '../../nodes/MessagingGateway/values/phone';

/** What people and models may write: a unit that is repeated, or several, each repeated before the next. */
const ALPHABETS: Array<string | string[]> = [
	// Marks: in falling classes, Latin, Arabic, Hebrew, and letters that become marks.
	['\u0345', '\u035D', '\u035C', '\u0301', '\u0316', '\u0591', '\u093C', '\u0334'],
	...['\u0301\u0316', '\u064B\u0651', '\u05B0\u05BC\u0591', 'e\u0301', '\uFF9E\u0301', 'ﷺ', 'ß'],
	...['\u200B', '\u200D', '\u202E\u2066', '\uFE0F\u20E3', '\uD800', '\0', '👨‍👩‍👧', '👍🏽', '🇧🇷'],
	...[' ', '\u00A0', '\n', '\n ', '\t,', '1 ', '= ', 'domain '],
	...'/ /1 /. \\ . ..;/ - 1- ( 1 ٣ ३ 𝟗 １ + @ : , a, ; = { {a} [ % %2f " \' “ & &# < <a * _ # svc_inst_'.split(
		' ',
	),
	...['a = b \t', '1 /', '\u00A0 1 \u00A0 /', 'a .', '1 ٣ \u0301\u0316'].map((all) =>
		all.split(' '),
	),
];

const LENGTHS = [1, 8, 64].map((thousands) => thousands * 1024);
/** Eight times the text may take so many times as long. */
const MAX_GROWTH = 12;
/** Less is no standstill, and hard to measure: one collection of garbage takes as long. */
const MIN_MS = 20;
const MEASURED_MS = 20;
const TRIES = 5;

function write(alphabet: string | string[], length: number): string {
	const units = [alphabet].flat();
	const share = length / units.length;
	return units.map((unit) => unit.repeat(Math.ceil(share / unit.length))).join('');
}

const TEXTS = ALPHABETS.flatMap((alphabet) => {
	const bare = LENGTHS.map((length) => write(alphabet, length));
	const name = JSON.stringify(alphabet);
	return [
		{ name, texts: bare },
		{ name: `${name} between letters`, texts: bare.map((text) => `x${text}x`) },
	];
});

const known = ({ person, ...changes }: Partial<Question & Listing>) => ({
	question: {
		...{
			type: 'choice',
			labels: ['Yes', 'No'],
			to: '5511987654321',
			webhookId: 'w',
			messageId: 'q',
		},
		...{ secret: '', account: '', askedAt: 0, requireQuotedReply: false, requireText: false },
		...{ isReview: false, ...changes },
	} as Question,
	listing: {
		...{ kind: 'plain', code: '27', to: keyOf('5511987654321'), until: Infinity, openedAt: 0 },
		person: person && keyOf(person),
	} as Listing,
	url: '',
});
const NODE = { name: 'Send', type: 'x' } as INode;
const ANA = { id: '5511987654321@c.us', phone: '5511987654321' };

/** An event with a text in every place that the gateway's API documentation shows. */
function eventWith(text: string, chat: object = { id: text, phone: text, name: text, type: text }) {
	const ids = { messageId: text, quotedMessageId: text, messageIds: [text] };
	const data = { ...ids, chat, sender: { id: text, phone: text, name: text }, text, status: text };
	const buttonReply = { id: text, title: text };
	return {
		...{ id: 'evt', type: 'MESSAGE.RECEIVED', instanceId: text, timestamp: text, [text]: text },
		data: { ...data, buttonReply, messageType: text, [text]: text },
	};
}

/** One with many fields, whatever the text is. */
function wideEvent(text: string) {
	const names = [...Array(Math.floor(text.length / 8)).keys()].map((index) => `field${index}`);
	const fields = Object.fromEntries(names.map((name) => [name, null]));
	return readEvent({
		id: 'evt',
		type: 'MESSAGE.STATUS_UPDATED',
		data: { status: 'READ', ...fields },
	});
}
const idsOf = (text: string) =>
	[...Array(Math.floor(text.length / 8)).keys()].map((index) => `${index}`);

const settings = (options: INodeParameters = {}) =>
	readSettings({
		getNodeParameter: (name: string, missing: unknown) =>
			name === 'options' ? options : name === 'events' ? ['MESSAGE.RECEIVED'] : missing,
	} as unknown as TriggerContext);
const people = settings();

const credential = (changes: INodeParameters) =>
	readConnection(
		{ baseUrl: 'https://gateway.example.com', instanceToken: 'svc_inst_1', ...changes },
		'instance',
	);
const sign = async (id: string, signature: string) => {
	const rawHeaders = ['webhook-id', id, 'webhook-timestamp', id, 'webhook-signature', signature];
	const readBody = async () => await Promise.resolve(undefined);
	return await verifyDelivery({ rawHeaders, readBody }, () => undefined);
};
const answer = (text: string, changes: Partial<Question & Listing>) => {
	const plain = { quotedMessageId: changes.isReview ? 'q' : null, messageType: 'TEXT' };
	const event = changeData(readEvent(eventWith(text, ANA)), plain);
	return readAnswer(known(changes), { ...event, at: undefined });
};

const rivals = (text: string) => {
	const event = changeData(readEvent(eventWith(text, ANA)), { quotedMessageId: null });
	return findRivals(known({}), event, 'unclear', [known({ kind: 'approval' }).listing]);
};

type Reader = (text: string) => unknown;

/** The fields of the action node, by the function that reads them. */
const fields = resources.flatMap(({ operations }) =>
	operations.flatMap((each) => [...each.fields, ...(each.options ?? [])]),
);
const parsers = [
	...new Map(fields.flatMap((field) => (field.parse ? [[field.parse, field] as const] : []))),
];

/** Every exported function that reads what a stranger, a model or a spreadsheet may write, by its name. */
const READERS: Array<[string, Reader]> = [
	...Object.entries(folding),
	...Object.entries<Reader>({ quote, toPlainText }),
	['phoneKeyOf', phoneKeyOf],
	['readPhone', (text) => readPhone(text, 'BR')],
	['readPhone by country code', (text) => readPhone(text, 'international')],
	['countryOf', countryOf],

	['parseTime', parseTime],
	['splitCommas', splitCommas],
	['whySecretUnfit', (text) => whySecretUnfit(`whsec_${text}`)],
	['whyTokenUnfit', (text) => whyTokenUnfit(`svc_inst_${text}`, 'instance')],
	['fillEndpoint', (text) => fillEndpoint('GET /v1/{id}', {}, { id: text })],
	['readConnection', (text) => credential({ baseUrl: `https://a.example/${text}` })],
	['readConnection of a path', (text) => credential({ webhooksPath: `a${text}` })],
	['readFurtherNumbers', (text) => readFurtherNumbers({ furtherNumbers: `inst_1${text}` })],
	['parseDisposition', (text) => parseDisposition(`attachment; filename="${text}"`)],
	['explainNetworkError', (text) => explainNetworkError({ message: text }, 'https://a.example')],
	[
		'adviseOnStatus',
		(text) => adviseOnStatus(302, { kind: 'account', path: text, location: text }),
	],
	['toNodeError', (text) => toNodeError(NODE, { message: text, description: text })],
	['verifyDelivery', async (text) => await Promise.all([sign(text, 'v1,'), sign('id', text)])],
	['isEvent', (text) => isEvent(eventWith(text), 'evt')],
	['readEvent', (text) => readEvent(eventWith(text))],
	['conversationOf', (text) => conversationOf(readEvent(eventWith(text)))],
	['isInChat', (text) => isInChat(known({}).listing, readEvent(eventWith(text)))],
	['passesFilters', (text) => passesFilters(readEvent(eventWith(text)), people)],
	['present', (text) => [true, false].map((isRaw) => present(readEvent(eventWith(text)), isRaw))],
	['combineMessages', (text) => combineMessages(Array(2).fill({ text, chatInput: text }), false)],
	['readEvent of a wide one', wideEvent],
	['present of a wide one', (text) => present(wideEvent(text), false)],
	['present of wide IDs', (text) => present({ ...wideEvent(''), messageIds: idsOf(text) }, false)],
	[
		'advance of wide IDs',
		(text) =>
			advance(text, { ...wideEvent(''), messageIds: idsOf(text) }, Promise.resolve('accepted')),
	],
	['readAnswer', (text) => answer(text, {})],
	['findRivals', rivals],
	['readAnswer of an approval', (text) => answer(text, { type: 'approval', isReview: true })],
	['readAnswer with such a label', (text) => answer('yes', { labels: [text, 'No'] })],
	['readAnswer of a reply', (text) => answer(text, { type: 'reply', person: text })],
	...triggerOptions.map(({ name }): [string, Reader] => [
		`readSettings of ${name}`,
		(text) => settings({ [name]: text }),
	]),
	...parsers.flatMap(([parse, { name }]) =>
		['phone', 'id'].map((mode): [string, Reader] => [
			`parse of ${name}, ${mode}`,
			(text) => parse(name === 'path' ? `/v1/${text}` : text, { mode, defaultCountry: 'BR' }),
		]),
	),
];

async function run(read: Reader, text: string): Promise<void> {
	try {
		await read(text);
	} catch {
		// A refusal is an answer too.
	}
}

/** Milliseconds of this thread for one run, whatever else the machine does. Its clock ticks coarsely: so many runs help. */
async function timeOf(read: Reader, text: string, measuredMs = 0): Promise<number> {
	const begun = process.threadCpuUsage();
	for (let runs = 1; ; runs++) {
		await run(read, text);
		const { user, system } = process.threadCpuUsage(begun);
		const total = (user + system) / 1000;
		if (total >= measuredMs) return total / runs;
	}
}

/** How many times as long the reader takes for eight times the text: at the first length at which that is too long. */
async function growthOf(read: Reader, texts: string[]): Promise<number> {
	let growth = 0;
	let last = 0;
	for (const [index, text] of texts.entries()) {
		const before = last;
		last = await timeOf(read, text);
		// The first run is slow, but not one of so many milliseconds.
		if (last < MIN_MS || index === 0 || (before > MIN_MS && last / before <= MAX_GROWTH)) continue;
		for (let tried = 0; tried < TRIES; tried++) {
			const time = await timeOf(read, text, MEASURED_MS);
			growth = time < MIN_MS ? 0 : time / (await timeOf(read, texts[index - 1], MEASURED_MS));
			if (growth <= MAX_GROWTH) break;
		}
		if (growth > MAX_GROWTH) return growth;
	}
	return growth;
}

it.each(READERS)('%s takes a time that grows with the length of the text', async (name, read) => {
	const slow: string[] = [];
	for (const { name: alphabet, texts } of name.includes('wide') ? TEXTS.slice(-1) : TEXTS) {
		const growth = await growthOf(read, texts);
		if (growth > MAX_GROWTH) slow.push(`${Math.round(growth)} times as long: ${alphabet}`);
		if (slow.length > 0) break;
	}
	expect(slow).toEqual([]);
});

/** What stands beside the readers, and reads no such text, or passes it to one of them. */
const NO_READERS = [
	...'parsePhoneNumberFromString GatewayError isObject objectIn textIn ownToken bearerOf rejection tellOutcome toMessageError joinSentences'.split(
		' ',
	),
	...'changeData listLabels isQuoting composeUrl readListing listQuestions keyOf statusStepOf accountOf encrypt fingerprint'.split(
		' ',
	),
	...'isTest isManualSetup readCredentialSecret readSubscribedEvents readQuestion readSaved'.split(
		' ',
	),
	...'readValues readField readOption readGroup readFlag readResult readList readItems displayNameOf'.split(
		' ',
	),
];

it('each function beside a reader, or named like one, is measured or known to read nothing', () => {
	const nodes = join(projectFolder, 'nodes', 'MessagingGateway');
	const files = readdirSync(nodes, { recursive: true, encoding: 'utf8' });
	const measured = READERS.map(([name]) => name.split(' ')[0]);
	const missing = files
		.filter((file) => file.endsWith('.ts') && file !== 'libraries.ts')
		.flatMap((file) => {
			const exported = Object.entries(jest.requireActual<object>(join(nodes, file)));
			const functions = exported.filter(([, value]) => typeof value === 'function');
			const names = functions.map(([name]) => name);
			const isReading = names.some((name) => measured.includes(name));
			const readers = names.filter((name) => isReading || /^(?:read|parse)/.test(name));
			return readers.filter((name) => ![...measured, ...NO_READERS].includes(name));
		});
	expect(missing).toEqual([]);
});
