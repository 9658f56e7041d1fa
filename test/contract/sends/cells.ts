import type { Fault } from '../../../lab/simulator';
import type { ProxyKind } from './proxy';

/** What happens to the one request that is struck, and what must come of it. */
interface Trouble {
	/** The trouble as the simulator plays it, once. */
	fault?: Fault;
	/** Where the request goes, if not straight to the gateway. */
	proxy?: ProxyKind;
	/** Seconds that the node waits for the answer. */
	timeout?: number;
	becomes: 'accepted' | 'rejected' | 'unknown';
	/** The gateway takes the message although the node hears nothing of it. */
	taken?: true;
	/** The same request succeeds a little later: sent again by the node itself, or by n8n's next try. */
	savedBy?: 'node' | 'n8n';
}

const NO_WAIT = { 'retry-after': '0' };

const TROUBLES = {
	'answered 202': { becomes: 'accepted' },
	'answered 400': { fault: { status: 400 }, becomes: 'rejected' },
	'answered 401': { fault: { status: 401 }, becomes: 'rejected' },
	'answered 403': { fault: { status: 403 }, becomes: 'rejected' },
	'answered 429': {
		fault: { status: 429, headers: NO_WAIT },
		becomes: 'rejected',
		savedBy: 'node',
	},
	'answered 502': { fault: { status: 502 }, becomes: 'unknown' },
	'answered 502 although accepted': { fault: 'acceptThenStatus', becomes: 'unknown', taken: true },
	'answered 200 with a web page': { fault: 'html', becomes: 'unknown' },
	'cut before it is read': { fault: 'cutBefore', becomes: 'unknown' },
	'cut after it is accepted': { fault: 'cutAfter', becomes: 'unknown', taken: true },
	'not answered until the timeout': { fault: 'hang', timeout: 2, becomes: 'unknown' },
	'accepted, but not answered until the timeout': {
		proxy: 'mute',
		timeout: 2,
		becomes: 'unknown',
		taken: true,
	},
	'refused at first': { proxy: 'closed', becomes: 'rejected', savedBy: 'n8n' },
} satisfies Record<string, Trouble>;

const ON_ERROR = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

/** One way to run the node, and one thing that goes wrong. */
export interface SendCell {
	/** Begins the text of each of its messages. */
	id: string;
	name: string;
	trouble: Trouble;
	onError: (typeof ON_ERROR)[number];
	retryOnFail: boolean;
	/** How many items the node gets. */
	count: number;
	/** The index of the one that is struck. */
	struck: number;
	concurrency: number;
}

/** Whether n8n tries the struck item again: if it goes on after a failure, only if the first item has failed. */
export function needsProxyOpened({ trouble, retryOnFail, onError, struck }: SendCell): boolean {
	return trouble.savedBy === 'n8n' && retryOnFail && (onError === 'stopWorkflow' || struck === 0);
}

/** What must be true of each item of a cell at the end. */
export interface Expected {
	/** Whether the node's last word on the struck item is a success. */
	isSaved: boolean;
	/** Whether the node stops with an error. */
	stops: boolean;
	/** By item index. */
	requests: number[];
	/** By item index; never more than one. */
	accepted: number[];
}

/** All combinations. */
export function listSendCells(): SendCell[] {
	const cells: SendCell[] = [];

	for (const [what, trouble] of Object.entries(TROUBLES)) {
		for (const onError of ON_ERROR) {
			for (const retryOnFail of [false, true]) {
				for (const count of [1, 5]) {
					for (const concurrency of [1, 5]) {
						const name = `${what}, ${onError}, ${retryOnFail ? '3 tries' : '1 try'}, ${count} items, concurrency ${concurrency}`;
						const struck = count === 1 ? 0 : 2;
						cells.push({
							id: `cell ${cells.length}:`,
							name,
							trouble,
							onError,
							retryOnFail,
							count,
							struck,
							concurrency,
						});
					}
				}
			}
		}
	}
	return cells;
}

/** Half of the cells, in which any two settings still meet in every way. */
export function thinOut(cells: SendCell[]): SendCell[] {
	const troubles: Trouble[] = Object.values(TROUBLES);
	const isKept = ({ trouble, onError, retryOnFail, count, concurrency }: SendCell) => {
		const ranks = [troubles.indexOf(trouble), ON_ERROR.indexOf(onError)];
		const flags = [retryOnFail, count === 1, concurrency === 1].map(Number);
		return [...ranks, ...flags].reduce((sum, rank) => sum + rank, 0) % 2 === 0;
	};
	return cells.filter(isKept);
}

export function textOf({ id }: SendCell, index: number): string {
	return `${id} item ${index}`;
}

/** What a cell must come to, from what the API says of sends (API 4.1 and 5.2) and the issue at hand, not from our code. */
export function expectOf(cell: SendCell): Expected {
	const { trouble, onError, count, struck, concurrency } = cell;

	const isSaved =
		trouble.becomes === 'accepted' || trouble.savedBy === 'node' || needsProxyOpened(cell);
	const stops = onError === 'stopWorkflow' && !isSaved;

	const requests = Array<number>(count).fill(1);
	const accepted = Array<number>(count).fill(1);
	if (stops && concurrency === 1) {
		// The first failure stops whatever has not begun.
		requests.fill(0, struck + 1);
		accepted.fill(0, struck + 1);
	}

	accepted[struck] = isSaved || trouble.taken ? 1 : 0;
	if (trouble.proxy === 'closed') requests[struck] = accepted[struck];
	else requests[struck] = trouble.savedBy === 'node' ? 2 : 1;
	return { isSaved, stops, requests, accepted };
}
