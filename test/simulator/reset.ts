import type { Gateway } from './gateway';

/** Back to the beginning; the webhooks stay unless they are to go too. */
export function resetGateway(gateway: Gateway, alsoWebhooks: boolean): void {
	const {
		recorder,
		faults,
		deliveries,
		events,
		schedule,
		instance,
		directory,
		chats,
		webhooks,
		changes,
	} = gateway;
	schedule.cancel();
	deliveries.reset();
	events.reset();
	recorder.clear();
	faults.clear();
	instance.reset();
	directory.reset();
	chats.reset();
	if (alsoWebhooks) webhooks.restore([]);
	changes.tell('reset', null);
}
