import type { IDataObject, INode, IRun, ITaskData } from 'n8n-workflow';
import type { Fault } from '../../lab/simulator';
import type { TestNode } from './engine';
import { engine, gateway } from './engineAndGateway';
import { credentialsOf } from './runOperation';

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

/** The same as a request that the person puts together. */
export const sendByRequest = (sending: Partial<Sending> = {}): TestNode => ({
	...sendText(sending),
	parameters: {
		resource: 'api',
		operation: 'request',
		method: 'POST',
		path: '/v1/messages/send-text',
		sendsMessage: true,
		options: { body: '={{ { to: $json.to, text: $json.text } }}', ...sending.options },
	},
});

/** What n8n holds of a run, and of the node "Send" in it. */
export interface Sent {
	run: IRun;
	node: ITaskData;
}

export async function send({ items, ...sending }: Sending): Promise<Sent> {
	return await runNode(sendText(sending), items);
}

/** Runs any node called "Send" with both credentials. */
export async function runNode(node: TestNode, items: IDataObject[]): Promise<Sent> {
	const run = await engine.run({ nodes: [node], items, credentials: credentialsOf(gateway) });
	return { run, node: run.data.resultData.runData.Send[0] };
}

export const message = (text: string, to = '5511987654321') => ({ to, text });

/** Messages `m0`, `m1`, …, each to somebody else. */
export const messages = (count: number) =>
	[...Array(count).keys()].map((index) => message(`m${index}`, String(5511900000000 + index)));

export const fail = (text: string, fault: Fault, times = 1) =>
	gateway.faults.add({ match: { text }, times, fault });

export const askedTexts = () => gateway.requests.map(({ body }) => (body as IDataObject).text);
export const acceptedTexts = () => gateway.acceptedSends().map(({ text }) => text);
export const requestsOf = (text: string) =>
	gateway.requests.filter(({ body }) => (body as IDataObject | undefined)?.text === text);
