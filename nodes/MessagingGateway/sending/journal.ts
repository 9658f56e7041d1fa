import { createHash } from 'crypto';
import type { IContextObject, IExecuteFunctions, INode } from 'n8n-workflow';
import { failureOf, type GatewayError } from '../api/failure';
import type { Result } from '../operations/operation';

/** What became of one item: what it puts out, or why it cannot. */
export type ItemOutcome = { result: Result } | { error: GatewayError };

interface Entry {
	executionId: string;
	/** How many tries n8n has made so far, this one not counted. */
	tries: number;
	/** By item index. */
	outcomes: Record<number, ItemOutcome>;
	/** Milliseconds since 1970 until which the gateway asked for quiet. */
	quietUntil: number;
}

const KEY = 'journal';

/**
 * Makes n8n's "Retry On Fail" safe. n8n repeats the whole node, and the service does not deduplicate sends
 * (API document, "Endpoint rules" 2), so what became of each item is kept in n8n's node context, which lives
 * as long as the execution: the next try sends only what was certainly not sent and can succeed now.
 * A try that leaves nothing to repeat leaves no memory behind.
 */
export class Journal {
	private readonly context: IContextObject;

	private readonly key: string;

	private readonly executionId: string;

	private readonly earlier: Entry | undefined;

	private readonly maxTries: number;

	constructor(functions: IExecuteFunctions) {
		this.context = functions.getContext('node');
		this.key = keyOfRun(functions);
		this.executionId = functions.getExecutionId();
		this.maxTries = countTries(functions.getNode());
		const entry = (this.context[KEY] as Record<string, Entry> | undefined)?.[this.key];
		// All its tries are used up, so whoever comes now means it anew.
		const isOver = entry?.executionId === this.executionId && entry.tries >= this.maxTries;
		this.earlier = isOver ? undefined : entry;
	}

	/** What an earlier try settled about an item, or undefined if the item is to be worked on now. */
	recall(index: number): ItemOutcome | undefined {
		const outcome = this.earlier?.outcomes[index];
		if (outcome === undefined || 'result' in outcome) return outcome;
		// A person who runs a stopped execution again has looked; n8n, which only tries again, has not.
		if (this.earlier?.executionId !== this.executionId) return undefined;
		return canBeRepeated(outcome) ? undefined : outcome;
	}

	get quietUntil(): number {
		return this.earlier?.quietUntil ?? 0;
	}

	/** Whether n8n will call the node once more if it throws, and something could come of it. */
	isWorthAnotherTry(outcomes: Array<ItemOutcome | undefined>): boolean {
		return this.triesLeft > 0 && outcomes.some((outcome) => outcome && canBeRepeated(outcome));
	}

	/**
	 * Keeps what this try settled, for as long as somebody may come back to it.
	 *
	 * @param stopping whether the node is about to throw
	 */
	close(outcomes: Array<ItemOutcome | undefined>, stopping: boolean, quietUntil: number): void {
		const failed = outcomes.some((outcome) => outcome !== undefined && 'error' in outcome);
		if (!failed || (this.triesLeft <= 0 && !stopping)) return this.forget();
		const kept: Entry['outcomes'] = {};
		outcomes.forEach((outcome, index) => {
			if (outcome === undefined) return;
			// After the last try only what was accepted matters, should a person run the execution again.
			if (this.triesLeft > 0 || 'result' in outcome) kept[index] = outcome;
		});
		const tries = this.earlier?.executionId === this.executionId ? this.earlier.tries + 1 : 1;
		const entry: Entry = { executionId: this.executionId, tries, outcomes: kept, quietUntil };
		this.context[KEY] = { ...(this.context[KEY] as object | undefined), [this.key]: entry };
	}

	private get triesLeft(): number {
		const used = this.earlier?.executionId === this.executionId ? this.earlier.tries : 0;
		return this.maxTries - used - 1;
	}

	private forget(): void {
		if (this.earlier === undefined) return;
		const entries = { ...(this.context[KEY] as Record<string, Entry>) };
		delete entries[this.key];
		this.context[KEY] = entries;
	}
}

function canBeRepeated(outcome: ItemOutcome): boolean {
	if ('result' in outcome) return false;
	const failure = failureOf(outcome.error);
	return failure !== undefined && failure.outcome === 'rejected' && failure.passing;
}

/**
 * A try has the run index of the one before it, and so have its items; a loop's next round has another. Only
 * a tool of an agent gets a new run index with each try, so there the input tells.
 */
function keyOfRun(functions: IExecuteFunctions): string {
	if (functions.isToolExecution?.()) {
		const asked = JSON.stringify(functions.getInputData().map(({ json }) => json));
		return `tool:${createHash('sha256').update(asked).digest('base64')}`;
	}
	return `run:${String(functions.getWorkflowDataProxy(0).$runIndex)}`;
}

/** The same bounds as n8n's own. */
function countTries({ retryOnFail, maxTries }: INode): number {
	return retryOnFail === true ? Math.min(5, Math.max(2, maxTries || 3)) : 1;
}
