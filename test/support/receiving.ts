import { randomUUID } from 'node:crypto';
import { NodeOperationError, type IDataObject, type NodeParameterValueType } from 'n8n-workflow';
import { waitFor } from '../../lab/host/waiting';
import type { GatewayEvent } from '../../lab/simulator';
import { deliver, post } from '../contract/deliveries';
import { fakeTimeoutSignals } from './clock';
import { engine, gateway } from './engineAndGateway';
import { credentialsOf } from './runOperation';
import type { ReceiverOptions, WebhookReceiver } from './webhookReceiver';

const open = new Set<WebhookReceiver>();

afterEach(async () => {
	for (const receiver of open) await close(receiver);
});

export async function close(receiver: WebhookReceiver): Promise<void> {
	open.delete(receiver);
	await receiver.runs();
	await receiver.stop();
	expect(receiver.violations).toEqual([]);
}

/** A published trigger: its port, and its webhook made at the gateway as n8n would. */
export async function publish(
	parameters: Record<string, NodeParameterValueType | undefined> = {},
	options: ReceiverOptions = {},
	id: string = randomUUID(),
	nodeId?: string,
	from = gateway,
): Promise<{ receiver: WebhookReceiver; secret: string; staticData: IDataObject }> {
	const staticData: IDataObject = {};
	const receiver = await engine.receive(
		{
			id,
			nodes: [
				{
					type: 'messagingGatewayTrigger',
					id: nodeId,
					name: 'Trigger',
					webhookId: randomUUID(),
					parameters: { output: 'raw', ...parameters },
				},
				{ type: 'test.pass', name: 'Next' },
			],
			credentials: credentialsOf(from),
			staticData,
		},
		options,
	);

	open.add(receiver);
	await engine.publish(receiver.built, { test: options.test });

	const secret = from.webhooks().find(({ url }) => url === receiver.url)?.secret ?? '';
	return { receiver, secret, staticData };
}

/** The errors of the executions that deliveries have started. */
export async function failuresOf(receiver: WebhookReceiver) {
	const runs = await receiver.runs();
	return runs.flatMap(({ data }) => data.resultData.error ?? []);
}

/** Delivers an event signed with this secret. Answers the status. */
export async function send(
	url: string,
	event: GatewayEvent,
	secret: string,
	contentType?: string,
): Promise<number> {
	return (await post(url, deliver({ secret }, { event, contentType }))).status;
}

/** Waits until the trigger has been given so many deliveries. Of each it has then done all that needs no waiting. */
export async function arrived({ answers }: WebhookReceiver, count: number): Promise<void> {
	await waitFor(`${count} deliveries to arrive`, () => answers.length >= count);
	await new Promise(setImmediate);
}

/** Replaces the clock before each test: only what our code waits with and reads the time from, since connections need the rest. */
export function useFakeClock(): void {
	const doNotFake = ['nextTick', 'queueMicrotask', 'setImmediate'] as const;
	beforeEach(() => {
		jest.useFakeTimers({ now: Date.now(), doNotFake: [...doNotFake] });
		fakeTimeoutSignals();
	});
	afterEach(() => {
		jest.useRealTimers();
		jest.restoreAllMocks();
	});
}

export const pass = async (milliseconds: number) =>
	await jest.advanceTimersByTimeAsync(milliseconds);

/** Delivers by the fake clock, and answers when the trigger has been given it; the status comes later. */
export async function handOver(
	{ receiver, secret }: { receiver: WebhookReceiver; secret: string },
	event: GatewayEvent,
): Promise<{ status: Promise<number> }> {
	const count = receiver.answers.length + 1;
	const status = send(receiver.url, event, secret);
	await arrived(receiver, count);
	await pass(0);
	return { status };
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

/** Ends what the package remembers in this process. */
export function forgetProcess(): void {
	const shared = NodeOperationError as unknown as Record<
		symbol,
		{ maps: Map<string, Map<string, unknown>> } | undefined
	>;
	for (const map of shared[Symbol.for('n8n-nodes-messaging-gateway')]?.maps.values() ?? [])
		map.clear();
}
