import type { Changes } from '../changes';
import type { RecordedRequest, TokenKind } from '../recorder';
import { kindOfFault, type Fault } from './fault';

/** Requests that a fault strikes; each given field must fit. */
interface FaultMatch {
	method?: string;
	token?: TokenKind;
	/** Path without query and without the base path. */
	path?: string;
	/** Position of the request (from 1) among those that fit, counted from the moment of adding. */
	nth?: number;
	/** Fields of the JSON body that must be equal. */
	body?: Record<string, unknown>;
	/** Short for `body: {text}` and `body: {to}`. */
	text?: string;
	to?: string;
}

export interface FaultPlan {
	match?: FaultMatch;
	/** Number of requests that it strikes; 1 unless given, `'always'` for every one. */
	times?: number | 'always';
	fault: Fault;
}

export interface PlannedFault {
	id: number;
	match: FaultMatch;
	timesLeft: number;
	/** Requests that fitted so far, `nth` aside. */
	seen: number;
	/** Requests that it struck. */
	hits: number;
	fault: Fault;
}

/** Faults that wait for their request. */
export class FaultControl {
	private planned: PlannedFault[] = [];
	private lastId = 0;

	constructor(private readonly changes: Changes) {}

	add({ match = {}, times = 1, fault }: FaultPlan): PlannedFault {
		const timesLeft = times === 'always' ? Infinity : times;
		this.lastId += 1;
		// An object of its own, for what it remembers from one request to the next.
		const own: Fault = kindOfFault(fault) === 'oneASecond' ? { kind: 'oneASecond' } : fault;
		const planned = { id: this.lastId, match, timesLeft, seen: 0, hits: 0, fault: own };
		this.planned.push(planned);
		this.tell();
		return planned;
	}

	/** False when there is no such fault. */
	remove(id: number): boolean {
		const before = this.planned.length;
		this.planned = this.planned.filter((planned) => planned.id !== id);
		this.tell();
		return this.planned.length < before;
	}

	list(): PlannedFault[] {
		return this.planned;
	}

	clear(): void {
		this.planned = [];
		this.tell();
	}

	/** The fault for this request, counted as played; undefined when the request is to go as usual. */
	take(request: RecordedRequest): Fault | undefined {
		let struck: PlannedFault | undefined;
		for (const planned of this.planned) {
			if (planned.timesLeft <= 0 || !fits(planned.match, request)) continue;
			planned.seen += 1;
			const isDue = planned.match.nth === undefined || planned.match.nth === planned.seen;
			if (isDue) struck ??= planned;
		}
		if (!struck) return undefined;
		struck.timesLeft -= 1;
		struck.hits += 1;
		request.fault = kindOfFault(struck.fault);
		this.tell();
		return struck.fault;
	}

	private tell(): void {
		this.changes.tell('faults', this.planned);
	}
}

function fits(
	{ method, token, path, body, text, to }: FaultMatch,
	request: RecordedRequest,
): boolean {
	if (method !== undefined && method !== request.method) return false;
	if (token !== undefined && token !== request.token) return false;
	if (path !== undefined && path !== request.path) return false;
	const wanted = { ...body, ...(text !== undefined && { text }), ...(to !== undefined && { to }) };
	const given = (request.body ?? {}) as Record<string, unknown>;
	return Object.entries(wanted).every(
		([name, value]) => JSON.stringify(given[name]) === JSON.stringify(value),
	);
}
