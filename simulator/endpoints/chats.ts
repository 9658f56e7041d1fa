import { SUCCESS, type Gateway } from '../gateway';
import { guard, type App } from '../http/app';
import { openRecipient } from './recipient';
import { Nothing, Recipient } from './schemas';

const ONE_HOUR_MS = 3_600_000;

/** API document, Endpoints: `/v1/chats/…`. */
export function addChatEndpoints(app: App, gateway: Gateway): void {
	const options = guard('instance', { body: Recipient, querystring: Nothing });

	app.post('/v1/chats/archive', options, async (request) => {
		gateway.chats.update(openRecipient(gateway, request.body.to), { archived: true });
		return SUCCESS;
	});

	app.post('/v1/chats/mute', options, async (request) => {
		const mutedUntil = new Date(Date.now() + ONE_HOUR_MS).toISOString();
		gateway.chats.update(openRecipient(gateway, request.body.to), { mutedUntil });
		return SUCCESS;
	});
}
