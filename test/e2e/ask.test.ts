import { PEOPLE } from '../../simulator';
import { ANA, publishAsk, untilNothingIsLeft, type OpenQuestion } from '../support/drafts/ask';
import { host, useHost } from '../support/host';

useHost();

const APPROVAL = { responseType: 'approval' };

beforeEach(() => host.gateway.reset({ webhooks: true }));

afterEach(() => {
	const deferred = host.gateway.deliveries.filter(
		({ status, answer = '' }) => status === 503 && !answer.includes('not ready'),
	);
	expect(deferred).toEqual([]);
});

const numberOf = ({ sent }: OpenQuestion, label: 1 | 2 = 1) =>
	new RegExp(`^(\\d\\d${label})\\. `, 'm').exec(sent.text)![1];

/** Ana writes. Resolves when all deliveries of it are answered, with their number and statuses. */
async function write(words: string, writing: object = {}): Promise<Array<number | null>> {
	await host.gateway.drained();
	const { id } = host.gateway.write(words, { phone: ANA, ...writing });
	await host.gateway.drained();
	return host.gateway.deliveries.flatMap((each) => (each.eventId === id ? [each.status] : []));
}

describe('an approval', () => {
	it.each([
		['its number', (asked: OpenQuestion) => numberOf(asked), false, true],
		['its label in a quote', () => 'No.', true, false],
	])('counts by %s, at the first delivery', async (_what, compose, isQuoting, approved) => {
		const question = await (await publishAsk(host, APPROVAL)).ask('order 42');
		expect(question.sent.text).toMatch(/^Shall we\?\n\n(\d\d)1\. Yes\n\1[2]\. No$/);
		const { messageId } = question.sent;
		const words = compose(question);
		const quote = isQuoting ? { quotedMessageId: messageId } : {};
		expect(await write(words, quote)).toEqual([200]);
		expect(await question.answer()).toEqual({
			data: {
				...{ approved, text: words, messageId },
				messageType: 'TEXT',
				...{ responder: { id: PEOPLE[0].id }, chatId: PEOPLE[0].id },
				respondedAt: expect.any(String),
			},
			replyTo: PEOPLE[0].id,
			event: expect.objectContaining({ type: 'MESSAGE.RECEIVED' }),
			note: 'order 42',
		});
		await untilNothingIsLeft(host.gateway);
	});
});
