import { type App, guard } from '../http/app';
import { type Gateway, SUCCESS } from '../gateway';
import { Nothing, ProfileStatus } from './schemas';

/** API document, Endpoints: `/v1/profile/…`. */
export function addProfileEndpoints(app: App, gateway: Gateway): void {
	app.post(
		'/v1/profile/update-status',
		guard('instance', { body: ProfileStatus, querystring: Nothing }),
		async (request) => {
			gateway.instance.writeProfileStatus(request.body.status);
			return SUCCESS;
		},
	);
}
