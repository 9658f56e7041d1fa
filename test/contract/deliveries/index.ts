import { bodies } from './bodies';
import type { BadDelivery } from './delivery';
import { headers } from './headers';
import { replays } from './replays';
import { secrets } from './secrets';
import { signatures } from './signatures';
import { timestamps } from './timestamps';
import { transport } from './transport';

export * from './delivery';
export { post, postEvenIfTooLarge } from './post';
export { SHORT_SECRET } from './secrets';

/** Every bad delivery we know of, with those of the Standard Webhooks suites of nine languages. */
export const catalogue: BadDelivery[] = [
	...headers,
	...timestamps,
	...signatures,
	...bodies,
	...secrets,
	...replays,
	...transport,
];
