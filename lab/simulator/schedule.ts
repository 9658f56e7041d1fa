/** Work that is still to come: timers, and deliveries under way. Knows when nothing is left. */
export class Schedule {
	private readonly timers = new Set<NodeJS.Timeout>();
	private waiting: Array<() => void> = [];
	private open = 0;

	/** Runs the work after so many milliseconds; until it has run the schedule is not drained. */
	after(milliseconds: number, work: () => void): void {
		this.begin();
		const timer = setTimeout(() => {
			this.timers.delete(timer);
			work();
			this.end();
		}, milliseconds);
		this.timers.add(timer);
	}

	begin(): void {
		this.open += 1;
	}

	end(): void {
		this.open -= 1;
		if (this.open === 0) this.release();
	}

	/** Resolves as soon as nothing is open. */
	async drained(): Promise<void> {
		if (this.open === 0) return;
		await new Promise<void>((resolve) => this.waiting.push(resolve));
	}

	/** Forgets everything that was planned. */
	cancel(): void {
		for (const timer of this.timers) clearTimeout(timer);
		this.open -= this.timers.size;
		this.timers.clear();
		if (this.open === 0) this.release();
	}

	private release(): void {
		const waiting = this.waiting;
		this.waiting = [];
		for (const resolve of waiting) resolve();
	}
}
