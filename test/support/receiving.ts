import { randomUUID } from 'node:crypto';
import type { IDataObject, NodeParameterValueType } from 'n8n-workflow';
import { waitFor } from '../../host/waiting';
import type { GatewayEvent } from '../../simulator';
import { engine, gateway } from './engineAndGateway';
import type { ReceiverOptions, WebhookReceiver } from './webhookReceiver';

const open: WebhookReceiver[] = [];

afterEach(async () => {
	for (const receiver of open.splice(0)) {
		await receiver.runs();
		await receiver.stop();
		expect(receiver.violations).toEqual([]);
	}
});

/** A published trigger: its port, and its webhook made at the gateway as n8n would. */
export async function publish(
	parameters: Record<string, NodeParameterValueType | undefined> = {},
	options: ReceiverOptions = {},
): Promise<{ receiver: WebhookReceiver; secret: string; staticData: IDataObject }> {
	const staticData: IDataObject = {};
	const receiver = await engine.receive(
		{
			id: randomUUID(),
			nodes: [
				{
					type: 'messagingGatewayTrigger',
					name: 'Trigger',
					webhookId: randomUUID(),
					parameters: { output: 'raw', ...parameters },
				},
				{ type: 'test.pass', name: 'Next' },
			],
			credentials: {
				messagingGatewayAccountApi: { baseUrl: gateway.url, accountToken: gateway.accountToken },
			},
			staticData,
		},
		options,
	);
	open.push(receiver);
	if (!(await engine.hook('checkExists', receiver.built, { test: options.test }))) {
		await engine.hook('create', receiver.built, { test: options.test });
	}
	const secret = gateway.webhooks().find(({ url }) => url === receiver.url)?.secret ?? '';
	return { receiver, secret, staticData };
}

/** An event as the gateway makes it: Ana writes to the number. */
export function makeEvent(change: Partial<GatewayEvent> = {}): GatewayEvent {
	return {
		id: `evt_${randomUUID()}`,
		type: 'MESSAGE.RECEIVED',
		instanceId: 'inst_1',
		timestamp: new Date().toISOString(),
		data: {
			messageId: 'm1',
			fromMe: false,
			text: 'Hello',
			messageType: 'TEXT',
			chat: { id: '5511987654321@s', type: 'CONTACT', phone: '5511987654321' },
			sender: { id: '5511987654321@s', phone: '5511987654321' },
		},
		...change,
	};
}

/** Delivers a body signed with this secret. Answers the status. */
export async function post(
	url: string,
	body: GatewayEvent | Buffer,
	secret: string,
	headers: Record<string, string> = {},
): Promise<number> {
	const payload = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
	const id = Buffer.isBuffer(body) ? undefined : body.id;
	const signed = gateway.sign(payload, secret, { id });
	const response = await fetch(url, {
		method: 'POST',
		body: new Uint8Array(payload),
		headers: { ...signed, ...headers },
	});
	await response.text();
	return response.status;
}

/** Waits until the trigger has been given so many deliveries. Of each it has then done all that needs no waiting. */
export async function arrived({ answers }: WebhookReceiver, count: number): Promise<void> {
	await waitFor(`${count} deliveries to arrive`, () => answers.length >= count);
}

/** Keeps executions from starting until the test lets them. */
export function holdStarts() {
	const held: Array<() => void> = [];
	return {
		beforeStart: async () => await new Promise<void>((resolve) => held.push(resolve)),
		/** Lets the next start go on, as soon as there is one. */
		async letGo() {
			(await waitFor('an execution to start', () => held.shift()))();
		},
	};
}
