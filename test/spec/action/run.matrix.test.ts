import { type IDataObject } from 'n8n-workflow';
import { waitFor } from '../../../lab/host/waiting';
import {
	judgeSendCell,
	listSendCells,
	needsProxyOpened,
	startProxy,
	textOf,
	thinOut,
	type SendCell,
} from '../../contract/sends';
import { engine, gateway } from '../../support/engineAndGateway';
import { sendByRequest, sendText } from '../../support/sending';

// More would make requests wait longer for their turn than some of them have until their timeout.
const AT_ONCE = 12;

/** Runs one cell in n8n's engine. Answers all that is wrong with it. */
async function runCell(draft: typeof sendText, cell: SendCell): Promise<string[]> {
	const { trouble, onError, retryOnFail, concurrency, struck } = cell;
	const proxy = trouble.proxy && (await startProxy(gateway, trouble.proxy));
	if (trouble.fault) {
		gateway.faults.add({ match: { text: textOf(cell, struck) }, fault: trouble.fault });
	}

	const items: IDataObject[] = [...Array(cell.count).keys()].map((index) => ({
		to: `551198765${String(1000 + index)}`,
		text: textOf(cell, index),
		gateway: proxy && index === struck ? proxy.url : gateway.url,
		timeout: index === struck ? (trouble.timeout ?? 30) : 30,
	}));

	const opens = needsProxyOpened(cell);
	let tries = 0;
	try {
		const run = await engine.run({
			nodes: [
				draft({
					options: { concurrency, timeout: '={{ $json.timeout }}' },
					settings: { onError, retryOnFail, maxTries: 3 },
				}),
			],
			items,
			credentials: {
				messagingGatewayInstanceApi: {
					baseUrl: '={{ $json.gateway }}',
					instanceToken: gateway.instanceToken,
					defaultCountry: 'international',
				},
			},
			afterTry: async () => {
				tries++;
				// The first try finds the proxy closed, and the next one finds it open.
				if (opens && tries === 1) await proxy?.open();
			},
		});
		if (trouble.taken) await waitUntilTaken(textOf(cell, struck));

		const [node] = run.data.resultData.runData.Send;
		const wrong = judgeSendCell(cell, gateway, {
			error: node.error as Error | undefined,
			outputs: (node.data?.main ?? []).map((output) => output ?? []),
		});
		if (opens && tries < 2) wrong.push(`${cell.name}: no second try`);
		return wrong;
	} finally {
		await proxy?.close();
	}
}

async function waitUntilTaken(text: string): Promise<void> {
	await waitFor(`"${text}" to be accepted`, () =>
		gateway.acceptedSends().some((send) => send.text === text),
	);
}

it.each([
	['Send Text', sendText, listSendCells()],
	// From the request on, both go the same way.
	['API → Request', sendByRequest, thinOut(listSendCells())],
])(
	'%s sends no item twice in any cell, and saves each item that another try can save',
	async (_operation, draft, cells) => {
		const wrong: string[] = [];
		const left = cells.values();
		const work = async () => {
			for (const cell of left) wrong.push(...(await runCell(draft, cell)));
		};
		await Promise.all(Array.from({ length: AT_ONCE }, work));
		expect(wrong).toEqual([]);
	},
	300_000,
);
