import type { IDataObject, NodeParameterValueType } from 'n8n-workflow';
import { deliver, post } from '../contract/deliveries';
import { startClock, type Clock } from './clock';
import { engine, gateway } from './engineAndGateway';
import { publish } from './receiving';

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

/** A published workflow whose trigger is switched on. */
export async function publishWatched(parameters: Record<string, NodeParameterValueType> = {}) {
	const { receiver } = await publish(parameters);
	const { built, url } = receiver;
	const trigger = await engine.trigger(built);
	open.push(trigger);
	return { built, trigger, url, receiver };
}

export type Published = Awaited<ReturnType<typeof publishWatched>>;

export const recordOf = ({ built }: Published) => built.staticData['node:Trigger'] as IDataObject;

/** What a delivery of the gateway is answered, signed with the secret of its one webhook. */
export async function deliverOnce({ url }: Published): Promise<number> {
	const records = gateway.webhooks().filter((webhook) => webhook.url === url);
	expect(records).toHaveLength(1);
	const [{ secret }] = records;
	return (await post(url, deliver({ secret }))).status;
}
