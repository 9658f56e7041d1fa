import { SUCCESS, type Gateway } from '../gateway';
import { guard, type App } from '../http/app';
import { openRecipient } from './recipient';
import { LabelOnMessage, Nothing } from './schemas';

/** API document, Endpoints: `/v1/labels/…`. */
export function addLabelEndpoints(app: App, gateway: Gateway): void {
	const options = guard('instance', { body: LabelOnMessage, querystring: Nothing });

	for (const [action, assign] of [
		['assign', true],
		['unassign', false],
	] as const) {
		app.post(`/v1/labels/${action}-message`, options, async (request) => {
			const { to, labelId, messageId } = request.body;
			gateway.chats.label(openRecipient(gateway, to), messageId, labelId, assign);
			return SUCCESS;
		});
	}
}
