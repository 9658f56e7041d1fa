import { ENDPOINTS, fillEndpoint } from '../api/endpoints';
import type { GatewayRequest } from '../api/request';
import type { Field } from '../fields/field';
import { bounded } from '../fields/parse';
import type { Gateway, Result, Values } from './operation';

export const typingSeconds: Field = {
	displayName: 'Typing Seconds',
	name: 'typingSeconds',
	type: 'number',
	default: 0,
	description: 'How many seconds to show "typing" before the message is sent',
	...bounded('Typing Seconds', { from: 0, to: 60 }),
};

/**
 * Sends after showing "typing" for a while (API document, `POST /v1/messages/presence`). The message goes out also if typing
 * cannot be shown.
 *
 * @param onSending called when the message is about to go out
 */
export async function sendWithTyping(
	gateway: Gateway,
	{ to, options }: Values,
	request: GatewayRequest,
	onSending?: () => void,
): Promise<Result> {
	const seconds = Number(options.typingSeconds ?? 0);
	if (seconds > 0) {
		const typing = { to, [gateway.connection.names.presenceField]: 'COMPOSING', isAudio: false };
		const show = { ...fillEndpoint(ENDPOINTS.showTyping), body: typing, effect: 'read' } as const;
		await gateway.call(show).catch(() => undefined);
		await gateway.wait(seconds * 1000);
	}
	onSending?.();
	const { items } = await gateway.call(request);
	return { items };
}
