import type { Settlement } from '../memory/settlement';
import type { WebhookResponse } from './http';

/**
 * Follows n8n's answer to a delivery that was handed to it. A sender that hangs up early, as after its timeout,
 * does not stop n8n: what n8n then answers to nobody still tells whether the execution started. With more executions
 * than it may run at once, that can be hours later, and a repeat that comes before must not run too.
 */
export async function followAnswer(response: WebhookResponse): Promise<Settlement> {
	if (!response.writableEnded) await followEnd(response);
	return response.statusCode >= 200 && response.statusCode < 300 ? 'started' : 'refused';
}

/** Once nobody listens any more, no event tells of the end of an answer: so the end itself is watched. */
async function followEnd(response: WebhookResponse): Promise<void> {
	await new Promise<void>((resolve) => {
		const end = response.end.bind(response);
		response.end = (...answer) => {
			const result = end(...answer);
			resolve();
			return result;
		};
	});
}
