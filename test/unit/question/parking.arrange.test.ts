import type { IHttpRequestOptions } from 'n8n-workflow';
import type { GatewayContext } from '../../../nodes/MessagingGateway/api/request';
import {
	noteArrival,
	openAccount,
	setForwarder,
} from '../../../nodes/MessagingGateway/question/accounts';
import {
	arrangeWebhook,
	arrangeWebhooks,
	noteExecution,
	type QuestionWebhook,
} from '../../../nodes/MessagingGateway/question/parking';
import { gatewayContext, type Answered } from '../gatewayContext';
import { open } from './asked';

const DELIVERED = ['MESSAGE.RECEIVED'];
const PARKED = ['QRCODE.UPDATED'];
const OK: Answered = { status: 200 };
const CANNOT: Answered = { status: 405 };
const SILENCE = 'silence';

interface Standing {
	/** Whether the self-test of the account's one trigger has arrived; undefined where there is no trigger. */
	isProven?: boolean;
	answer?: Answered | typeof SILENCE;
	during?(): void;
}

/** An account with an open question, its trigger, and a gateway that notes the events of each change. */
async function stand({ isProven, answer = OK, during = () => {} }: Standing) {
	const changes: string[][] = [];
	const context = gatewayContext({
		answer: ({ body }: IHttpRequestOptions) => {
			changes.push((JSON.parse(String(body)) as { events: string[] }).events);
			if (changes.length === 1) during();
			if (answer === SILENCE) throw new Error('Cut off');
			return answer;
		},
	}) as unknown as GatewayContext;
	const account = await openAccount(context);
	account.note('wh_1', open(1));
	const name = account.fingerprint;
	const noteParked = async () => await Promise.resolve(true);
	noteExecution({ getMode: () => 'webhook' });
	noteArrival(name);
	if (isProven !== undefined) setForwarder(name, account, { isProven, noteParked });
	return { context, account, name, changes };
}

const webhook = (events?: string[]): QuestionWebhook => ({
	id: 'wh_1',
	url: 'https://n8n.example.com/webhook-waiting/1/node',
	events,
});

type Row = [
	what: string,
	standing: Standing,
	events: string[] | undefined,
	isListed: boolean,
	comes: { changes: string[][]; parked: number; unchanged: number },
];

const kept = (parked: number) => ({ changes: [], parked, unchanged: 0 });
const changed = (to: string[], parked: number, unchanged = 0) => ({
	changes: [to],
	parked,
	unchanged,
});

it.each<Row>([
	['is parked for a trigger', { isProven: true }, DELIVERED, true, changed(PARKED, 1)],
	['stays parked for it', { isProven: true }, PARKED, true, kept(1)],
	['is parked where it has no events', { isProven: true }, undefined, true, changed(PARKED, 1)],
	[
		'stays as it is where the gateway cannot change it',
		{ isProven: true, answer: CANNOT },
		DELIVERED,
		true,
		changed(PARKED, 0, 1),
	],
	[
		'stays as it is as far as anybody knows, where no answer comes',
		{ isProven: true, answer: SILENCE },
		DELIVERED,
		true,
		changed(PARKED, 0, 1),
	],
	['is never parked where the list is cut', { isProven: true }, DELIVERED, false, kept(0)],
	['is woken there', { isProven: true }, PARKED, false, changed(DELIVERED, 0)],
	['stays parked while its trigger comes back', { isProven: false }, PARKED, true, kept(1)],
	['is not parked until that is back', { isProven: false }, DELIVERED, true, kept(0)],
	['is woken without a trigger', {}, PARKED, true, changed(DELIVERED, 0)],
	['stays awake without one', {}, DELIVERED, true, kept(0)],
	['is not parked as far as anybody knows, where it has no events', {}, undefined, true, kept(0)],
	[
		'stays parked where the gateway cannot wake it',
		{ answer: CANNOT },
		PARKED,
		true,
		changed(DELIVERED, 1, 1),
	],
	[
		'stays parked as far as anybody knows, where no answer comes',
		{ answer: SILENCE },
		PARKED,
		true,
		changed(DELIVERED, 1, 1),
	],
])('the webhook of a question %s', async (_what, standing, events, isListed, comes) => {
	const { context, changes } = await stand(standing);
	const { parked, unchanged } = await arrangeWebhooks(context, [webhook(events)], isListed);
	expect({ changes, parked, unchanged: unchanged.length }).toEqual(comes);
});

it.each<[string, Answered | typeof SILENCE]>([
	['does so', OK],
	['does not answer', SILENCE],
])(
	'is woken again where its trigger goes while the gateway parks it, and %s',
	async (_how, answer) => {
		let leave = () => {};
		const stood = await stand({ isProven: true, answer, during: () => leave() });
		stood.account.memory.listsAll = true;
		leave = () => setForwarder(stood.name);
		await arrangeWebhook(stood.context, webhook(DELIVERED), true).catch(() => {});
		expect(stood.changes).toEqual([PARKED, DELIVERED]);
	},
);

it.each([429, 503])(
	'is neither parked nor refused where the gateway answers %i',
	async (status) => {
		const { context, account } = await stand({ isProven: true, answer: { status } });
		account.memory.listsAll = true;
		for (const mayPark of [true, false])
			await expect(arrangeWebhook(context, webhook(DELIVERED), mayPark)).rejects.toThrow(
				/not.* now/,
			);
	},
);

it('is parked where one of two triggers can note it', async () => {
	const { context, account, changes } = await stand({ isProven: true });
	const noteParked = async () => await Promise.resolve(false);
	setForwarder(`second of ${account.fingerprint}`, account, { isProven: true, noteParked });
	await arrangeWebhooks(context, [webhook(DELIVERED)], true);
	expect(changes).toEqual([PARKED]);
});

it('is not parked by whoever does not know of the question', async () => {
	const { context, account, changes } = await stand({ isProven: true });
	account.forget('wh_1');
	await arrangeWebhooks(context, [webhook(DELIVERED)], true);
	expect(changes).toEqual([DELIVERED]);
});
