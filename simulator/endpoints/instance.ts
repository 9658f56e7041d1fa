import { Refusal, SUCCESS, type Gateway } from '../gateway';
import { guard, type App } from '../http/app';
import { changeConnection } from '../state/connection';
import type { InstanceSettings } from '../state/instance';
import { answerList } from './list';
import { Nothing, Settings } from './schemas';

/** API document, Endpoints: `/v1/instance/…`; the path of the instance listing is a gap. */
export function addInstanceEndpoints(app: App, gateway: Gateway): void {
	const { settings, instance } = gateway;
	const options = guard('instance', { querystring: Nothing });
	const answerSettings = (data: InstanceSettings) =>
		settings.wrapSettingsAnswer ? { data } : data;

	app.post('/v1/instance/disconnect', options, async () => {
		requireSession();
		changeConnection(gateway, 'DISCONNECTED');
		return SUCCESS;
	});

	app.post('/v1/instance/reconnect', options, async () => {
		requireSession();
		changeConnection(gateway, 'CONNECTED');
		return SUCCESS;
	});

	app.get('/v1/instance/settings', options, async () => answerSettings(instance.settings));

	app.post(
		'/v1/instance/settings',
		guard('instance', { body: Settings, querystring: Nothing }),
		async (request) => {
			instance.writeSettings(request.body);
			return answerSettings(instance.settings);
		},
	);

	app.get(settings.instancesPath, guard('account', { querystring: Nothing }), async () => {
		return answerList(settings, 'instances', [instance.describe()]);
	});

	function requireSession(): void {
		if (!instance.hasSession)
			throw new Refusal(400, 'There is no saved session: the number has to be paired again');
	}
}
