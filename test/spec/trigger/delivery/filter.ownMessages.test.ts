import { waitFor } from '../../../../lab/host/waiting';
import { gateway } from '../../../support/engineAndGateway';
import { arrived, pass, publish, useFakeClock } from '../../../support/receiving';
import { fail, message, runNode, send, sendByRequest } from '../../../support/sending';

const EVENTS = ['MESSAGE.SENT'];

async function publishFor(options: Record<string, boolean>) {
	return await publish({ events: EVENTS, options });
}

it('a message that n8n has sent starts nothing, and one typed on the phone starts the workflow', async () => {
	const { receiver } = await publishFor({ ignoreMessagesFromN8n: true });
	await send({ items: [message('from n8n')] });
	await gateway.drained();
	const typed = gateway.writeOnPhone('typed');
	await gateway.drained();

	const started = receiver.executions.map(([{ json }]) => json.data);
	expect(started).toEqual([expect.objectContaining({ messageId: typed, text: 'typed' })]);
	expect(gateway.deliveries.map(({ status }) => status)).toEqual([200, 200]);
});

it('a message that n8n has sent starts the workflow as long as the option is not added', async () => {
	const { receiver } = await publishFor({});
	await send({ items: [message('from n8n')] });
	await gateway.drained();
	expect(receiver.executions).toHaveLength(1);
});

it('a message that API Request has sent starts nothing, with and without "Sends a Message"', async () => {
	const { receiver } = await publishFor({ ignoreMessagesFromN8n: true });
	for (const sendsMessage of [true, false]) {
		const node = sendByRequest();
		await runNode({ ...node, parameters: { ...node.parameters, sendsMessage } }, [message('hi')]);
	}
	await gateway.drained();
	expect(gateway.acceptedSends()).toHaveLength(2);
	expect(receiver.executions).toHaveLength(0);
});

describe('an event that is faster than the response to its send', () => {
	useFakeClock();

	it('waits for the response, and starts nothing', async () => {
		const { receiver } = await publishFor({ ignoreMessagesFromN8n: true });
		const answer = Promise.withResolvers<void>();
		fail('slow', { kind: 'slowAnswer', until: async () => await answer.promise });
		const sending = send({ items: [message('slow')] });
		await waitFor('the send to be accepted', () => gateway.acceptedSends().length === 1);
		await pass(10);
		await arrived(receiver, 1);
		expect(receiver.answers[0].headersSent).toBe(false);

		answer.resolve();
		await sending;
		await waitFor('the response to the delivery', () => gateway.deliveries[0].status === 200);
		expect(receiver.executions).toHaveLength(0);
	});

	it('is deferred if the response does not come in time, and is recognized when it comes again', async () => {
		const { receiver } = await publishFor({ ignoreMessagesFromN8n: true });
		const answer = Promise.withResolvers<void>();
		fail('slow', { kind: 'slowAnswer', until: async () => await answer.promise });
		const sending = send({ items: [message('slow')] });
		await waitFor('the send to be accepted', () => gateway.acceptedSends().length === 1);
		await pass(10);
		await arrived(receiver, 1);
		await pass(8_500);
		await waitFor('the response to the delivery', () => gateway.deliveries[0].status === 503);

		answer.resolve();
		await sending;
		await pass(10_000);
		await waitFor('the repeat', () => gateway.deliveries.at(-1)?.status === 200);
		expect(receiver.executions).toHaveLength(0);
	});

	it('does not hold up a message that is typed meanwhile for longer than that send', async () => {
		const { receiver } = await publishFor({ ignoreMessagesFromN8n: true });
		const answer = Promise.withResolvers<void>();
		fail('slow', { kind: 'slowAnswer', until: async () => await answer.promise });
		const sending = send({ items: [message('slow')] });
		await waitFor('the send to be accepted', () => gateway.acceptedSends().length === 1);
		gateway.writeOnPhone('typed');
		await pass(10);
		await arrived(receiver, 2);

		answer.resolve();
		await sending;
		await waitFor('the start', () => receiver.executions.length === 1);
		expect(receiver.executions[0][0].json.data).toMatchObject({ text: 'typed' });
	});
});
