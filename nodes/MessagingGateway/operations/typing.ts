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

/** Shows "typing" for a while, if it can (API 4.2). */
export async function showTyping(
	{ gateway, wait }: PerformContext,
	{ to, options }: Values,
): Promise<void> {
	const seconds = options.typingSeconds as number;
	if (seconds === 0) return;

	const showing = gateway.call({
		...fillEndpoint(ENDPOINTS.showTyping, gateway.overrides),
		body: {
			to,
			[gateway.overrides.presenceField]: 'COMPOSING',
			isAudio: false,
		},
		effect: 'harmless',
	});
	// The message goes out all the same.
	await showing.catch(() => undefined);

	await wait(seconds * 1000);
}
