const TIMES_SMALLER = 10;
const MOST_REMEMBERED = 10_000;

/**
 * Events whose shared execution has failed. One that fails each time must not take others along again and again: what
 * failed together is tried again in groups a tenth as large, and in the end alone.
 */
export class SmallerGroups {
	private readonly sizes = new Map<string, number>();

	/** How many events may share an execution with this one, itself included; never more than `most`. */
	sizeFor(id: string, most: number): number {
		return Math.min(most, this.sizes.get(id) ?? most);
	}

	/** Notes that an execution of so many events, this one among them, has failed. */
	noteFailure(id: string, size: number): void {
		this.sizes.delete(id);
		this.sizes.set(id, Math.max(1, Math.floor(size / TIMES_SMALLER)));
		const [oldest] = this.sizes.keys();
		if (this.sizes.size > MOST_REMEMBERED) this.sizes.delete(oldest);
	}

	forget(id: string): void {
		this.sizes.delete(id);
	}
}
