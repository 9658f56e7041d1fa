import { instanceOf, SUCCESS, type Gateway } from '../gateway';
import { guard, type App } from '../http/app';
import { Nothing, ProfileStatus } from './schemas';

/** API document, Endpoints: `/v1/profile/…`. */
export function addProfileEndpoints(app: App, gateway: Gateway): void {
	app.post(
		'/v1/profile/update-status',
		guard('instance', { body: ProfileStatus, querystring: Nothing }),
		async (request) => {
			instanceOf(gateway, request).writeProfileStatus(request.body.status);
			return SUCCESS;
		},
	);
}
