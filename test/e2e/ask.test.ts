import { publish } from '../../host/drafts/workflows';
import { PEOPLE } from '../../simulator';
import { to } from '../contract/document';
import {
	ANA,
	BRUNO,
	FAMILY,
	publishAsk,
	untilNothingIsLeft,
	type OpenQuestion,
} from '../support/drafts/ask';
import { draftAnswering } from '../support/drafts/trigger';
import { host, useHost } from '../support/host';

useHost();

const CARLA = PEOPLE[2].phone!;
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

const texts = () => host.gateway.acceptedSends().map(({ text }) => text);

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

	it('counts a message as it reads after an edit, and decides nothing twice', async () => {
		const { gateway } = host;
		const workflow = await publishAsk(host, APPROVAL);
		const question = await workflow.ask();
		// The webhook stays, so that n8n gets the last edit too.
		gateway.faults.add({ match: { method: 'DELETE' }, fault: { status: 422 } });
		const edit = async (text: string) => {
			const data = { messageId: 'EDITED', chat: PEOPLE[0], sender: PEOPLE[0], text };
			gateway.emit({ type: 'MESSAGE.RECEIVED', data } as never);
			await gateway.drained();
		};
		await edit('sure');
		expect(await question.isOpen()).toBe(true);
		await edit(numberOf(question));
		expect(await question.answer()).toMatchObject({ data: { approved: true } });
		await edit(numberOf(question, 2));
		expect(gateway.deliveries.at(-1)).toMatchObject({
			webhookId: question.webhook().id,
			status: 200,
		});
		expect(await question.answer()).toMatchObject({ data: { approved: true } });
		expect(await host.api.listExecutions(workflow.id)).toHaveLength(1);
	});

	it('asks a group, and counts the person asked alone', async () => {
		const asked = { ...APPROVAL, to: to('list', FAMILY), options: { person: BRUNO } };
		const question = await (await publishAsk(host, asked)).ask();
		await write(numberOf(question), { chatId: FAMILY });
		await write('sure', { chatId: FAMILY, phone: BRUNO });
		expect(await question.isOpen()).toBe(true);
		await write(numberOf(question), { chatId: FAMILY, phone: BRUNO });
		expect(await question.answer()).toMatchObject({ data: { approved: true }, replyTo: FAMILY });
		expect(texts()).toHaveLength(1);
	});
});

it.each<[string, string, object, string]>([
	['a button', 'pressed', { buttonReplyId: '2' }, 'Amanhã'],
	['a keycap', '2️⃣', {}, 'Amanhã'],
	['Turkish capitals', 'HAYIR', {}, 'Hayır'],
])('counts a choice by %s', async (_what, words, writing, choice) => {
	const asked = { responseType: 'choice', choices: 'Hayır\nAmanhã' };
	const question = await (await publishAsk(host, asked)).ask();
	expect(question.sent.text).toBe('Shall we?\n\n1. Hayır\n2. Amanhã');
	expect(await write(words, writing)).toEqual([200]);
	expect(await question.answer()).toMatchObject({ data: { choice } });
});

it('keeps its answers from a bot beside it', async () => {
	const bot = await publish(host.api, draftAnswering(host, []));
	const carla = { phone: CARLA };
	const question = await (await publishAsk(host, { ...APPROVAL, to: to('phone', CARLA) })).ask();
	for (const words of ['sure', numberOf(question), 'thanks']) await write(words, carla);
	expect(await question.answer()).toMatchObject({ data: { approved: true } });
	await host.api.waitForExecutions(bot, 1);
	expect(texts().filter((text) => text.startsWith('Answer to'))).toEqual(['Answer to thanks']);
	await host.api.deleteWorkflow(bot);
});
