import type { INodeExecutionData } from 'n8n-workflow';
import type { Simulator } from '../../../lab/simulator';
import { expectOf, textOf, type SendCell } from './cells';

/** What n8n has to show for a cell. */
export interface SeenCell {
	/** The error that stopped the node. */
	error?: { message?: string; description?: string | null };
	/** The node's items, output by output. */
	outputs: INodeExecutionData[][];
}

interface Failed {
	error: { outcome: string; itemIndex: number };
}

/** Everything that is wrong with a cell, in words; nothing if all is well. */
export function judgeSendCell(cell: SendCell, gateway: Simulator, seen: SeenCell): string[] {
	const wrong: string[] = [];
	const check = (what: string, found: unknown, expected: unknown) => {
		const one = JSON.stringify(found);
		const other = JSON.stringify(expected);
		if (one !== other) wrong.push(`${cell.name}: ${what} is ${one} instead of ${other}`);
	};

	const { isSaved, stops, requests, accepted } = expectOf(cell);
	const items = [...Array(cell.count).keys()];
	const taken = items.map((index) =>
		gateway.acceptedSends().filter(({ text }) => text === textOf(cell, index)),
	);
	const requested = items.map((index) => countRequests(cell, gateway, index, requests[index]));

	// Of several at once, it is a matter of time which have begun when one of them stops the node.
	const isUnbegun = (index: number) =>
		stops && cell.concurrency > 1 && index !== cell.struck && requested[index] === 0;
	const unlessUnbegun = (number: number, index: number) => (isUnbegun(index) ? 0 : number);

	check(
		'accepted sends by item',
		taken.map((sends) => sends.length),
		accepted.map(unlessUnbegun),
	);
	check('requests by item', requested, requests.map(unlessUnbegun));
	check('whether the node stopped', seen.error !== undefined, stops);
	if (seen.error) {
		const { description } = seen.error;
		check(
			'whether the error tells the outcome',
			description?.includes(`Outcome: ${cell.trouble.becomes}`),
			true,
		);
		if (cell.count > 1) {
			const others = requested.filter((_requests, index) => index !== cell.struck);
			const done = others.filter((number) => number > 0).length;
			const progress = `Of ${cell.count} items, ${done} succeeded, 1 did not (the first is item ${cell.struck + 1}), and ${others.length - done} were not tried.`;
			check(
				'what the error tells of the others',
				description?.includes(progress) ? progress : description,
				progress,
			);
		}
		return wrong;
	}

	const [regular = [], aside = []] = seen.outputs;
	const isFailed = (index: number) => index === cell.struck && !isSaved;
	const expected = items.map((index) =>
		isFailed(index)
			? { item: index, failed: { outcome: cell.trouble.becomes, itemIndex: index } }
			: { item: index, messageId: taken[index][0]?.messageId },
	);
	const usesErrorOutput = cell.onError === 'continueErrorOutput';
	check(
		'output',
		regular.map(describe),
		expected.filter(({ item }) => !usesErrorOutput || !isFailed(item)),
	);
	check(
		'error output',
		aside.map(describe),
		expected.filter(({ item }) => usesErrorOutput && isFailed(item)),
	);
	return wrong;
}

/**
 * How many requests the gateway got for an item. On a busy machine the timeout may pass before the request has left: then
 * none is as right as the expected number, since the node cannot know it.
 */
function countRequests(
	cell: SendCell,
	gateway: Simulator,
	index: number,
	expected: number,
): number {
	const text = textOf(cell, index);
	const seen = gateway.requests.filter(
		({ body }) => (body as { text?: string } | undefined)?.text === text,
	).length;
	const isTimed = index === cell.struck && cell.trouble.fault === 'hang';
	return seen === 0 && isTimed ? expected : seen;
}

function describe({ json, pairedItem }: INodeExecutionData) {
	const item =
		typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : pairedItem;
	if (json.error === undefined) return { item, messageId: json.messageId };
	const { outcome, itemIndex } = (json as unknown as Failed).error;
	return { item, failed: { outcome, itemIndex } };
}
