import { sendInTurn } from '../action/limitedGateway';
import { PRESENCE_FIELD } from '../api/assumptions';
import { ENDPOINTS, fillEndpoint } from '../api/endpoints';
import { chooseName, type Field } from '../fields/field';
import { bounded } from '../fields/typed';
import type { EndpointOperation } from './operation';

export const presenceField: Field = {
	displayName: 'Presence Field',
	name: 'presenceField',
	type: 'string',
	default: PRESENCE_FIELD,
	description:
		'Name of the request’s field that shows typing (COMPOSING or PAUSED). Change it only if your gateway uses another name.',
};

export const typingSeconds: Field = {
	displayName: 'Typing Seconds',
	name: 'typingSeconds',
	type: 'number',
	default: 3,
	description: 'How many seconds to show "typing" before the message is sent',
	...bounded('Typing Seconds', { from: 0, to: 60 }),
};

/**
 * Sends after showing "typing" for a while, as a person would (API document, `POST /v1/messages/presence`).
 * Typing is a courtesy: if it cannot be shown the message goes out all the same and at once, and the hint says so;
 * while the gateway wants to be left alone it is not asked for. If the message does not go out, typing is ended, so
 * that nobody waits for what never comes.
 */
export const sendWithTyping: NonNullable<EndpointOperation['perform']> = async (
	gateway,
	values,
	request,
) => {
	const seconds = Number(values.options.typingSeconds ?? 0);
	if (!(seconds > 0)) return await gateway.succeed(request);

	const show = async (presence: 'COMPOSING' | 'PAUSED'): Promise<string | undefined> => {
		const field = chooseName(presenceField, values.options);
		try {
			await gateway.call({
				...request,
				...fillEndpoint(ENDPOINTS.showTyping),
				body: { to: values.to, [field]: presence, isAudio: false },
				effect: 'courtesy',
				begins: undefined,
			});
			return undefined;
		} catch (error) {
			return `Typing could not be shown: ${(error as Error).message}`;
		}
	};

	const hint = await show('COMPOSING');
	if (hint !== undefined) return { ...(await gateway.succeed(request)), hint };
	let sent = false;
	try {
		await gateway.wait(seconds * 1000);
		// Typing may have taken the message's turn.
		const result = await sendInTurn(async () => await gateway.succeed(request));
		sent = true;
		return result;
	} finally {
		if (!sent) await show('PAUSED');
	}
};
