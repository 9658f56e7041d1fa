import type { Simulator } from '../../../simulator';
import { textOf, type SendCell } from './cells';
import { countRequests } from './judge';

/** What the model was told of the call for each item, first to last. */
export type Told = string[][];

/**
 * The result of a cell in which each item is a call of an agent's tool, and the model calls again after each failure,
 * unless it is told that something may have been done: from the design, not from our code.
 *
 * @param proxyOpens whether n8n tries again, and finds the proxy open
 */
function expectOf({ trouble }: SendCell, proxyOpens: boolean) {
	const isShut = trouble.proxy === 'closed' && !proxyOpens;
	const isRepeated = trouble.becomes === 'rejected' && !proxyOpens;
	return {
		requests: isShut ? 0 : isRepeated ? 2 : 1,
		accepted: trouble.becomes === 'unknown' ? (trouble.taken ? 1 : 0) : isShut ? 0 : 1,
		/** Whether the node itself, or n8n's next try, saves it, so that the model hears of nothing. */
		isSaved: trouble.becomes === 'accepted' || trouble.savedBy === 'node' || proxyOpens,
	};
}

/**
 * Everything that is wrong with a cell that an agent ran, in words; nothing if all is well.
 *
 * @param isDeaf whether n8n would tell the model nothing of what the node puts out: then it must do nothing
 * @param proxyOpens whether n8n tries again, and finds the proxy open
 */
export function judgeAgentCell(
	cell: SendCell,
	gateway: Simulator,
	told: Told,
	{ isDeaf = false, proxyOpens = false } = {},
): string[] {
	const wrong: string[] = [];
	const check = (what: string, found: unknown, expected: unknown) => {
		const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
		if (one !== other) wrong.push(`${cell.name}: ${what} is ${one} instead of ${other}`);
	};
	for (let item = 0; item < cell.count; item++) {
		const text = textOf(cell, item);
		const accepted = gateway.acceptedSends().filter((send) => send.text === text).length;
		const done = isDeaf ? 0 : 1;
		const expected =
			item === cell.struck && !isDeaf
				? expectOf(cell, proxyOpens)
				: { requests: done, accepted: done, isSaved: true };
		check(`accepted sends of item ${item}`, accepted, expected.accepted);
		const requests = countRequests(cell, gateway, item, expected.requests);
		check(`requests of item ${item}`, requests, expected.requests);

		const answers = told[item] ?? [];
		const [first = 'nothing'] = answers;
		if (isDeaf) {
			check(`what is told of item ${item}`, /Nothing was done/.test(first) || first, true);
		} else if (expected.isSaved) {
			check(`what is told of item ${item}`, [answers.length, /messageId/.test(first)], [1, true]);
		} else if (cell.trouble.becomes === 'unknown') {
			const isWarned = /The message may have been sent\. Check the chat/.test(first);
			check(`what is told of item ${item}`, isWarned || first, true);
		} else {
			const isAssured = /The message was not sent\./.test(first);
			check(`what is told of item ${item}`, isAssured || first, true);
		}
	}
	return wrong;
}
