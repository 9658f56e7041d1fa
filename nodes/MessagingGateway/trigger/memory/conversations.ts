import { makeDeferred, waitUntil, type Deferred } from '../../webhooks/patience';
import type { Debounce } from '../combineMessages';

interface Burst<T> {
	said: T[];
	/** When it is over in any case, in milliseconds as of `Date.now`. */
	until: number;
	/** Fulfilled when something newer comes. */
	newest: Deferred<void>;
}

/**
 * Gathers what people write in several messages. Only the newest message of a burst can be sure that its sender still
 * waits for an answer: so it is the one that starts the execution, and takes the others along.
 */
export class Conversations<T> {
	private readonly bursts = new Map<string, Burst<T>>();

	get busy(): boolean {
		return this.bursts.size > 0;
	}

	/**
	 * Says something in a conversation, and waits until it has become quiet.
	 *
	 * @returns everything that was said, in the order of arrival; undefined for all but the newest, which takes them along
	 */
	async join(name: string, message: T, { quietMs, maxWaitMs }: Debounce): Promise<T[] | undefined> {
		const now = Date.now();
		const burst = this.bursts.get(name);
		const newest = makeDeferred<void>();
		const said = burst?.said ?? [];
		said.push(message);
		const until = burst?.until ?? now + maxWaitMs;
		this.bursts.set(name, { said, until, newest });
		burst?.newest.resolve();
		await waitUntil(Math.min(now + quietMs, until), newest.promise);
		if (this.bursts.get(name)?.newest !== newest) return undefined;
		this.bursts.delete(name);
		return said;
	}
}
