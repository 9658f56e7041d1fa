import type { N8nApi } from '../../host/api';
import { waitFor } from '../../host/waiting';
import type { Simulator } from '../../simulator';
import type { Stage } from './stage';

const PATIENCE_MS = 30_000;

/**
 * Does what a newcomer does first: writes into the phone and looks for the reply there. Tells every step as it happens.
 * @throws with what did not happen, and what is known about why
 */
export async function checkReply(
	{ gateway, api }: Pick<Stage, 'gateway' | 'api'>,
	workflowId: string,
	tell: (step: string) => void,
): Promise<void> {
	const text = `Hello from the check at ${new Date().toISOString()}`;
	const event = gateway.write(text);
	const { chat } = event.data as { chat: { id: string } };
	tell(`Wrote "${text}" into the phone`);

	await waitFor('n8n to accept the delivery', () => isTaken(gateway, event.id), PATIENCE_MS).catch(
		(error: Error) => {
			throw new Error(`${error.message} ${describeDeliveries(gateway, event.id)}`);
		},
	);
	tell('The gateway delivered it, and the trigger accepted the signature');

	const replyOf = () =>
		gateway
			.chats()
			.find(({ id }) => id === chat.id)
			?.messages.find((message) => message.fromMe && message.text.includes(text));
	await waitFor('the workflow to send a reply', () => replyOf(), PATIENCE_MS).catch(
		async (error: Error) => {
			throw new Error(`${error.message} ${await describeLastExecution(api, workflowId)}`);
		},
	);
	tell('The workflow answered through Send Text');

	const hasArrived = () => ['DELIVERED', 'READ'].includes(replyOf()?.status ?? '');
	await waitFor('the reply to arrive in the phone', hasArrived, PATIENCE_MS);
	tell(`The reply arrived in the phone: "${replyOf()?.text}"`);
}

function isTaken(gateway: Simulator, eventId: string): boolean {
	return gateway.deliveries.some(
		({ eventId: id, status }) => id === eventId && status !== null && status >= 200 && status < 300,
	);
}

function describeDeliveries(gateway: Simulator, eventId: string): string {
	const attempts = gateway.deliveries.filter((delivery) => delivery.eventId === eventId);
	if (attempts.length === 0)
		return `It was delivered to nobody: ${gateway.webhooks().length} webhooks are registered.`;
	const answers = attempts.map(
		({ url, status, error, answer }) => `${url}: ${status ?? error} ${answer ?? ''}`,
	);
	return `The deliveries were answered:\n${answers.join('\n')}`;
}

async function describeLastExecution(api: N8nApi, workflowId: string): Promise<string> {
	const [last] = await api.listExecutions(workflowId);
	if (last === undefined) return 'No execution was started.';
	const { data, status } = await api.getExecution(last.id);
	return `The last execution (${last.id}) ended with ${status}. ${data.resultData.error?.message ?? ''}`;
}
