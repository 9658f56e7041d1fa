import { instanceOf, Refusal, SUCCESS, type Gateway } from '../gateway';
import { guard, type App } from '../http/app';
import { changeConnection } from '../state/connection';
import type { Instance, InstanceSettings } from '../state/instance';
import { answerList } from './list';
import { Nothing, Settings } from './schemas';

/** API document, Endpoints: `/v1/instance/…`; the path of the instance listing is a gap. */
export function addInstanceEndpoints(app: App, gateway: Gateway): void {
	const { settings, instances } = gateway;
	const options = guard('instance', { querystring: Nothing });
	const answerSettings = (data: InstanceSettings) =>
		settings.wrapSettingsAnswer ? { data } : data;

	app.post('/v1/instance/disconnect', options, async (request) => {
		const instance = requireSession(instanceOf(gateway, request));
		changeConnection(gateway, 'DISCONNECTED', undefined, instance);
		return SUCCESS;
	});

	app.post('/v1/instance/reconnect', options, async (request) => {
		const instance = requireSession(instanceOf(gateway, request));
		changeConnection(gateway, 'CONNECTED', undefined, instance);
		return SUCCESS;
	});

	app.get('/v1/instance/settings', options, async (request) =>
		answerSettings(instanceOf(gateway, request).settings),
	);

	app.post(
		'/v1/instance/settings',
		guard('instance', { body: Settings, querystring: Nothing }),
		async (request) => {
			const instance = instanceOf(gateway, request);
			instance.writeSettings(request.body);
			return answerSettings(instance.settings);
		},
	);

	app.get(settings.instancesPath, guard('account', { querystring: Nothing }), async () => {
		return answerList(
			settings,
			'instances',
			[...instances.values()].map((instance) => instance.describe()),
		);
	});

	function requireSession(instance: Instance): Instance {
		if (instance.hasSession) return instance;
		throw new Refusal(400, 'There is no saved session: the number has to be paired again');
	}
}
