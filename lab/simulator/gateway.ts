import { Changes } from './changes';
import { Clock } from './clock';
import { Events } from './events';
import { FaultControl } from './faults/control';
import type { SimulatorSettings } from './options';
import { Recorder } from './recorder';
import { Schedule } from './schedule';
import { Chats } from './state/chats';
import { addDemoMessages } from './state/demo';
import { Directory } from './state/directory';
import { Instance } from './state/instance';
import { Deliveries } from './webhooks/deliveries';
import { WebhookRegistry } from './webhooks/registry';

/** Everything that an endpoint can reach: the simulated service with its state. */
export type Gateway = ReturnType<typeof assembleGateway>;

export function assembleGateway(settings: SimulatorSettings) {
	const changes = new Changes();
	const clock = new Clock();
	const schedule = new Schedule();
	const recorder = new Recorder(settings);

	const instance = new Instance(settings.instanceId, changes);
	const further = settings.furtherNumbers.map(
		({ instanceId, name, phone }) => new Instance(instanceId, changes, name, phone),
	);
	const instances = new Map([instance, ...further].map((each) => [each.id, each]));

	const webhooks = new WebhookRegistry(clock, changes);
	const deliveries = new Deliveries(settings, clock, webhooks, recorder, schedule, changes);

	return {
		settings,
		clock,
		schedule,
		changes,
		recorder,
		/** The first number. */
		instance,
		/** All numbers of the account by ID, the first one first. */
		instances,
		webhooks,
		deliveries,
		faults: new FaultControl(changes),
		directory: new Directory(settings.groups),
		chats: new Chats(changes),
		events: new Events(instance, instances, clock, deliveries, schedule),
	};
}

/** Back to the beginning, sample chats included; the webhooks stay unless they are to go too. */
export function resetGateway(gateway: Gateway, alsoWebhooks: boolean): void {
	gateway.clock.aheadSeconds = 0;
	gateway.schedule.cancel();
	gateway.deliveries.reset();
	gateway.events.reset();
	gateway.recorder.clear();
	gateway.faults.clear();
	for (const instance of gateway.instances.values()) instance.reset();
	gateway.directory.reset();
	gateway.chats.reset();
	if (gateway.settings.demoMessages) addDemoMessages(gateway.chats);
	if (alsoWebhooks) gateway.webhooks.restore([]);
	gateway.changes.tell('reset', null);
}
