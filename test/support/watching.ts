import { randomUUID } from 'node:crypto';
import type { IDataObject, NodeParameterValueType } from 'n8n-workflow';
import { deliver, post } from '../contract/deliveries';
import { startClock, type Clock } from './clock';
import type { BuiltWorkflow, RunningTrigger } from './engine';
import { engine, gateway } from './engineAndGateway';
import { credentialsOf } from './runOperation';
import type { WebhookReceiver } from './webhookReceiver';

// What the trigger does by itself, at its own times: here they come when the test says so.

export const MINUTES = 60_000;

export const open: Array<{ close(): Promise<void> }> = [];
let clock: Clock;

beforeEach(() => {
	clock = startClock();
});

afterEach(async () => {
	for (const { close } of open.splice(0).reverse()) await close();
	jest.useRealTimers();
	jest.restoreAllMocks();
});

/** Lets time pass. What the trigger begins meanwhile, it ends. */
export const pass = async (milliseconds: number): Promise<void> => await clock.pass(milliseconds);

export interface Published {
	built: BuiltWorkflow;
	trigger: RunningTrigger;
	url: string;
}

/** A published workflow to which deliveries come. */
export async function publish(
	parameters: Record<string, NodeParameterValueType> = {},
): Promise<Published & { receiver: WebhookReceiver }> {
	const receiver = await engine.receive({
		id: randomUUID(),
		nodes: [{ type: 'messagingGatewayTrigger', name: 'Trigger', webhookId: 'hook', parameters }],
		credentials: credentialsOf(gateway),
		staticData: {},
	});
	open.push({ close: async () => await receiver.stop() });
	const { built, url } = receiver;
	await engine.publish(built);
	const trigger = await engine.trigger(built);
	open.push(trigger);
	return { built, trigger, url, receiver };
}

export const recordOf = ({ built }: Published) => built.staticData['node:Trigger'] as IDataObject;

/** What a delivery of the gateway is answered, signed with the secret of its one webhook. */
export async function deliverOnce({ url }: Published): Promise<number> {
	const records = gateway.webhooks().filter((webhook) => webhook.url === url);
	expect(records).toHaveLength(1);
	const [{ secret }] = records;
	return (await post(url, deliver({ secret }))).status;
}

export function changeRemote(id: string, change: object): void {
	const remote = gateway.webhooks().find((webhook) => webhook.id === id);
	Object.assign(remote ?? {}, change);
}
