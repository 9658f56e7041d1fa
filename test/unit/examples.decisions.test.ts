import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DateTime } from 'luxon';
import { executeFilter, type FilterValue, type INode } from 'n8n-workflow';
import type { WorkflowDraft } from '../../host/api';
import { projectFolder } from '../../host/places';

// Where an example goes with which item, what it writes down, and its limits: all runs as well with another value, but otherwise.

const folder = join(projectFolder, 'examples');
const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
const read = (file: string) =>
	JSON.parse(
		readFileSync(join(folder, `${file.replace('.json', '')}.json`), 'utf8'),
	) as WorkflowDraft;
const kindOf = ({ type }: INode) => type.split('.').at(-1) ?? '';

const NOW = DateTime.fromISO('2026-03-02T12:00:00.000Z', { zone: 'utc' });
/** In expressions, n8n lets both take a number and its unit, too. */
const NOW_OF_N8N = Object.assign(NOW.set({}), {
	minus: (amount: number | object, unit?: string) => NOW.minus(unit ? { [unit]: amount } : amount),
	plus: (amount: number | object, unit?: string) => NOW.plus(unit ? { [unit]: amount } : amount),
});
const inMinutes = (minutes: number) => NOW.plus({ minutes }).toISO();

/** The item of the node, and those of others by their names. */
interface Data {
	$json?: object;
	others?: Record<string, object>;
}

/** Expressions as n8n reads them, of what the examples use in them. */
function evaluate(value: unknown, { $json = {}, others = {} }: Data): unknown {
	if (typeof value !== 'string' || !value.startsWith('=')) return value;
	const $ = (name: string) => {
		const item = { json: others[name] };
		return { item, first: () => item, all: () => [item] };
	};
	const run = (code: string): unknown =>
		new Function('$json', '$', '$now', '$workflow', `return (${code});`)($json, $, NOW_OF_N8N, {
			id: 'w',
		});
	const [, alone] = /^=\{\{((?:(?!\}\})[^])*)\}\}$/.exec(value) ?? [];
	if (alone !== undefined) return run(alone);
	return value.slice(1).replace(/\{\{([^]*?)\}\}/g, (_, code: string) => String(run(code)));
}

/** Whether the item passes. */
function passes(conditions: FilterValue, data: Data): boolean {
	return executeFilter({
		...conditions,
		conditions: conditions.conditions.map((condition) => ({
			...condition,
			leftValue: evaluate(condition.leftValue, data) as string,
			rightValue: evaluate(condition.rightValue, data) as string,
		})),
	});
}

/** The way out that a node that decides has for an item; undefined for none. */
function wayOf(node: INode, data: Data): number | undefined {
	const { conditions, rules, options } = node.parameters as unknown as {
		conditions: FilterValue;
		rules: { values: Array<{ conditions: FilterValue }> };
		options: { fallbackOutput?: string };
	};
	if (kindOf(node) === 'if') return passes(conditions, data) ? 0 : 1;
	if (kindOf(node) === 'filter') return passes(conditions, data) ? 0 : undefined;
	const way = rules.values.findIndex((rule) => passes(rule.conditions, data));
	if (way >= 0) return way;
	return options.fallbackOutput === 'extra' ? rules.values.length : undefined;
}

const json = ($json: object): Data => ({ $json });
const of = (name: string, item: object): Data => ({ others: { [name]: item } });
const failedWith = (status?: number) => json({ error: { status, message: 'No' } });
const any = (type: string, text?: string) => of('Any Message', { type: `MESSAGE.${type}`, text });
const both = (type: string, text?: string) =>
	of('Message Received or Sent', { type: `MESSAGE.${type}`, text });
const text = (chatInput?: string) => json({ chatInput });

type Way = [node: string, data: Data, next: string[]];

