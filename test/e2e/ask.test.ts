import { PEOPLE } from '../../lab/simulator';
import { phoneKeyOf } from '../../nodes/MessagingGateway/values/phone';
import { ANA, publishAsk, untilNothingIsLeft, type OpenQuestion } from '../support/drafts/ask';
import { host, useHost } from '../support/host';

// The gateway soon gives up what n8n answers 409, for an execution that was stopped.
useHost({ gateway: { retryDelaysMs: Array<number>(5).fill(500) } });

beforeEach(() => host.gateway.reset({ webhooks: true }));

const numberOf = ({ sent }: OpenQuestion) => /^\d{3}1(?=\. )/m.exec(sent.text)![0];

/** Ana writes. Resolves when all deliveries of it are answered. */
async function write(words: string): Promise<void> {
	await host.gateway.drained();
	host.gateway.write(words, { phone: ANA });
	await host.gateway.drained();
}

it('takes the number of an approval at the first delivery', async () => {
	const question = await (await publishAsk(host, { responseType: 'approval' })).ask('order 42');
	expect(question.sent.text).toMatch(/^Shall we\?\n\n(\d{3})1\. Yes\n\1[2]\. No$/);
	await write(`${numberOf(question)} 👎`);
	await write(numberOf(question));
	expect(await question.answer()).toEqual({
		data: {
			approved: true,
			text: numberOf(question),
			messageId: question.sent.messageId,
			messageType: 'TEXT',
			responder: { id: PEOPLE[0].id, phone: `+${ANA}`, personKey: phoneKeyOf(ANA) },
			chatId: PEOPLE[0].id,
			respondedAt: expect.any(String),
		},
		replyTo: PEOPLE[0].id,
		event: expect.objectContaining({ type: 'MESSAGE.RECEIVED' }),
		note: 'order 42',
	});
	await untilNothingIsLeft(host.gateway);
	expect(host.gateway.deliveries.map(({ status }) => status)).not.toContain(503);
});

it('takes an answer for the newer question of two workflows, and ends the older one', async () => {
	const one = await publishAsk(host);
	const other = await publishAsk(host);
	const older = await one.ask();
	const newer = await other.ask();
	host.gateway.setDelivery({ duplicate: 3 });
	await write('at nine');
	expect(await newer.answer()).toMatchObject({ data: { text: 'at nine' } });
	await write('at ten');
	expect(await host.api.getExecution(older.executionId)).toMatchObject({ status: 'waiting' });
	await untilNothingIsLeft(host.gateway);
});
