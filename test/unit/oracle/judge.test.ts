import type { INodeExecutionData } from 'n8n-workflow';
import { startSimulator, type Simulator } from '../../../simulator';
import { callGateway } from '../../../simulator/client';
import { judgeSendCell, listSendCells, textOf, type SendCell } from '../../oracle/catalogue/sends';

let gateway: Simulator;

beforeAll(async () => {
	gateway = await startSimulator();
});
afterAll(async () => await gateway.stop());
beforeEach(() => gateway.reset());

/** A cell of five items, of which the third is answered 400. */
const cellOf = (onError: SendCell['onError'], concurrency: number): SendCell =>
	listSendCells().find(
		(cell) => cell.name === `answered 400, ${onError}, 1 try, 5 items, concurrency ${concurrency}`,
	)!;

/** What a node asks of the gateway: the items with these indexes, one after another. */
async function request(cell: SendCell, indexes: number[], refused = [cell.struck]): Promise<void> {
	for (const index of refused)
		gateway.faults.add({ match: { text: textOf(cell, index) }, fault: { status: 400 } });
	for (const index of indexes) {
		await callGateway(gateway, 'POST', '/v1/messages/send-text', {
			body: { to: '5511900000001', text: textOf(cell, index) },
			token: gateway.instanceToken,
		});
	}
}

/** The verdict on a node that stopped and said this of the others. */
const judgeStopped = (cell: SendCell, done: number, notTried: number) =>
	judgeSendCell(cell, gateway, {
		error: {
			description: `Outcome: rejected. Of 5 items, ${done} succeeded, 1 did not (the first is item 3), and ${notTried} were not tried.`,
		},
		outputs: [],
	});

/** The verdict on a node that went on, and put out all that was accepted. */
function judgeFinished(cell: SendCell) {
	const items = [...Array(cell.count).keys()].map((item): INodeExecutionData => {
		const sent = gateway.acceptedSends().find(({ text }) => text === textOf(cell, item));
		const failed = { error: { outcome: 'rejected', itemIndex: item } };
		return {
			json: sent ? { messageId: sent.messageId } : (failed as never),
			pairedItem: { item },
		};
	});
	return judgeSendCell(cell, gateway, { outputs: [items] });
}

describe('a node that stops while several items are under way', () => {
	const cell = cellOf('stopWorkflow', 5);

	it.each([[[0, 1, 2, 3, 4]], [[0, 1, 2]], [[2]], [[4, 2]]])(
		'may have begun any of the others: %j',
		async (indexes) => {
			await request(cell, indexes);
			expect(judgeStopped(cell, indexes.length - 1, 5 - indexes.length)).toEqual([]);
		},
	);

	it.each<[string, number[], number[] | undefined, number, number, string]>([
		['one that was sent twice', [0, 0, 2], undefined, 1, 3, 'requests by item is [2,0,1,0,0]'],
		['one that was not accepted', [0, 2], [0, 2], 1, 3, 'accepted sends by item is [0,0,0,0,0]'],
		['the struck one that was not sent', [0], undefined, 1, 3, 'requests by item is [1,0,0,0,0]'],
		['one too many that is told', [0, 2], undefined, 2, 2, 'what the error tells of the others'],
		['one that is not told', [0, 1, 2], undefined, 1, 3, 'what the error tells of the others'],
	])('is blamed for %s', async (_what, indexes, refused, done, notTried, blame) => {
		await request(cell, indexes, refused);
		expect(judgeStopped(cell, done, notTried).join('\n')).toContain(blame);
	});
});

describe('a node that works on one item after another', () => {
	const cell = cellOf('stopWorkflow', 1);

	it('sends all before the one that stops it', async () => {
		await request(cell, [0, 1, 2]);
		expect(judgeStopped(cell, 2, 2)).toEqual([]);
	});

	it.each([[[0, 2]], [[2]], [[0, 1, 2, 3]]])('is blamed for %j', async (indexes) => {
		await request(cell, indexes);
		expect(judgeStopped(cell, indexes.length - 1, 5 - indexes.length).join('\n')).toContain(
			'requests by item is',
		);
	});
});

describe.each([1, 5])('a node that goes on, concurrency %i', (concurrency) => {
	const cell = cellOf('continueRegularOutput', concurrency);

	it('sends all', async () => {
		await request(cell, [0, 1, 2, 3, 4]);
		expect(judgeFinished(cell)).toEqual([]);
	});

	it('is blamed for one that it has not sent', async () => {
		await request(cell, [0, 1, 2, 3]);
		expect(judgeFinished(cell).join('\n')).toContain('requests by item is [1,1,1,1,0]');
	});
});
