const TIMES_SMALLER = 10;
const MOST_REMEMBERED = 10_000;

/**
 * Events whose shared execution has failed. One that fails each time must not take others along again and again: what
 * failed together is tried again in groups a tenth as large, and in the end alone.
 */
export class SmallerGroups {
	private readonly sizes = new Map<string, number>();

	/** How many may share an execution with these events, themselves included; never more than `most`. */
	sizeFor(ids: string[], most: number): number {
		return Math.min(most, ...ids.map((id) => this.sizes.get(id) ?? most));
	}

	/** Notes that an execution which so many shared, these events among them, has failed. */
	noteFailure(ids: string[], size: number): void {
		this.forget(ids);
		for (const id of ids) this.sizes.set(id, Math.max(1, Math.floor(size / TIMES_SMALLER)));
		for (const oldest of this.sizes.keys()) {
			if (this.sizes.size <= MOST_REMEMBERED) return;
			this.sizes.delete(oldest);
		}
	}

	forget(ids: string[]): void {
		for (const id of ids) this.sizes.delete(id);
	}
}