/** Typed again by hand, from the notes and the guide. */
const WAYS: Record<string, Way[]> = {
	'ai-agent': [
		['Only Text', text('Hi'), ['Show Typing', 'AI Agent']],
		['Only Text', text(''), []],
		['Only Text', text(), []],
	],
	'answer-when-done': [
		...[400, 401, 404].map((status): Way => [
			'Will It Fail Each Time?',
			failedWith(status),
			['Give Up'],
		]),
		...[429, 500, 503, undefined].map((status): Way => [
			'Will It Fail Each Time?',
			failedWith(status),
			['Have It Repeated'],
		]),
	],
	'ask-before-refunding': [
		['Was It Answered?', json({ answered: true }), ['May It Be Refunded?']],
		['Was It Answered?', json({ answered: false }), ['Ask for Patience']],
		['May It Be Refunded?', json({ approved: true }), ['Tell of the Refund']],
		['May It Be Refunded?', json({ approved: false }), ['Tell of the Refusal']],
	],
	'automatic-reply': [
		['What Is Asked?', text('Your HOURS?'), ['Send Opening Hours']],
		['What Is Asked?', text('The Address?'), ['Send Address']],
		['What Is Asked?', text('Bom dia'), ['First Time Today?']],
		['What Is Asked?', text(''), []],
	],
	'bulk-send': [
		['Sent or Not?', json({ error: { outcome: 'rejected' } }), ['Note as Not Sent']],
		['Sent or Not?', json({ error: { outcome: 'unknown' } }), ['Note to Check First']],
	],
	'connection-watch': [
		['What Happened?', json({ status: 'LOGGED_OUT' }), ['Describe Logout']],
		['What Happened?', json({ status: 'BANNED' }), ['Describe Ban']],
		['What Happened?', json({ status: 'DISCONNECTED' }), []],
		['What Happened?', json({ status: 'CONNECTED' }), []],
	],
	'delivery-tracking': [
		['Message Left?', of('Message Status', { type: 'MESSAGE.SENT' }), ['Note Recipient and Text']],
		[
			'Message Left?',
			of('Message Status', { type: 'MESSAGE.STATUS_UPDATED' }),
			['Make Row if Missing'],
		],
	],
	'front-desk': [
		['Only if It May Answer', json({}), ['Messages of This Turn']],
		['Only if It May Answer', json({ silentUntil: inMinutes(-1) }), ['Messages of This Turn']],
		['Only if It May Answer', json({ silentUntil: inMinutes(1) }), []],
		['Only if It May Answer', json({ stoppedChat: '1@lid' }), []],
		['Text or File?', text(''), ['Fetch File']],
		['Text or File?', text('Please stop by'), ['All Messages']],
		['Text or File?', text(' Stop! '), []],
		['Is It a Recording?', json({ mimeType: 'audio/ogg' }), ['Transcribe']],
		['Is It a Recording?', json({ mimeType: 'image/png' }), ['All Messages']],
		['Is It a Recording?', json({ error: 'none' }), ['All Messages']],
		['What Is It?', any('RECEIVED', 'STOP'), ['Remember STOP']],
		['What Is It?', any('RECEIVED', '*new*'), ['Begin New Conversation']],
		['What Is It?', any('RECEIVED', 'What is new?'), []],
		['What Is It?', any('RECEIVED'), []],
		['What Is It?', any('SENT', 'stop'), ['Stay Silent, or Wake Up']],
	],
	'human-takeover': [
		['What Is It?', both('RECEIVED', ' #BOT '), ['Wake the Bot']],
		['What Is It?', both('SENT', '#bot'), ['Wake the Bot']],
		['What Is It?', both('SENT', 'I am #bot'), ['Give the Bot Time']],
		['What Is It?', both('SENT'), ['Give the Bot Time']],
		['What Is It?', both('RECEIVED', 'Hi'), ['Look Up Chat']],
		['Only if Not Silent', json({}), ['Answer']],
		['Only if Not Silent', json({ silentUntil: inMinutes(-1) }), ['Answer']],
		['Only if Not Silent', json({ silentUntil: inMinutes(1) }), []],
	],
	'one-bot-many-shops': [
		['Only Text', text('Hi'), ['Shop of This Number']],
		['Only Text', text(''), []],
	],
	'strict-once-only': [
		['First to Claim It?', json({ 'n8n:claimed': 1 }), ['Take Event']],
		['First to Claim It?', json({ 'n8n:claimed': 2 }), []],
	],
};

describe.each(files.map((file) => file.replace('.json', '')))('the example %s', (file) => {
	const { nodes, connections } = read(file);
	const deciding = nodes.filter((node) => ['if', 'filter', 'switch'].includes(kindOf(node)));
	const ways = WAYS[file] ?? [];

	it('decides nothing that is not told here', () => {
		expect(new Set(ways.map(([name]) => name))).toEqual(new Set(deciding.map(({ name }) => name)));
	});

	it('leads each item to where it belongs', () => {
		const led = ways.map(([name, data]) => {
			const node = nodes.find((each) => each.name === name)!;
			const way = wayOf(node, data);
			const ends = way === undefined ? [] : (connections[name].main[way] ?? []);
			return [name, data, ends.map((end) => end.node)];
		});
		expect(led).toEqual(ways);
	});
});

