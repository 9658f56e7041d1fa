import type { INodeParameters } from 'n8n-workflow';
import { waitFor } from '../../../host/waiting';
import { startSimulator, type Simulator } from '../../../simulator';
import {
	judgeAgentCell,
	listSendCells,
	startProxy,
	textOf,
	thinOut,
	type SendCell,
} from '../../contract/sends';
import { loadEngine, outputOf, type Engine } from '../../support/engine';
import type { ToldCall } from '../../support/testAgents';

// Longer than the proxy stays closed, so that the first try finds it closed and the next one open.
const WAIT_FOR_DOOR_MS = 1500;
const PROXY_OPENS_AFTER_MS = 500;

const AT_ONCE = 12;

let engine: Engine;
let gateway: Simulator;

beforeAll(async () => {
	engine = await loadEngine();
	gateway = await startSimulator();
});

afterEach(() => gateway.reset());

afterAll(async () => {
	await gateway.stop();
});

/** Left to the model, as the editor writes it. */
const fromModel = (key: string) => `={{ $fromAI('${key}', '', 'string') }}`;

interface Call {
	To: string;
	Text: string;
	Timeout: string;
}

/** How a tool sends a text, and what is left of it to the model. */
const SENDINGS: Record<string, INodeParameters> = {
	'Send Text': {
		resource: 'message',
		operation: 'sendText',
		to: { __rl: true, mode: 'phone', value: fromModel('To') },
		text: fromModel('Text'),
	},
	'API → Request': {
		resource: 'api',
		operation: 'request',
		method: 'POST',
		path: '/v1/messages/send-text',
		sendsMessage: true,
		options: {
			body: `={{ { to: ${fromModel('To').slice(4, -3)}, text: ${fromModel('Text').slice(4, -3)} } }}`,
		},
	},
};

interface Agent {
	/** Its type, which says how it calls its tools. */
	type: string;
	/** One of `SENDINGS`. */
	sending: string;
}

/** Runs an agent that makes these calls. Answers what its model was told of each. */
async function runAgent(
	{ type, sending }: Agent,
	cell: SendCell,
	baseUrl: string,
	calls: Call[],
): Promise<string[][]> {
	const run = await engine.run({
		nodes: [
			{ type: 'test.pass', name: 'Start' },
			{ type, name: 'Agent', parameters: { calls: JSON.stringify(calls) } },
			{
				type: 'messagingGatewayTool',
				name: 'Send',
				// To stop is what n8n does unless asked otherwise, and then saves nothing.
				...(cell.onError !== 'stopWorkflow' && { onError: cell.onError }),
				retryOnFail: cell.retryOnFail,
				maxTries: 3,
				waitBetweenTries: baseUrl === gateway.url ? 1 : WAIT_FOR_DOOR_MS,
				parameters: {
					...SENDINGS[sending],
					options: {
						...(SENDINGS[sending].options as INodeParameters),
						concurrency: cell.concurrency,
						timeout: fromModel('Timeout'),
					},
				},
			},
		],
		connections: {
			Start: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
			Send: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
		},
		credentials: {
			messagingGatewayInstanceApi: { baseUrl, instanceToken: gateway.instanceToken },
		},
	});
	const told = outputOf(run, 'Agent').map(({ json }) => (json as unknown as ToldCall).answers);
	if (told.length !== calls.length)
		throw new Error(`${cell.name}: ${run.data.resultData.error?.message}`);
	return told;
}

/** Runs one cell, each of its items a call of the tool. Answers all that is wrong with it. */
async function runCell(agent: Agent, cell: SendCell): Promise<string[]> {
	const { trouble, struck, count } = cell;
	const proxy = trouble.proxy && (await startProxy(gateway, trouble.proxy));
	if (trouble.fault)
		gateway.faults.add({ match: { text: textOf(cell, struck) }, fault: trouble.fault });
	const calls = [...Array(count).keys()].map((index) => ({
		To: `551198765${String(1000 + index)}`,
		Text: textOf(cell, index),
		Timeout: String(index === struck ? (trouble.timeout ?? 30) : 30),
	}));
	const isRunByN8n = agent.type === 'test.askingAgent';
	const isDeaf = isRunByN8n && cell.onError === 'continueErrorOutput';
	// n8n never tries again for an agent that calls its tools itself.
	const proxyOpens = isRunByN8n && cell.retryOnFail && trouble.proxy === 'closed';
	const opening = proxyOpens
		? setTimeout(() => void proxy?.open(), PROXY_OPENS_AFTER_MS)
		: undefined;
	try {
		// A tool has one address for all its calls, so the one at the proxy is that of an agent of its own.
		const [told, [toldOfStruck] = []] = await Promise.all([
			runAgent(agent, cell, gateway.url, proxy ? calls.toSpliced(struck, 1) : calls),
			proxy && runAgent(agent, cell, proxy.url, [calls[struck]]),
		]);
		if (toldOfStruck) told.splice(struck, 0, toldOfStruck);
		if (trouble.taken && !isDeaf) {
			await waitFor(`"${textOf(cell, struck)}" to be accepted`, () =>
				gateway.acceptedSends().some(({ text }) => text === textOf(cell, struck)),
			);
		}
		return judgeAgentCell(cell, gateway, told, { isDeaf, proxyOpens });
	} finally {
		clearTimeout(opening);
		await proxy?.close();
	}
}

/** Runs every cell. Answers all that is wrong with them. */
async function runMatrix(agent: Agent): Promise<string[]> {
	// A call of a tool is a run with one item: how many of a run's items go at once changes nothing.
	const cells = thinOut(listSendCells().filter(({ count, concurrency }) => count === concurrency));
	expect(cells).toHaveLength((13 * 3 * 2 * 2) / 2);

	const wrong: string[] = [];
	const left = cells.values();
	const work = async () => {
		for (const cell of left) wrong.push(...(await runCell(agent, cell)));
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
	return wrong;
}

const WHAT = 'never sends an item twice, with a model that repeats whatever it is told has failed';

describe.each(Object.keys(SENDINGS))('%s', (sending) => {
	it(`in an agent that calls its tools itself ${WHAT}`, async () => {
		expect(await runMatrix({ type: 'test.callingAgent', sending })).toEqual([]);
	}, 120_000);
	it(`in an agent that lets n8n run its tools ${WHAT}`, async () => {
		expect(await runMatrix({ type: 'test.askingAgent', sending })).toEqual([]);
	}, 120_000);
});
