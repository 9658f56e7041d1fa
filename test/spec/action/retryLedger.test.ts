import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { ItemOutcome } from '../../../nodes/MessagingGateway/action/itemOutcome';
import { RetryLedger } from '../../../nodes/MessagingGateway/action/retryLedger';
import { findOperation } from '../../../nodes/MessagingGateway/operations';

const sendText = findOperation('message', 'sendText')!;

const SENT: ItemOutcome = { result: { items: [{ messageId: 'M1' }] } };
const failed = (outcome: 'rejected' | 'unknown', passing: boolean): ItemOutcome => ({
	failure: { message: 'No', description: '', status: '', fromRequest: true, outcome, passing },
});
const LATER = failed('rejected', true);
const NEVER = failed('rejected', false);
const UNKNOWN = failed('unknown', true);

/** A node with *Retry On Fail*, in a workflow that n8n runs, and runs again where a person retries the execution. */
function makeNode(maxTries: number | undefined, retryOnFail = true) {
	const kept: IDataObject = {};
	const open = (executionId: string, runIndex = 0, operation = sendText) =>
		new RetryLedger(
			{
				getNode: () => ({ type: 'messagingGateway', retryOnFail, maxTries }),
				getExecutionId: () => executionId,
				getContext: () => kept,
				getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
			} as unknown as IExecuteFunctions,
			operation,
		);
	return {
		kept,
		open,
		/** A try in which this became of the items. Answers whether another try is worth it. */
		fail(executionId: string, ...outcomes: Array<ItemOutcome | undefined>): boolean {
			const ledger = open(executionId);
			const isWorth = ledger.isWorthAnotherTry(outcomes);
			ledger.close(outcomes, undefined);
			return isWorth;
		},
	};
}

it('is worth another try as long as n8n makes one, and something was surely not sent', () => {
	const node = makeNode(3);
	expect(node.fail('1', LATER)).toBe(true);
	expect(node.fail('1', LATER)).toBe(true);
	expect(node.fail('1', LATER)).toBe(false);
});

it.each([
	['everything was sent', [SENT]],
	['what failed can never succeed', [SENT, NEVER]],
	['what failed may have been sent', [UNKNOWN]],
	['nothing was tried', [undefined]],
])('is not worth another try where %s', (_where, outcomes) => {
	expect(makeNode(3).fail('1', ...outcomes)).toBe(false);
});

it('counts the tries anew when a person retries the execution', () => {
	const node = makeNode(2);
	node.fail('1', LATER);
	node.fail('1', LATER);
	expect(node.fail('2', LATER)).toBe(true);
	expect(node.fail('2', LATER)).toBe(false);
});

it('recalls in the next try all but what is to be tried again', () => {
	const node = makeNode(2);
	node.fail('1', SENT, LATER, NEVER, UNKNOWN, undefined);
	const next = node.open('1');
	expect([0, 1, 2, 3, 4].map((index) => next.recall(index))).toEqual([
		SENT,
		undefined,
		NEVER,
		UNKNOWN,
		undefined,
	]);
	expect([0, 1, 2, 3, 4].map((index) => next.knows(index))).toEqual([
		true,
		true,
		true,
		true,
		false,
	]);
});

it.each([
	['after the last try', true],
	['without Retry On Fail', false],
])('keeps for a person’s retry what was sent and nothing else, %s', (_when, retryOnFail) => {
	const node = makeNode(2, retryOnFail);
	if (retryOnFail) node.fail('1', SENT, LATER);
	node.fail('1', SENT, LATER, NEVER, UNKNOWN);
	const next = node.open('2');
	expect([0, 1, 2, 3].map((index) => next.recall(index))).toEqual([
		SENT,
		undefined,
		undefined,
		undefined,
	]);
});

it('forgets all once n8n goes on', () => {
	const node = makeNode(2);
	node.fail('1', SENT, LATER);
	node.open('1').close([SENT, SENT], [{ json: { messageId: 'M1' } }]);
	expect(node.kept).toEqual({});
});

it('keeps all where n8n takes the output for a failure, and tries again', () => {
	const node = makeNode(2);
	node.open('1').close([SENT], [{ json: { error: 'says the gateway' } }]);
	expect(node.open('1').recall(0)).toEqual(SENT);
	node.open('1').close([SENT], [{ json: { error: 'says the gateway' } }]);
	expect(node.kept).toEqual({});
});

// As n8n itself counts.
it.each([
	[undefined, 3],
	[0, 3],
	[1, 2],
	[2, 2],
	[5, 5],
	[6, 5],
])('with %j set for the most tries, n8n makes %i', (maxTries, tries) => {
	const node = makeNode(maxTries);
	const worth = Array.from({ length: tries }, () => node.fail('1', LATER));
	expect(worth).toEqual([...Array<boolean>(tries - 1).fill(true), false]);
});

it.each([
	[{ error: 'No' }, true],
	[{ error: 0 }, true],
	[{ error: '' }, true],
	[{ error: false }, false],
	[{ error: null }, false],
	[{ messageId: 'M1' }, false],
])('n8n takes %j for a failure: %s', (json, looksFailed) => {
	const node = makeNode(2);
	node.open('1').close([SENT], [{ json }, { json: { error: 'of another item' } }]);
	expect(node.open('1').recall(0) !== undefined).toBe(looksFailed);
});

it('keeps apart what was sent in each run of the node, and by each operation', () => {
	const node = makeNode(2);
	const places: Array<[number, typeof sendText]> = [
		[0, sendText],
		[1, sendText],
		[0, findOperation('chat', 'mute')!],
		[0, findOperation('chat', 'archive')!],
		[0, findOperation('api', 'request')!],
		[0, findOperation('community', 'create')!],
		[0, findOperation('newsletter', 'create')!],
		[0, findOperation('webhook', 'create')!],
	];
	for (const [at, place] of places.entries()) {
		expect(node.open('1', ...place).knows(0)).toBe(false);
		node.open('1', ...place).close([{ result: { items: [{ at }] } }, LATER], undefined);
	}
	for (const [at, place] of places.entries())
		expect(node.open('1', ...place).recall(0)).toEqual({ result: { items: [{ at }] } });
	for (const place of places) node.open('1', ...place).close([SENT, SENT], [{ json: {} }]);
	expect(node.kept).toEqual({});
});
