import { randomUUID } from 'node:crypto';
import type { IDataObject, NodeParameterValueType } from 'n8n-workflow';
import { waitFor } from '../../host/waiting';
import { deliver, post } from '../contract/deliveries';
import type { BuiltWorkflow, RunningTrigger } from './engine';
import { engine, gateway } from './engineAndGateway';
import type { WebhookReceiver } from './webhookReceiver';

// What the trigger does by itself, at its own times: here they come when the test says so.

const SECONDS = 1_000;
export const MINUTES = 60_000;

interface Sleep {
	milliseconds: number;
	end(): void;
}

export const sleeps: Sleep[] = [];
export const open: Array<{ close(): Promise<void> }> = [];

/** How long requests may take: these times are real ones. */
const REQUESTS_MS = [8 * SECONDS, 10 * SECONDS];

beforeEach(() => {
	const startTimeout = AbortSignal.timeout.bind(AbortSignal);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
		if (REQUESTS_MS.includes(milliseconds)) return startTimeout(milliseconds);
		const controller = new AbortController();
		sleeps.push({ milliseconds, end: () => controller.abort() });
		return controller.signal;
	});
});

afterEach(async () => {
	for (const { close } of open.splice(0).reverse()) await close();
	sleeps.length = 0;
	jest.restoreAllMocks();
});

/** Ends the sleep of the trigger, which must be about as long as expected. */
export async function pass(about: number): Promise<void> {
	const sleep = await waitFor('the trigger to sleep', () => sleeps.shift());
	expect(sleep.milliseconds).toBeGreaterThanOrEqual(about * 0.9);
	expect(sleep.milliseconds).toBeLessThanOrEqual(about * 1.1);
	sleep.end();
}

/** Lets the trigger do what it does at a time, until it sleeps again. */
export async function passAndFinish(about: number): Promise<void> {
	await pass(about);
	await waitFor('the trigger to sleep again', () => sleeps.length > 0);
}

export interface Published {
	built: BuiltWorkflow;
	trigger: RunningTrigger;
	url: string;
}

export async function switchOn(built: BuiltWorkflow): Promise<Published> {
	await engine.publish(built);
	const trigger = await engine.trigger(built);
	open.push(trigger);
	return { built, trigger, url: gateway.webhooks().at(-1)?.url ?? '' };
}

/** With the token that the gateway takes at the time. */
export const credentials = () => ({
	messagingGatewayAccountApi: {
		baseUrl: gateway.url,
		get accountToken() {
			return gateway.accountToken;
		},
	},
});

/** A published workflow to which deliveries come. */
export async function publish(
	parameters: Record<string, NodeParameterValueType> = {},
): Promise<Published & { receiver: WebhookReceiver }> {
	const receiver = await engine.receive({
		id: randomUUID(),
		nodes: [{ type: 'messagingGatewayTrigger', name: 'Trigger', webhookId: 'hook', parameters }],
		credentials: credentials(),
		staticData: {},
	});
	open.push({ close: async () => await receiver.stop() });
	return { ...(await switchOn(receiver.built)), receiver };
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
