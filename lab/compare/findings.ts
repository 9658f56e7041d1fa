import {
	ID_FIELDS,
	INSTANCES_PATH,
	POLL_PARAMETER,
	PRESENCE_FIELD,
	WEBHOOKS_PATH,
} from '../../nodes/MessagingGateway/gateway/assumptions';
import {
	displayNameOf,
	readItems,
	readList,
	readResult,
} from '../../nodes/MessagingGateway/gateway/content';
import { createClient, fits, sendText, type Answer, type Client } from './gateway';
import { noteAnswer, ROWS, type Note, type Row } from './rows';
import { compareWebhook, EVENTS, type WebhookOptions } from './webhook';

export interface CompareOptions extends WebhookOptions {
	url: string;
	accountToken: string;
	instanceToken: string;
	/** What the fields of the credentials hold, if not the assumed values. */
	instancesPath?: string;
	presenceField?: string;
	pollParameter?: string;
	/** Message ID of a poll that was sent. */
	poll?: string;
}

const KNOWN_EVENTS = [...EVENTS, 'CONNECTION.UPDATED', 'QRCODE.UPDATED'];

// Fields of docs/api.md, each with its type.
const FLAGS = ['rejectCall', 'readMessages', 'ignoreGroups', 'ignoreStatus'];
const SETTINGS = { boolean: FLAGS, string: ['msgRejectCall'] };
const WEBHOOK = { string: ['id', 'url'], object: ['events'], boolean: ['enabled'] };
const POLL = { string: ['messageId'], number: ['totalVotes'], object: ['optionCounts', 'voters'] };

const listIn = ({ isSuccess, body }: Answer) => (isSuccess ? readList(body) : undefined);

/**
 * Compares a gateway with docs/api.md and with the assumptions of this package.
 * @returns for each of them its subject, the verdict, and what to do or what the gateway said
 * @throws if the gateway does not answer, or refuses a token
 */
export async function compare(options: CompareOptions): Promise<string[][]> {
	const { url, accountToken, instanceToken } = options;
	const ask = createClient(url, { account: accountToken, instance: instanceToken });
	const findings = new Map<Row, string[]>();
	const numberOf = (row: string) => /^A\d+/.exec(row)?.[0];
	const note: Note = (row, isRight, words = '') => {
		const right = numberOf(row) ? 'as assumed' : 'as documented';
		if (isRight === undefined) findings.set(row, ['not seen', words]);
		else if (isRight) findings.set(row, [right, words]);
		else findings.set(row, ['different', `${ROWS[row][1]}. ${words}`.trim()]);
	};
	await compareNumber(ask, note);
	await compareAccount(ask, note, options);
	await comparePoll(ask, note, options);
	await compareSends(ask, note, options);
	// The list of webhooks has said whether their path is right.
	if (findings.get('A1')?.[0] === 'as assumed') await compareWebhook(ask, note, options);
	return (Object.keys(ROWS) as Row[]).map((row) => {
		const [subject, , toTry = ''] = ROWS[row];
		const isTried = [...toTry.matchAll(/--(to|webhook|listen|poll)/g)].every(
			([, option]) => options[option as keyof CompareOptions] !== undefined,
		);
		const none = isTried ? ['not seen', 'nothing came'] : ['not tried', `add ${toTry}`];
		const number = numberOf(row);
		return [number ? `${number}: ${subject}` : subject, ...(findings.get(row) ?? none)];
	});
}

async function compareNumber(ask: Client, note: Note): Promise<void> {
	const settings = await ask('instance', 'GET /v1/instance/settings');
	if (settings.status === 0) throw new Error(`The gateway does not answer: ${settings.words}`);
	if (settings.status === 401) throw new Error(`The instance token is refused: ${settings.words}`);
	noteAnswer(note, 'settings', settings, fits(readResult(settings.body), SETTINGS));
	for (const name of ['groups', 'communities', 'newsletters'] as const) {
		const answer = await ask('instance', `GET /v1/${name}`);
		const list = listIn(answer);
		const areNamed = list?.every(
			(each) => each.id && (name === 'newsletters' || displayNameOf(each, '') !== ''),
		);
		if (list?.length === 0) note(`A5 ${name}`, undefined, 'the list is empty');
		else noteAnswer(note, `A5 ${name}`, answer, areNamed === true);
	}
	// Reads that must be refused: a token of nobody, a token of the wrong kind, a parameter that is missing.
	const refused = [
		await ask('unknown', 'GET /v1/instance/settings'),
		await ask('account', 'GET /v1/instance/settings'),
		await ask('instance', 'GET /v1/messages/poll-results'),
	];
	const lost = refused.find(({ status }) => status === 0);
	const strange = refused.find(({ status }) => status < 400 || status >= 500);
	note('A9', lost ? undefined : strange === undefined, strange?.words);
	const unclear = refused.find(({ body }) => !fits(body, { string: ['error'] }));
	note('refusals', lost ? undefined : unclear === undefined, unclear?.words);
}

async function compareAccount(ask: Client, note: Note, options: CompareOptions): Promise<void> {
	const { instancesPath = INSTANCES_PATH, webhooksPath = WEBHOOKS_PATH } = options;
	const answers = {
		instances: await ask('account', `GET ${instancesPath}`),
		webhooks: await ask('account', `GET ${webhooksPath}`),
	};
	if (Object.values(answers).every(({ status }) => status === 401))
		throw new Error(`The account token is refused: ${answers.webhooks.words}`);
	const instances = listIn(answers.instances);
	noteAnswer(note, 'A2', answers.instances, instances !== undefined);
	for (const record of instances?.slice(0, 1) ?? []) {
		const hasId = ID_FIELDS.some((field) => record[field]);
		note('A2 ID', hasId, hasId ? '' : `The record has ${Object.keys(record).join(', ')}`);
	}
	const webhooks = listIn(answers.webhooks);
	const areWebhooks = webhooks?.every((each) => fits(each, WEBHOOK)) === true;
	noteAnswer(note, 'A1', answers.webhooks, areWebhooks);
	if (!areWebhooks) return;
	if (webhooks.length === 0) return note('A7', undefined, 'there is no webhook');
	const types = webhooks.flatMap(({ events }) => events as string[]);
	const further = [...new Set(types)].filter((type) => !KNOWN_EVENTS.includes(type));
	note('A7', further.length === 0, further.join(', ') || 'as far as webhooks name them');
}

async function comparePoll(ask: Client, note: Note, options: CompareOptions): Promise<void> {
	const { poll, pollParameter = POLL_PARAMETER } = options;
	if (poll === undefined) return;
	const query = new URLSearchParams({ [pollParameter]: poll });
	const answer = await ask('instance', `GET /v1/messages/poll-results?${query}`);
	noteAnswer(note, 'A4', answer, answer.isSuccess && fits(readResult(answer.body), POLL));
}

async function compareSends(ask: Client, note: Note, options: CompareOptions): Promise<void> {
	const { to, presenceField = PRESENCE_FIELD } = options;
	if (to === undefined) return;
	const presence = { to, [presenceField]: 'COMPOSING', isAudio: false };
	const shown = await ask('instance', 'POST /v1/messages/presence', presence);
	noteAnswer(note, 'A3', shown, shown.isSuccess, 'if the phone has shown it');
	const sent = await sendText(ask, to);
	const isSent = sent.status === 202 && readItems(sent.body, 'messageId') !== undefined;
	noteAnswer(note, 'A6', sent, isSent);
}
