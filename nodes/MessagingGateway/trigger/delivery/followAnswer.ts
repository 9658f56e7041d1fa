import { sleep } from 'n8n-workflow';
import { REMEMBERED_FOR } from '../memory/recentIds';
import type { WebhookResponse } from './http';

/**
 * What became of a delivery: `started`, n8n answered that its execution runs; `ignored`, it was filtered out;
 * `refused`, n8n could not start it, so the gateway has to send it again.
 */
export type Outcome = 'started' | 'ignored' | 'refused';

const FIRST_LOOK = 50;
const RAREST_LOOK = 60_000;

/**
 * Follows n8n's answer to a delivery that was handed to it. A sender that hangs up early, as after its timeout,
 * does not stop n8n: what n8n then answers to nobody still tells whether the execution started. With more executions
 * than it may run at once, that can be hours later, and a repeat that comes before must not run too.
 */
export async function followAnswer(response: WebhookResponse): Promise<Outcome> {
	if (!response.closed) {
		await new Promise<void>((resolve) => {
			response.once('close', resolve);
		});
	}
	let waited = 0;
	for (let pause = FIRST_LOOK; !response.writableEnded; pause = Math.min(pause * 2, RAREST_LOOK)) {
		if (waited >= REMEMBERED_FOR) return 'refused';
		await sleep(pause);
		waited += pause;
	}
	return response.statusCode >= 200 && response.statusCode < 300 ? 'started' : 'refused';
}
