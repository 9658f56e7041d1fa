import { waitFor } from '../../host/waiting';
import { deliver, post } from '../contract/deliveries';

/** More than there are processes that receive. */
const AT_ONCE = 8;

/**
 * Waits until forged deliveries are refused for good. A process of queue mode that has just started asks for repeats of what
 * does not verify: it cannot tell at once that it is not the one that looks after the webhook.
 */
export async function untilForgedAreRefused(url: string): Promise<void> {
	const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
	const forge = async () => {
		const now = Math.floor(Date.now() / 1000);
		const kit = { secret, oldSecret: '', otherSecret: '', now };
		return (await post(url, deliver(kit))).status;
	};
	const seen = new Set<number>();
	await waitFor(
		'forged deliveries to be refused',
		async () => {
			const answers = await Promise.all(Array.from({ length: AT_ONCE }, forge));
			for (const status of answers) seen.add(status);
			return answers.every((status) => status === 401);
		},
		120_000,
	);
	expect([401, 503]).toEqual(expect.arrayContaining([...seen]));
}
