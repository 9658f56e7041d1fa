import type { IDataObject, INode, IRun, ITaskData } from 'n8n-workflow';
import type { Fault } from '../simulator';
import { execute, type TestNode } from './engine';
import { credentialsOf } from './operations';
import { engine, gateway } from './stage';

export interface Sending {
	items: IDataObject[];
	options?: Record<string, string | number>;
	settings?: Partial<Pick<INode, 'onError' | 'retryOnFail' | 'maxTries'>>;
}

/** A node called "Send" that sends one text for each item `{to, text}`. */
export const sendText = ({ options = {}, settings = {} }: Partial<Sending> = {}): TestNode => ({
	type: 'messagingGateway',
	name: 'Send',
	waitBetweenTries: 1,
	...settings,
	parameters: {
		resource: 'message',
		operation: 'sendText',
		to: { __rl: true, mode: 'phone', value: '={{ $json.to }}' },
		text: '={{ $json.text }}',
		options,
	},
});

/** What n8n holds of a run, and of the node "Send" in it. */
export interface Sent {
	run: IRun;
	node: ITaskData;
}

export async function send({ items, ...sending }: Sending): Promise<Sent> {
	const credentials = credentialsOf(gateway);
	const run = await engine.run({ nodes: [sendText(sending)], items, credentials });
	return { run, node: run.data.resultData.runData.Send[0] };
}

let numbers = 0;

/** A credential that no other test uses: what the gateway asks of a number outlasts a test. */
export const newCredential = () => `credential ${numbers++}`;

/** Runs the node with credentials of this id, null for such as were never saved. */
export async function runAs(
	id: string | null,
	node: TestNode,
	items: IDataObject[],
): Promise<Sent> {
	const built = engine.build({ nodes: [node], credentials: credentialsOf(gateway) });
	for (const details of Object.values(built.node().credentials ?? {}))
		details.id = id && `${id} ${details.name}`;
	const run = await execute(
		built,
		built.node(),
		items.map((json) => ({ json })),
		'manual',
	);
	return { run, node: run.data.resultData.runData.Send[0] };
}

export const message = (text: string, to = '5511987654321') => ({ to, text });

/** Messages `m0`, `m1`, …, each to somebody else. */
export const messages = (count: number) =>
	[...Array(count).keys()].map((index) => message(`m${index}`, String(5511900000000 + index)));

export const fail = (text: string, fault: Fault, times = 1) =>
	gateway.faults.add({ match: { text }, times, fault });

export const RETRY_AT_ONCE: Fault = { status: 429, headers: { 'retry-after': '0' } };

export const askedTexts = () => gateway.requests.map(({ body }) => (body as IDataObject).text);
export const acceptedTexts = () => gateway.acceptedSends().map(({ text }) => text);
export const requestsOf = (text: string) =>
	gateway.requests.filter(({ body }) => (body as IDataObject).text === text);
