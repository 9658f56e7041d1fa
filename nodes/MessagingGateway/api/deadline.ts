/**
 * Lets a request take so long and no longer, from its beginning to the last byte of its answer: the timeout of n8n's
 * helper begins anew with each byte.
 *
 * @param cancel ends it as well
 * @param work is told by its signal that nobody waits any more; with `extend` the time begins anew, for files
 * @throws an error with the code `ETIMEDOUT`, or `ERR_CANCELED` where it was cancelled
 */
export async function withinTime<T>(
	milliseconds: number,
	cancel: AbortSignal | undefined,
	work: (signal: AbortSignal, extend: () => void) => Promise<T>,
): Promise<T> {
	const end = new AbortController();
	let giveUp: (code: 'ERR_CANCELED' | 'ETIMEDOUT') => void = () => {};
	const givenUp = new Promise<never>((_resolve, reject) => {
		// The codes that n8n's helper and Node use for the same.
		giveUp = (code) => reject(Object.assign(new Error('Given up'), { code }));
	});
	let until = performance.now() + milliseconds;
	let late = AbortSignal.timeout(milliseconds);
	const tooLate = (): void => {
		const left = until - performance.now();
		if (left <= 0) return giveUp('ETIMEDOUT');
		late = AbortSignal.timeout(Math.ceil(left));
		late.addEventListener('abort', tooLate);
	};
	const extend = (): void => {
		until = performance.now() + milliseconds;
	};
	const cancelled = (): void => giveUp('ERR_CANCELED');
	late.addEventListener('abort', tooLate);
	cancel?.addEventListener('abort', cancelled);
	if (cancel?.aborted) cancelled();
	try {
		return await Promise.race([givenUp, work(end.signal, extend)]);
	} finally {
		late.removeEventListener('abort', tooLate);
		cancel?.removeEventListener('abort', cancelled);
		end.abort();
	}
}
