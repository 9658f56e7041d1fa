import type { IDataObject } from 'n8n-workflow';
import { waitFor } from '../../../host/waiting';
import type { Fault } from '../../../simulator';
import { outputOf } from '../../support/engine';
import {
	acceptedTexts,
	askedTexts,
	fail,
	message,
	messages,
	requestsOf,
	RETRY_AT_ONCE,
	runNode,
	send,
	sendText,
} from '../../support/sending';
import { gateway } from '../../support/stage';

/** Waits until the gateway has answered a message. */
async function answered(text: string): Promise<void> {
	await waitFor(`${text} to be answered`, () => requestsOf(text).some(({ status }) => status > 0));
}

describe('a bulk', () => {
	it('goes one by one and in order unless asked otherwise', async () => {
		gateway.faults.add({ match: { text: 'm2' }, fault: { kind: 'slow', delayMs: 50 } });
		await send({ items: messages(6) });
		expect(acceptedTexts()).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'm5']);
		gateway.requests.reduce((one, next) => {
			expect(next.startedAt).toBeGreaterThanOrEqual(one.finishedAt);
			return next;
		});
	});

	it('keeps the order of each recipient, however the number is written, while others go in parallel', async () => {
		gateway.faults.add({ times: 'always', fault: { kind: 'slow', delayMs: 20 } });
		const spellings = ['+55 11 98765-4321', '551187654321', '5511987654321'];
		const items = [...Array(60).keys()].map((index) =>
			message(
				`m${index}`,
				index % 4 === 0 ? spellings[(index / 4) % 3] : String(5521911110000 + (index % 5)),
			),
		);
		await send({ items, options: { concurrency: 10 } });

		const lanes = new Map<string, typeof gateway.requests>();
		for (const request of gateway.requests) {
			const to = String((request.body as IDataObject).to);
			const lane = to.startsWith('5511') ? 'one phone in three spellings' : to;
			lanes.set(lane, [...(lanes.get(lane) ?? []), request]);
		}
		expect(lanes.size).toBe(6);
		const numberOf = ({ body }: (typeof gateway.requests)[number]) =>
			Number(String((body as IDataObject).text).slice(1));
		for (const requests of lanes.values()) {
			requests.reduce((one, next) => {
				expect(next.startedAt).toBeGreaterThanOrEqual(one.finishedAt);
				expect(numberOf(next)).toBeGreaterThan(numberOf(one));
				return next;
			});
		}
		const overlapping = gateway.requests.filter(({ startedAt }, index) =>
			gateway.requests.some((other, place) => place < index && other.finishedAt > startedAt),
		);
		expect(overlapping.length).toBeGreaterThan(30);
	});

	it('puts out every result in the place of its item, whatever came back first', async () => {
		const until = async () =>
			await waitFor('the others to be accepted', () => acceptedTexts().length === 9);
		fail('m0', { kind: 'slow', until });
		const { run } = await send({ items: messages(10), options: { concurrency: 10 } });
		const idOf = new Map(gateway.acceptedSends().map(({ text, messageId }) => [text, messageId]));
		expect(acceptedTexts().at(-1)).toBe('m0');
		expect(
			outputOf(run, 'Send').map(({ json, pairedItem }) => [json.messageId, pairedItem]),
		).toEqual([...Array(10).keys()].map((index) => [idOf.get(`m${index}`), { item: index }]));
	});

	it('names an item whose recipient cannot be read, and sends the others', async () => {
		const items = [message('m0'), { text: 'm1' }, message('m2', 'not a phone'), message('m3')];
		const { run } = await send({
			items,
			options: { concurrency: 4 },
			settings: { onError: 'continueRegularOutput' },
		});
		expect(acceptedTexts()).toEqual(['m0', 'm3']);
		expect(outputOf(run, 'Send').map(({ json }) => 'error' in json)).toEqual([
			false,
			true,
			true,
			false,
		]);
	});

	it('says how many were sent, which failed and how many were not tried', async () => {
		fail('m2', { status: 400 });
		const { node } = await send({ items: messages(10) });
		expect(node.error?.description).toContain(
			'Of 10 items, 2 succeeded, 1 did not (the first is item 3), and 7 were not tried.',
		);
		expect(acceptedTexts()).toEqual(['m0', 'm1']);
	});

	it('begins nothing after the first failure, and waits for what is under way', async () => {
		fail('m1', { status: 400 });
		const until = async () => await answered('m1');
		gateway.faults.add({ times: 'always', fault: { kind: 'slow', until } });
		const { node } = await send({ items: messages(50), options: { concurrency: 5 } });
		expect(new Set(acceptedTexts())).toEqual(new Set(['m0', 'm2', 'm3', 'm4']));
		expect(node.error?.description).toContain(
			'Of 50 items, 4 succeeded, 1 did not (the first is item 2), and 45 were not tried.',
		);
	});
});

describe('the first failure where the node is to stop', () => {
	it.each<[string, Fault]>([
		['401', { status: 401 }],
		['429 and a time to wait', { status: 429, headers: { 'retry-after': '60' } }],
	])('keeps back those who wait for the pace when it is %s', async (_what, fault) => {
		fail('m0', fault);
		const { node } = await runNode(
			sendText({ options: { concurrency: 20, messagesPerMinute: 60 } }),
			messages(20),
		);
		expect(askedTexts()).toEqual(['m0']);
		expect(node.error?.description).toContain(
			'Of 20 items, 0 succeeded, 1 did not (the first is item 1), and 19 were not tried.',
		);
	});

	it('keeps back a message whose typing is shown, and ends the typing', async () => {
		fail('m0', { status: 400 });
		const until = async () => await answered('m0');
		gateway.faults.add({ match: { to: '5511900000001' }, fault: { kind: 'slow', until } });
		const { node } = await send({
			items: messages(2),
			options: { concurrency: 2, typingSeconds: 0.05 },
		});
		const toOther = gateway.requests
			.map(({ body }) => body as IDataObject)
			.filter(({ to }) => to === '5511900000001');
		expect(toOther.map(({ presence, text }) => presence ?? text)).toEqual(['COMPOSING', 'PAUSED']);
		expect(node.error?.description).toContain(
			'1 did not (the first is item 1), and 1 were not tried.',
		);
	});

	it('leaves those kept back to the next try', async () => {
		fail('m0', RETRY_AT_ONCE);
		const options = { concurrency: 5, messagesPerMinute: 120 };
		await runNode(sendText({ options, settings: { retryOnFail: true } }), messages(5));
		expect(askedTexts()).toEqual(['m0', 'm0', 'm1', 'm2', 'm3', 'm4']);
	});
});
