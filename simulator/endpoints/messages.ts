import { instanceOf, Refusal, SUCCESS, type Gateway } from '../gateway';
import { guard, type App } from '../http/app';
import { sendMessage } from '../state/traffic';
import { openRecipient } from './recipient';
import { Nothing, pollQuery, presenceIn, SendText } from './schemas';

/** API document, Endpoints: `/v1/messages/…`. */
export function addMessageEndpoints(app: App, gateway: Gateway): void {
	const { settings, recorder, chats, directory } = gateway;

	app.post(
		'/v1/messages/send-text',
		guard('instance', { body: SendText, querystring: Nothing }),
		async (request, reply) => {
			const { to, text } = request.body;
			const chat = openRecipient(gateway, to);
			const { connection, id: instanceId } = instanceOf(gateway, request);
			if (connection !== 'CONNECTED')
				throw new Refusal(502, 'The number is not connected to the network');
			const { id: messageId } = sendMessage(gateway, chat, text, { instanceId });
			request.record.accepted = true;
			recorder.keepSend({ messageId, instanceId, to, text, at: Date.now() });
			return await reply
				.code(202)
				.send(settings.wrapSendAnswer ? { data: { messageId } } : { messageId });
		},
	);

	const presence = presenceIn(settings.presenceField);
	app.post(
		'/v1/messages/presence',
		guard('instance', { body: presence, querystring: Nothing }),
		async (request) => {
			const { to, isAudio, ...state } = request.body as { to: string; isAudio?: boolean } & Record<
				string,
				string
			>;
			chats.tellPresence(
				openRecipient(gateway, to),
				state[settings.presenceField],
				isAudio ?? false,
			);
			return SUCCESS;
		},
	);

	const poll = pollQuery(settings.pollParameter);
	app.get(
		'/v1/messages/poll-results',
		guard('instance', { querystring: poll }),
		async (request) => {
			const { [settings.pollParameter]: messageId } = request.query;
			const results = directory.polls.get(messageId);
			if (!results) throw new Refusal(400, `There is no poll with the messageId "${messageId}"`);
			return { data: results };
		},
	);
}
