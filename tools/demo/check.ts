import { hasEnded } from '../../host/executions';
import { waitFor } from '../../host/waiting';
import type { Demo } from './demo';

/**
 * Does the first thing that a new user does: writes into the phone and looks for the reply there.
 * @param tell is called with each step that has happened
 * @throws with the step that did not happen, and the failure of the workflow
 */
export async function checkReply(
	{ gateway, api }: Pick<Demo, 'gateway' | 'api'>,
	workflowId: string,
	tell: (step: string) => void,
): Promise<void> {
	const text = `Hello from the check at ${new Date().toISOString()}`;
	const { id: eventId } = gateway.write(text);
	tell(`Wrote "${text}" into the phone`);
	await waitFor('n8n to accept the delivery', () =>
		gateway.deliveries.some((delivery) => delivery.eventId === eventId && delivery.status === 200),
	);
	tell('The gateway delivered it, and the trigger accepted the signature');

	const findReply = () =>
		gateway
			.chats()
			.flatMap(({ messages }) => messages)
			.find((message) => message.fromMe && message.text.includes(text));
	await waitFor('the reply to arrive in the phone', async () => {
		const [last] = await api.listExecutions(workflowId);
		if (last !== undefined && hasEnded(last) && last.status !== 'success')
			throw new Error((await api.getExecution(last.id)).data.resultData.error?.message);
		return ['DELIVERED', 'READ'].includes(findReply()?.status ?? '');
	});
	tell(`The reply arrived in the phone: "${findReply()?.text}"`);
}
