import { Webhook } from 'standardwebhooks';
import { waitFor } from '../../host/waiting';
import {
	ID_FIELDS,
	INSTANCES_PATH,
	POLL_PARAMETER,
	PRESENCE_FIELD,
	WEBHOOKS_PATH,
} from '../../nodes/MessagingGateway/gateway/assumptions';
import { displayNameOf, readList, readResult } from '../../nodes/MessagingGateway/gateway/content';
import { isEvent, readEvent } from '../../nodes/MessagingGateway/incoming/event';
import { connect, parse, startReceiver, type Answer } from './gateway';
import { ROWS, type Row } from './rows';

export interface ContractOptions {
	url: string;
	accountToken: string;
	instanceToken: string;
	/** What the fields of the credentials hold, if not the assumed values. */
	webhooksPath?: string;
	instancesPath?: string;
	presenceField?: string;
	pollParameter?: string;
	/** Message ID of a poll that was sent. */
	poll?: string;
	/** Phone number that gets "typing" and three texts. Without it, nothing is sent. */
	to?: string;
	/** URL of a webhook, which is deleted again. */
	webhook?: string;
	/** Port of this machine to which this URL leads. */
	listen?: number;
}

type Finding = [verdict: string, advice: string];

type Ask = ReturnType<typeof connect>;
/** Notes a row: whether the gateway is as documented or assumed, and what it said or has otherwise. */
type Note = (row: Row, isRight: boolean, words?: string) => void;

const EVENTS = ['MESSAGE.RECEIVED', 'MESSAGE.SENT', 'MESSAGE.STATUS_UPDATED'];
const KNOWN_EVENTS = [...EVENTS, 'CONNECTION.UPDATED', 'QRCODE.UPDATED'];

// Fields of the API document, each with its type.
const FLAGS = ['rejectCall', 'readMessages', 'ignoreGroups', 'ignoreStatus'];
const SETTINGS = { boolean: FLAGS, string: ['msgRejectCall'] };
const WEBHOOK = { string: ['id', 'url'], object: ['events'], boolean: ['enabled'] };
const NEW_WEBHOOK = { ...WEBHOOK, string: ['id', 'url', 'secret', 'createdAt'] };
const POLL = { string: ['messageId'], number: ['totalVotes'], object: ['optionCounts', 'voters'] };
const ENVELOPE = { string: ['id', 'type', 'instanceId', 'timestamp'], object: ['data'] };

function fits(value: unknown, fields: Record<string, string[]>): boolean {
	const record = (value ?? {}) as Record<string, unknown>;
	return Object.entries(fields).every(([type, names]) =>
		names.every((name) => typeof record[name] === type),
	);
}

const listIn = ({ isSuccess, body }: Answer) => (isSuccess ? readList(body) : undefined);

/**
 * Compares a gateway with the API document and with the assumptions of this package.
 * @returns for each of them its subject, the verdict, and what to do or what the gateway said
 * @throws if the gateway does not answer, or refuses a token
 */
export async function compare(options: ContractOptions): Promise<string[][]> {
	const { url, accountToken, instanceToken } = options;
	const ask = connect(url, { account: accountToken, instance: instanceToken });
	const findings = new Map<Row, Finding>();
	const numberOf = (row: string) => /^A\d+/.exec(row)?.[0];
	const note: Note = (row, isRight, words = '') => {
		const right = numberOf(row) ? 'as assumed' : 'as documented';
		const advice = isRight ? words : `${ROWS[row][1]}. ${words}`.trim();
		findings.set(row, [isRight ? right : 'different', advice]);
	};
	await compareNumber(ask, note);
	await compareAccount(ask, note, options);
	await comparePoll(ask, note, options);
	await compareSends(ask, note, options);
	// Of a path that is wrong, the list has said so.
	if (findings.get('A1')?.[0] === 'as assumed') await compareWebhook(ask, note, options);
	return Object.entries(ROWS).map(([row, [subject, , toTry]]) => {
		const number = numberOf(row);
		const notTried: Finding = ['not tried', toTry ? `add ${toTry}` : ''];
		const title = number ? `${number}: ${subject}` : subject;
		return [title, ...(findings.get(row as Row) ?? notTried)];
	});
}

async function compareNumber(ask: Ask, note: Note): Promise<void> {
	const settings = await ask('instance', 'GET /v1/instance/settings');
	if (settings.status === 0) throw new Error(`The gateway does not answer: ${settings.words}`);
	if (settings.status === 401) throw new Error(`The instance token is refused: ${settings.words}`);
	const areSettings = fits(readResult(settings.body), SETTINGS);
	note('settings', areSettings, areSettings ? '' : settings.words);
	for (const name of ['groups', 'communities', 'newsletters'] as const) {
		const answer = await ask('instance', `GET /v1/${name}`);
		const list = listIn(answer);
		const areNamed = list?.every(
			(each) => each.id && (name === 'newsletters' || displayNameOf(each, '') !== ''),
		);
		note(
			`A5 ${name}`,
			areNamed === true,
			list?.length === 0 ? 'empty' : areNamed ? '' : answer.words,
		);
	}
	// Reads that must be refused: a token of nobody, a token of the wrong kind, a parameter that is missing.
	const refused = [
		await ask('unknown', 'GET /v1/instance/settings'),
		await ask('account', 'GET /v1/instance/settings'),
		await ask('instance', 'GET /v1/messages/poll-results'),
	];
	const strange = refused.find(({ status }) => status < 400 || status >= 500);
	note('A9', strange === undefined, strange?.words);
	const unclear = refused.find(({ body }) => !fits(body, { string: ['error'] }));
	note('refusals', unclear === undefined, unclear?.words);
}

