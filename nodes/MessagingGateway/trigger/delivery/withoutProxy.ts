import type { Logger } from 'n8n-workflow';
import { sharedMap } from '../../processState';

/** Every proxy adds one of them. */
const FORWARDED = new Set(['forwarded', 'via', 'x-forwarded-for', 'x-real-ip']);

const told = sharedMap<true>('told once');
const WITHOUT_PROXY = 'without proxy';

/**
 * Says in the log, once in the life of the process, what a delivery that came without a proxy tells: n8n answers 200 by
 * itself to what arrives while it starts, and no trigger can prevent it.
 *
 * @param rawHeaders names and values in turn
 */
export function tellWithoutProxy(logger: Logger, rawHeaders: readonly string[]): void {
	if (told.has(WITHOUT_PROXY)) return;
	told.set(WITHOUT_PROXY, true);
	const names = rawHeaders.filter((_, index) => index % 2 === 0);
	if (names.some((name) => FORWARDED.has(name.toLowerCase()))) return;
	logger.info(
		'Messaging Gateway Trigger: deliveries reach this n8n without a proxy. For about a second while n8n starts, it answers 200 to all of them by itself, and they are lost. A proxy that waits for /healthz/readiness prevents it: see docs/proxy.md of this package.',
	);
}
