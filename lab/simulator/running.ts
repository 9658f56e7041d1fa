/** A simulator or receiver that has to be stopped. */
interface Running {
	stop(): Promise<void>;
}

const running = new Set<Running>();

/** Notes that it runs, until it is stopped; stopping it a second time does nothing. */
export function keepTrackOf<T extends Running>(started: T): T {
	const { stop } = started;
	started.stop = async () => {
		if (running.delete(started)) await stop.call(started);
	};
	running.add(started);
	return started;
}

/** Stops what nobody has stopped. */
export async function stopAll(): Promise<void> {
	for (const each of running) await each.stop();
}