async function compareAccount(ask: Ask, note: Note, options: ContractOptions): Promise<void> {
	const { instancesPath = INSTANCES_PATH, webhooksPath = WEBHOOKS_PATH } = options;
	const answers = {
		instances: await ask('account', `GET ${instancesPath}`),
		webhooks: await ask('account', `GET ${webhooksPath}`),
	};
	if (Object.values(answers).every(({ status }) => status === 401))
		throw new Error(`The account token is refused: ${answers.webhooks.words}`);
	const instances = listIn(answers.instances);
	note('A2', instances !== undefined, instances ? '' : answers.instances.words);
	for (const record of instances?.slice(0, 1) ?? []) {
		const hasId = ID_FIELDS.some((field) => record[field]);
		note('A2 ID', hasId, hasId ? '' : `The record has ${Object.keys(record).join(', ')}`);
	}
	const webhooks = listIn(answers.webhooks);
	const areWebhooks = webhooks?.every((each) => fits(each, WEBHOOK)) === true;
	note('A1', areWebhooks, areWebhooks ? '' : answers.webhooks.words);
	if (!areWebhooks) return;
	const types = webhooks.flatMap(({ events }) => events as string[]);
	const further = [...new Set(types)].filter((type) => !KNOWN_EVENTS.includes(type));
	note('A7', further.length === 0, further.join(', ') || 'as far as webhooks name them');
}

async function comparePoll(ask: Ask, note: Note, options: ContractOptions): Promise<void> {
	const { poll, pollParameter = POLL_PARAMETER } = options;
	if (poll === undefined) return;
	const query = new URLSearchParams({ [pollParameter]: poll });
	const answer = await ask('instance', `GET /v1/messages/poll-results?${query}`);
	const areResults = answer.isSuccess && fits(readResult(answer.body), POLL);
	note('A4', areResults, areResults ? '' : answer.words);
}

const sendText = async (ask: Ask, to: string) =>
	await ask('instance', 'POST /v1/messages/send-text', {
		to,
		text: 'A test of n8n-nodes-messaging-gateway. You can ignore it.',
	});

async function compareSends(ask: Ask, note: Note, options: ContractOptions): Promise<void> {
	const { to, presenceField = PRESENCE_FIELD } = options;
	if (to === undefined) return;
	const presence = { to, [presenceField]: 'COMPOSING', isAudio: false };
	const shown = await ask('instance', 'POST /v1/messages/presence', presence);
	note('A3', shown.isSuccess, shown.isSuccess ? 'if the phone has shown it' : shown.words);
	const sent = await sendText(ask, to);
	const isSent = sent.status === 202 && fits(readResult(sent.body), { string: ['messageId'] });
	note('A6', isSent, isSent ? '' : sent.words);
}

/** Creates a webhook, changes it, and deletes it; a text that is sent meanwhile makes events. */
async function compareWebhook(ask: Ask, note: Note, options: ContractOptions): Promise<void> {
	const { to, webhook: url, listen, webhooksPath = WEBHOOKS_PATH } = options;
	if (url === undefined) return;
	const receiver = listen === undefined ? undefined : await startReceiver(listen);
	const answers = [await ask('account', `POST ${webhooksPath}`, { url, events: EVENTS })];
	const record = (readResult(answers[0].body) ?? {}) as { id?: string; secret?: string };
	const isRecord = fits(record, NEW_WEBHOOK);
	try {
		if (isRecord && receiver && to) {
			await Promise.all([sendText(ask, to), sendText(ask, to)]);
			// Statuses of an earlier message may come first, and name no chat.
			const isEnough = () =>
				receiver.deliveries.length > 1 &&
				receiver.deliveries.some(({ raw }) => raw.includes('"chat"'));
			await waitFor('two events, one of them of a chat', isEnough).catch(() => {});
			compareDeliveries(note, receiver, String(record.secret));
		}
		const changed = { url, events: EVENTS.slice(1) };
		if (record.id)
			answers.push(await ask('account', `PATCH ${webhooksPath}/${record.id}`, changed));
	} finally {
		receiver?.stop();
		if (record.id) answers.push(await ask('account', `DELETE ${webhooksPath}/${record.id}`));
	}
	const failed = answers.find(({ isSuccess }) => !isSuccess) ?? (isRecord ? undefined : answers[0]);
	note('A1 changes', failed === undefined, failed?.words);
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

function compareDeliveries(
	note: Note,
	{ deliveries, ...receiver }: Receiver,
	secret: string,
): void {
	const isGenuine = ({ raw, headers }: Receiver['deliveries'][number]) => {
		try {
			new Webhook(secret).verify(raw, headers as Record<string, string>);
			return isEvent(parse(raw), String(headers['webhook-id'])) && fits(parse(raw), ENVELOPE);
		} catch {
			return false;
		}
	};
	const areGenuine = deliveries.length > 0 && deliveries.every(isGenuine);
	note('signature', areGenuine, deliveries.length === 0 ? 'None came within 30 seconds' : '');
	if (!areGenuine) return;
	const types = deliveries.map(({ raw, headers }) => {
		const event = parse(raw);
		return isEvent(event, String(headers['webhook-id'])) ? readEvent(event).chat?.type : undefined;
	});
	const type = types.find((each) => each !== undefined);
	if (type) note('A8', type === 'person', type);
	if (receiver.hasOverlapped !== undefined) note('A10', receiver.hasOverlapped);
}
