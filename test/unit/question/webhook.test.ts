import type { IHttpRequestOptions } from 'n8n-workflow';
import {
	noteArrival,
	openAccount,
	setForwarder,
} from '../../../nodes/MessagingGateway/question/accounts';
import { bodyOf, HOUR, isCreation, NOW, SECRET, standToAsk } from './standToAsk';

beforeEach(() => void jest.useFakeTimers({ now: NOW, doNotFake: ['nextTick', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

const DELIVERED = ['MESSAGE.RECEIVED'];
const PARKED = ['QRCODE.UPDATED'];
const CREATION = 'POST /v1/webhooks';

const questionTo = (execution: number, events = DELIVERED) => ({
	id: `wh_${execution}`,
	url: `https://n8n.example.com/webhook-waiting/${execution}/node?asked=5511900000002&until=${NOW + HOUR}${events === PARKED ? '&chat=9%40lid' : ''}&signature=x`,
	events,
});

/** A node that asks beside other questions, and maybe a trigger that forwards to them. */
async function standBeside(listed: object[], isProven?: boolean) {
	const stood = standToAsk({
		answers: ({ method }) =>
			method === 'GET' ? { status: 200, body: { data: listed } } : undefined,
	});
	const account = await openAccount(stood.context);
	if (isProven !== undefined) {
		const noteParked = async () => await Promise.resolve(true);
		setForwarder(account.fingerprint, account, { isProven, noteParked });
		noteArrival(account.fingerprint);
		account.memory.listsAll = true;
	}
	return { ...stood, account };
}

it('delivers what tells where the question went, beside the answers', async () => {
	const created: string[][] = [];
	const { put, send } = standToAsk({
		answers: (request) => {
			if (isCreation(request)) created.push(bodyOf(request).events);
			return undefined;
		},
	});
	await put(send());
	expect(created).toEqual([['MESSAGE.RECEIVED', 'MESSAGE.SENT']]);
});

describe('room for another question', () => {
	const refused = (open: number) => ({
		message: `${open} questions are open, and no more may be open at once. The message was not sent.`,
		context: { outcome: 'rejected', passing: true },
	});

	it('is there while fewer are open than wanted', async () => {
		const full = await standBeside([questionTo(8)]);
		await expect(full.put(full.send(), { most: 1 })).rejects.toMatchObject(refused(1));
		expect(full.done).not.toContain(CREATION);
		const roomy = await standBeside([questionTo(8)]);
		await roomy.put(roomy.send(), { most: 2 });
		expect(roomy.done).toContain(CREATION);
	});

	it('is not taken by those whose messages a trigger forwards', async () => {
		const { put, send, done } = await standBeside([questionTo(8, PARKED)], false);
		await put(send(), { most: 1 });
		expect(done).toContain(CREATION);
	});

	it('is not there beside a thousand of those', async () => {
		const thousand = [...Array(1_000).keys()].map((index) => questionTo(index, PARKED));
		const { put, send } = await standBeside(thousand, true);
		await expect(put(send(), { most: 1 })).rejects.toMatchObject(refused(1_000));
	});

	it('is waited for ten seconds, where a trigger is about to forward to the others', async () => {
		const { put, send, done } = await standBeside([questionTo(8)], true);
		const asking = put(send(), { most: 1 });
		const outcome = asking.then(
			() => 'asked',
			({ message }: Error) => message,
		);
		await jest.advanceTimersByTimeAsync(9_000);
		expect(done).not.toContain('send 1. Red\n2. Blue');
		expect(await Promise.race([outcome, 'waiting'])).toBe('waiting');
		await jest.advanceTimersByTimeAsync(2_000);
		expect(await outcome).toBe(refused(1).message);
	});
});

describe('questions that are asked at once', () => {
	/** A gateway that lists what it has made, and refuses the first ones. */
	function standBefore(refusals: number) {
		const made: object[] = [];
		let left = refusals;
		return standToAsk({
			answers: (request: IHttpRequestOptions) => {
				if (request.method === 'GET') return { status: 200, body: { data: made } };
				if (!isCreation(request)) return undefined;
				if (left-- > 0) return { status: 400 };
				const webhook = { ...bodyOf(request), id: `wh_${made.length + 1}` };
				made.push(webhook);
				return { status: 200, body: { data: { ...webhook, secret: SECRET } } };
			},
		});
	}

	it('count each other', async () => {
		const { put, send } = standBefore(0);
		const both = [1, 2].map(async () => await put(send(), { most: 1 }));
		const outcomes = await Promise.allSettled(both);
		expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
	});

	it('do not keep each other from being asked', async () => {
		const { put, send } = standBefore(1);
		const both = [1, 2].map(async () => await put(send()));
		const outcomes = await Promise.allSettled(both);
		expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
	});
});
