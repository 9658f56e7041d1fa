import type { Host } from '../../host/host';

/** What work did to n8n's one process. */
export interface Load {
	/** Resident memory of n8n's process, in bytes. */
	before: number;
	peak: number;
	/** Longest that n8n let somebody else wait meanwhile, in milliseconds. */
	longestWait: number;
}

/** Watches n8n while work is done in it: asks it all the time whether it is well, and reads its memory every 20 ms. */
export async function watchLoad<Result>(
	{ n8n }: Host,
	work: () => Promise<Result>,
): Promise<Load & { result: Result }> {
	const before = n8n.memory();
	const load: Load = { before, peak: before, longestWait: 0 };
	const timer = setInterval(() => {
		load.peak = Math.max(load.peak, n8n.memory());
	}, 20);
	let isOver = false;
	const ask = async (): Promise<void> => {
		while (!isOver) {
			const begun = performance.now();
			await (await fetch(`${n8n.url}/healthz`)).text();
			load.longestWait = Math.max(load.longestWait, performance.now() - begun);
		}
	};
	const asked = ask();
	try {
		const result = await work();
		isOver = true;
		await asked;
		return { ...load, result };
	} finally {
		isOver = true;
		clearInterval(timer);
	}
}

export const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`;
