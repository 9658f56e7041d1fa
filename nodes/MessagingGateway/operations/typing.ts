import { numberField } from '../fields/field';
import { ENDPOINTS, fillEndpoint } from '../gateway/endpoints';
import type { PerformContext, Values } from './operation';

export const typingSeconds = numberField({
	displayName: 'Typing Seconds',
	name: 'typingSeconds',
	default: 0,
	range: [0, 60],
	description: 'Seconds of "typing" before it, 0 to 60',
});

/** Shows "typing" for a while, if it can (API document, `POST /v1/messages/presence`). */
export async function showTyping(
	{ gateway, wait }: PerformContext,
	{ to, options }: Values,
): Promise<void> {
	const seconds = options.typingSeconds as number;
	if (seconds === 0) return;
	const typing = { to, [gateway.overrides.presenceField]: 'COMPOSING', isAudio: false };
	const request = fillEndpoint(ENDPOINTS.showTyping, gateway.overrides);
	await gateway.call({ ...request, body: typing, effect: 'harmless' }).catch(() => undefined);
	await wait(seconds * 1000);
}
