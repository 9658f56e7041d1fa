import { Type, type Static } from '@sinclair/typebox';
import { instanceOf, Refusal, type Gateway } from '../gateway';
import { guard, type App } from '../http/app';
import { sendMessage } from '../state/traffic';
import { openRecipient } from './recipient';
import { exactly, Filled, Nothing } from './schemas';

const Base64 = Type.String({
	pattern:
		'^(data:image/[a-z+]+;base64,)?([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}(==|[A-Za-z0-9+/]=))?$',
	minLength: 1,
});
const Caption = Type.Optional(Type.String());
const FormFile = exactly({ fileName: Filled, mediaType: Filled, base64: Base64 });

const PictureForm = exactly({ to: Filled, caption: Caption, picture: FormFile });
const PictureJson = exactly({
	to: Filled,
	caption: Caption,
	picture: exactly({ data: Base64 }),
});
const SendPicture = Type.Union([PictureForm, PictureJson]);

/**
 * What the simulator has invented, so that files can be sent to it and fetched: the API document shows no endpoint for media,
 * and nothing here says how that of a real gateway looks.
 */
export function addInventedEndpoints(app: App, gateway: Gateway): void {
	const { chats, recorder } = gateway;

	app.post(
		'/v1/simulator-invention/send-picture',
		{
			...guard('instance', { body: SendPicture, querystring: Nothing }),
			config: { token: 'instance', takesForm: true },
		},
		async (request, reply) => {
			const { to, caption = '' } = request.body;
			const picture = takePicture(request.body);
			const { id: instanceId } = instanceOf(gateway, request);
			const { id: messageId } = sendMessage(gateway, openRecipient(gateway, to), caption, {
				picture,
				instanceId,
			});
			const bytes = Buffer.byteLength(picture.base64, 'base64');
			const { fileName, mediaType } = picture;
			request.record.body = { to, caption, picture: { fileName, mediaType, bytes } };
			request.record.accepted = true;
			recorder.keepSend({ messageId, instanceId, to, text: caption, at: Date.now() });
			return await reply.code(202).send({ data: { messageId } });
		},
	);

	app.get(
		'/v1/simulator-invention/files/:messageId',
		guard('instance', { params: exactly({ messageId: Filled }), querystring: Nothing }),
		async (request, reply) => {
			const { picture, recording } = chats.findMessage(request.params.messageId) ?? {};
			const file = picture ?? recording;
			if (!file) throw new Refusal(404, 'There is no such file');
			const name = encodeURIComponent(file.fileName);
			return await reply
				.header('content-type', file.mediaType)
				.header('content-disposition', `attachment; filename*=UTF-8''${name}`)
				.send(Buffer.from(file.base64, 'base64'));
		},
	);
}

function takePicture({ picture }: Static<typeof SendPicture>) {
	if ('base64' in picture) return picture;
	const [, mediaType = 'image/png', base64] =
		/^(?:data:(.*?);base64,)?(.*)$/.exec(picture.data) ?? [];
	return { fileName: 'picture', mediaType, base64 };
}
