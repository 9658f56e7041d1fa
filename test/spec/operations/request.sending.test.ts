import { readClock } from '../../../simulator/recorder';
import { outputOf, type TestNode } from '../../support/engine';
import { credentialsOf } from '../../support/runOperation';
import {
	acceptedTexts,
	fail,
	message,
	messages,
	runNode,
	sendByRequest,
	sendText,
} from '../../support/sending';
import { engine, gateway } from '../../support/stage';

/** A request to a path that only this gateway has, with a body of its own. */
const media = (
	body: string,
	{ options, ...others }: TestNode['parameters'] & { options?: object } = {},
): TestNode => ({
	...sendByRequest(),
	parameters: {
		...sendByRequest().parameters,
		path: '/v1/anything',
		...others,
		options: { body, ...options },
	},
});
const answerAll = (body: unknown) =>
	gateway.faults.add({ times: 'always', fault: { status: 200, body } });

describe('a request that sends a message', () => {
	it('puts out what a send puts out', async () => {
		const { run } = await runNode(sendByRequest(), messages(2));
		expect(outputOf(run, 'Send')).toEqual(
			gateway.acceptedSends().map(({ messageId }, item) => ({
				json: { messageId },
				pairedItem: { item },
			})),
		);
	});

	it.each([
		['an object without one', { data: { id: 'x' } }],
		['a list', { data: [{ messageId: 'x' }] }],
		['a number in its place', { messageId: 7 }],
	])('must be answered with a messageId, and says so of %s', async (_what, body) => {
		answerAll(body);
		const { node } = await runNode(media('{}'), messages(1));
		expect(node.error?.message).toBe(
			'The gateway’s answer has no messageId (status 200). The message may have been sent. Check the chat before you send it again.',
		);
		expect((node.error as { description?: string }).description).toContain('Outcome: unknown');
	});

	it.each([
		[true, 'The message was not sent.'],
		['={{ "true" }}', 'The message was not sent.'],
		['={{ "false" }}', 'The change was not made.'],
		[false, 'The change was not made.'],
	])('speaks of a message only where it sends one (%s)', async (sendsMessage, words) => {
		fail('m0', { status: 400, body: { error: 'No.' } });
		const { node } = await runNode(
			media('={{ { text: $json.text } }}', { sendsMessage }),
			messages(1),
		);
		expect(node.error?.message).toBe(`No. ${words}`);
	});

	it('shares the pace of Send Text', async () => {
		const options = { messagesPerMinute: 600 };
		const begun = readClock();
		await engine.run({
			nodes: [
				sendText({ options }),
				{
					...sendByRequest({ options }),
					name: 'Request',
					parameters: {
						...sendByRequest({ options }).parameters,
						options: {
							...options,
							body: '={ "to": "5511987654321", "text": "{{ $json.messageId }}" }',
						},
					},
				},
			],
			items: messages(2),
			credentials: credentialsOf(gateway),
		});
		const starts = gateway.requests.map(({ startedAt }) => startedAt);
		expect(starts).toHaveLength(4);
		for (let index = 1; index < 4; index++)
			expect(starts[index] - begun).toBeGreaterThanOrEqual(index * 100 - 10);
	});

	it('does not keep to a pace that was left behind when it still sent messages', async () => {
		const { node } = await runNode(
			media('{}', { sendsMessage: false, options: { messagesPerMinute: '={{ "many" }}' } }),
			messages(1),
		);
		expect(node.error?.message).toContain('There is no POST /v1/anything');
	});

	it('keeps the quiet that Send Text was asked for', async () => {
		fail('m0', { status: 429, headers: { 'retry-after': '3600' } });
		await runNode(sendText(), messages(1));
		const { node } = await runNode(sendByRequest(), messages(1));
		expect(node.error?.message).toContain('asked for a pause of');
		expect(gateway.requests).toHaveLength(1);
	});

	const overlaps = () =>
		gateway.requests.filter(({ startedAt }, index) =>
			gateway.requests.some((other, place) => place < index && other.finishedAt > startedAt),
		).length;

	const answerSlowly = () =>
		gateway.faults.add({ times: 'always', fault: { kind: 'slow', delayMs: 20 } });

	it('keeps the order of each recipient, however the number is written, while others go in parallel', async () => {
		answerSlowly();
		const spellings = ['+55 11 98765-4321', '551187654321', '5511987654321'];
		const items = [...Array(24).keys()].map((index) =>
			message(`m${index}`, index % 2 ? String(5521911110000 + index) : spellings[(index / 2) % 3]),
		);
		await runNode(sendByRequest({ options: { concurrency: 6 } }), items);
		const ofOne = gateway.requests.filter(({ body }) =>
			(body as { to: string }).to.replace(/\D/g, '').startsWith('5511'),
		);
		expect(ofOne).toHaveLength(12);
		ofOne.reduce((one, next) => {
			expect(next.startedAt).toBeGreaterThanOrEqual(one.finishedAt);
			return next;
		});
		expect(acceptedTexts().filter((text) => Number(text.slice(1)) % 2 === 0)).toEqual(
			items.filter((_item, index) => index % 2 === 0).map(({ text }) => text),
		);
		expect(overlaps()).toBeGreaterThan(5);
	});

	it.each([
		['none', '={{ { chat: $json.to, n: $json.text } }}'],
		['a list', '={{ { to: [$json.to], n: $json.text } }}'],
		['a body that is no object', '={{ [$json.text] }}'],
	])('goes one after another where the recipient cannot be told: %s', async (_what, body) => {
		answerSlowly();
		const node = media(body, { options: { concurrency: 5 } });
		await runNode({ ...node, onError: 'continueRegularOutput' }, messages(5));
		expect(gateway.requests).toHaveLength(5);
		expect(overlaps()).toBe(0);
	});

	it('leaves other requests as parallel as they are', async () => {
		answerSlowly();
		const node = media('={{ { to: "5511987654321" } }}', {
			sendsMessage: false,
			options: { concurrency: 5 },
		});
		await runNode({ ...node, onError: 'continueRegularOutput' }, messages(5));
		expect(overlaps()).toBeGreaterThan(0);
	});
});