/** The way on after a failure, where an example has one of its own. */
it.each([
	['answer-when-done', 'Answer', [[], ['Will It Fail Each Time?']]],
	['bulk-send', 'Check Number', [['Send Message'], ['Note as Refused']]],
	['bulk-send', 'Send Message', [['Note as Sent'], ['Sent or Not?']]],
	[
		'front-desk',
		'AI Agent',
		[
			['Handed Over?', 'Answer'],
			['Tell a Colleague', 'Apologise'],
		],
	],
])('%s: what follows on %s, and on its failure', (file, name, ways) => {
	const { main } = read(file).connections[name];
	expect(main.map((ends) => (ends ?? []).map(({ node }) => node))).toEqual(ways);
});

const event = { eventId: 'evt_1', replyTo: '1@lid', text: 'Bread', instanceId: 'inst_2' };
const received = (others: object = {}, $json: object = {}): Data => ({
	$json,
	others: { 'Message Received': { ...event, sessionId: 'inst_2:1@lid', ...others } },
});
const shop = { $json: { id: 'inst_2', name: 'Café' } };

interface Rows {
	filters: { conditions: Array<{ keyName: string; condition?: string; keyValue: unknown }> };
	columns: { value: Record<string, unknown> };
}

/** Of examples that no test runs in a real n8n as often as the others, and of what only time brings to light. */
it.each<[file: string, node: string, data: Data, rows: { at?: unknown[]; value?: object }]>([
	[
		'claim-before-sending',
		'Only If Not Claimed',
		received(),
		{ at: [['eventId', undefined, 'evt_1']] },
	],
	['claim-before-sending', 'Claim Event', received(), { value: { eventId: 'evt_1' } }],
	[
		'claim-before-sending',
		'Forget Old Claims',
		received(),
		{ at: [['createdAt', 'lt', NOW.minus({ days: 2 }).toISO()]] },
	],
	[
		'human-takeover',
		'Forget Old Messages',
		{},
		{ at: [['createdAt', 'lt', NOW.minus({ days: 1 }).toISO()]] },
	],
	[
		'one-bot-many-shops',
		'Add Shop',
		shop,
		{ at: [['instanceId', 'eq', 'inst_2']], value: { instanceId: 'inst_2', shop: 'Café' } },
	],
	[
		'one-bot-many-shops',
		'Add Shop',
		json({ instanceId: 'inst_3', name: 'Bar' }),
		{ at: [['instanceId', 'eq', 'inst_3']], value: { instanceId: 'inst_3', shop: 'Bar' } },
	],
	[
		'one-bot-many-shops',
		'Shop of This Number',
		json(event),
		{ at: [['instanceId', 'eq', 'inst_2']] },
	],
])('%s: the rows of %s', (file, name, data, { at, value }) => {
	const { parameters } = read(file).nodes.find((node) => node.name === name)!;
	const { filters, columns } = parameters as unknown as Rows;
	const found = filters?.conditions.map(({ keyName, condition, keyValue }) => [
		keyName,
		condition,
		evaluate(keyValue, data),
	]);
	expect(found).toEqual(at);
	const written = Object.entries(columns?.value ?? {});
	expect(Object.fromEntries(written.map(([key, held]) => [key, evaluate(held, data)]))).toEqual(
		value ?? {},
	);
});

it.each<[file: string, node: string, path: string, data: Data, value: unknown]>([
	['answer-when-done', 'Answer', 'to.value', received(), '1@lid'],
	['answer-when-done', 'Answer', 'text', received(), 'Your order was taken: Bread'],
	['answer-when-done', 'Have It Repeated', 'errorMessage', failedWith(), 'No'],
	['claim-before-sending', 'Answer Once', 'to.value', received(), '1@lid'],
	['claim-before-sending', 'Answer Once', 'text', received(), 'Your order was taken: Bread'],
	['one-bot-many-shops', 'AI Agent', 'text', received({ chatInput: 'Hi' }), 'Hi'],
	['one-bot-many-shops', 'Memory of the Conversation', 'sessionKey', received(), 'inst_2:1@lid'],
	['one-bot-many-shops', 'Send Answer', 'to.value', received(), '1@lid'],
	['one-bot-many-shops', 'Send Answer', 'text', received({}, { output: 'Hello' }), 'Hello'],
	['one-bot-many-shops', 'Send Answer', 'options.instanceId', received(), 'inst_2'],
	['strict-once-only', 'Claim Event', 'key', json(event), 'n8n:claimed:w:evt_1'],
	...[
		[1, 1],
		[40, 1],
		[41, 2],
		[1_000, 6],
	].map(([length, seconds]): [string, string, string, Data, unknown] => [
		'ai-agent',
		'Send Answer',
		'options.typingSeconds',
		json({ text: 'x'.repeat(length) }),
		seconds,
	]),
])('%s: %s has as %s what it is to have', (file, name, path, data, value) => {
	const { parameters } = read(file).nodes.find((node) => node.name === name)!;
	const held = path
		.split('.')
		.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], parameters);
	expect(evaluate(held, data)).toEqual(value);
});

