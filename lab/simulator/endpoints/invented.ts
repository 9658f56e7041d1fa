import { Type } from '@sinclair/typebox';
import type { Gateway } from '../gateway';
import type { App } from '../http/app';
import { Refusal } from '../http/refusal';
import { acceptSend } from '../state/traffic';
import { openRecipient } from './number';
import { routesFor } from './route';
import { exactly, Filled, Nothing } from './schemas';

const SendPicture = exactly({
	to: Filled,
	caption: Type.Optional(Type.String()),
	picture: exactly({ fileName: Filled, mediaType: Filled, base64: Filled }),
});

/** Invented endpoints that take and give a file: the API shows none for media (API 14.1). */
export function addInventedEndpoints(app: App, gateway: Gateway): void {
	const on = routesFor(app, gateway, 'instance');

	const sendPicture = 'POST /v1/simulator-invention/send-picture';
	on(
		sendPicture,
		SendPicture,
		(body, { number, request: { record }, reply }) => {
			const { to, caption: text = '', picture } = body;
			const chat = openRecipient(gateway, to);
			const data = acceptSend(gateway, record, chat, { to, text, picture, instanceId: number.id });
			const { base64, ...file } = picture;
			const bytes = Buffer.byteLength(base64, 'base64');
			record.body = { to, caption: text, picture: { ...file, bytes } };
			reply.code(202);
			return { data };
		},
		true,
	);
	on('GET /v1/simulator-invention/files/:messageId', Nothing, (_, { request, reply }) => {
		const { messageId } = request.params as { messageId: string };
		const file = gateway.chats.findMessage(messageId)?.picture;
		if (!file) throw new Refusal(404, 'There is no such file');
		const name = encodeURIComponent(file.fileName);
		reply.header('content-type', file.mediaType);
		reply.header('content-disposition', `attachment; filename*=UTF-8''${name}`);
		return Buffer.from(file.base64, 'base64');
	});
}
