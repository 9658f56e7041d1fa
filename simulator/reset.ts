import type { Gateway } from './gateway';
import { addDemoMessages } from './state/demo';

/** Back to the beginning, sample chats included; the webhooks stay unless they are to go too. */
export function resetGateway(gateway: Gateway, alsoWebhooks: boolean): void {
	const {
		settings,
		clock,
		recorder,
		faults,
		deliveries,
		events,
		schedule,
		instances,
		directory,
		chats,
		webhooks,
		changes,
	} = gateway;
	clock.aheadSeconds = 0;
	schedule.cancel();
	deliveries.reset();
	events.reset();
	recorder.clear();
	faults.clear();
	for (const instance of instances.values()) instance.reset();
	directory.reset();
	chats.reset();
	if (settings.demoMessages) addDemoMessages(chats);
	if (alsoWebhooks) webhooks.restore([]);
	changes.tell('reset', null);
}