it('one bot for many shops tells its agent the shop, its hours and its own words', () => {
	const { parameters } = read('one-bot-many-shops').nodes.find(({ name }) => name === 'AI Agent')!;
	const { systemMessage } = parameters.options as { systemMessage: string };
	const full = evaluate(systemMessage, json({ shop: 'Café', hours: '9 to 18 h', prompt: 'Sing.' }));
	expect(full).toMatch(/shop Café, [^]*shop: Café\nOpening hours: 9 to 18 h\n\nSing\.\n/);
	expect(evaluate(systemMessage, json({ shop: 'Café' }))).toMatch(
		/Opening hours: Monday to Saturday 8 to 18 h\n\n\n/,
	);
});

/** How often, how long and how many, typed again by hand: from the notes, or as n8n's own have it. */
const LIMITS: Record<string, string[]> = {
	'ai-agent': [
		'Message Received: quietSeconds 4',
		'Message Received: maxWaitSeconds 30',
		'Message Received: maxTurnMinutes 5',
		'Memory of the Conversation: contextWindowLength 10',
	],
	'ask-before-refunding': [
		'Ask the Colleague: resumeAmount 2',
		'Ask the Colleague: resumeUnit hours',
		'Ask the Colleague: maxAttempts 2',
	],
	'automatic-reply': [
		'Send Opening Hours: typingSeconds 2',
		'Send Address: typingSeconds 2',
		'First Time Today?: historySize 100000',
		'Send Choices: typingSeconds 2',
	],
	'bulk-send': [
		'Send Message: concurrency 5',
		'Send Message: messagesPerMinute 30',
		'Send Message: maxTries 3',
		'Send Message: waitBetweenTries 5000',
	],
	'connection-watch': ['Send Alarm: maxTries 3', 'Send Alarm: waitBetweenTries 5000'],
	'front-desk': [
		'Message Received: quietSeconds 4',
		'Message Received: maxWaitSeconds 30',
		'Message Received: maxTurnMinutes 5',
		'Look Up Chat: limit 1',
		'All Messages: numberInputs 3',
		'Memory of the Conversation: contextWindowLength 10',
		'Handed Over?: limit 1',
	],
	'group-welcome': ['Say Hello: typingSeconds 2'],
	'human-takeover': [
		'Give the Bot Time: amount 5',
		'Give the Bot Time: unit seconds',
		'Look Up Chat: limit 1',
		'Answer: typingSeconds 2',
	],
	'one-bot-many-shops': [
		'Shop of This Number: limit 1',
		'Memory of the Conversation: contextWindowLength 10',
	],
	'reviewed-agent': ['Ask a Colleague: resumeAmount 30', 'Ask a Colleague: resumeUnit minutes'],
	'strict-once-only': ['Claim Event: ttl 86400'],
};

/** Numbers and units of time, wherever they stand in a node. */
function findLimits(held: unknown, key = ''): string[] {
	if (typeof held === 'number' || /^(unit|resumeUnit)$/.test(key))
		return [`${key} ${String(held)}`];
	if (Array.isArray(held)) return held.flatMap((each) => findLimits(each, key));
	if (typeof held !== 'object' || held === null) return [];
	return Object.entries(held).flatMap(([name, inner]) => findLimits(inner, name));
}

it.each(files.map((file) => file.replace('.json', '')))(
	'%s has the limits that it tells of',
	(file) => {
		const found = read(file).nodes.flatMap((node) => {
			const { parameters, maxTries, waitBetweenTries } = node;
			const {
				conditions: _conditions,
				rules: _rules,
				width: _width,
				height: _height,
				...others
			} = parameters;
			const isOwnTable = parameters.resource === 'table';
			const tries = isOwnTable ? {} : { maxTries, waitBetweenTries };
			return findLimits({ ...(kindOf(node) !== 'stickyNote' && { others }), tries }).map(
				(limit) => `${node.name}: ${limit}`,
			);
		});
		expect(found).toEqual(LIMITS[file] ?? []);
	},
);
