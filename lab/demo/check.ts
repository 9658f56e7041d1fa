import { chain, choose, makeNode } from '../host/drafts/nodes';
import { hasEnded } from '../host/executions';
import { waitFor } from '../host/waiting';
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

/** Lets n8n write an e-mail with the credential of the demo, and looks for it in the mailbox. */
export async function checkMailbox(
	{ api, ports }: Pick<Demo, 'api' | 'ports'>,
	tell: (step: string) => void,
): Promise<void> {
	const [credential] = (await api.listCredentials()).filter(({ type }) => type === 'smtp');
	const parameters = {
		fromEmail: 'n8n@example.com',
		toEmail: 'you@example.com',
		subject: 'Check',
		emailFormat: 'text',
		text: 'Hello',
	};
	const start = makeNode('n8n-nodes-base.manualTrigger', 'Start');
	const send = makeNode('n8n-nodes-base.emailSend', 'Send', parameters, {
		...choose(credential),
		typeVersion: 2.1,
	});

	const nodes = [start, send];
	const { id } = await api.createWorkflow({ name: 'Check', nodes, connections: chain(nodes) });
	const { data } = await api.runManually(id, 'Start');
	if (data.resultData.error) throw data.resultData.error;

	await waitFor('the e-mail in the mailbox', async () => {
		const mails = await (await fetch(`http://127.0.0.1:${ports.mailbox}/email`)).json();
		return (mails as Array<{ subject: string }>).some(({ subject }) => subject === 'Check');
	});
	tell('The mailbox has received an e-mail of n8n');
}
