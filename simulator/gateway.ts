import type { FastifyRequest } from 'fastify';
import type { Changes } from './changes';
import type { Clock } from './clock';
import type { Events } from './events';
import type { FaultControl } from './faults/control';
import type { SimulatorSettings } from './options';
import type { Recorder } from './recorder';
import type { Schedule } from './schedule';
import type { Chats } from './state/chats';
import type { Directory } from './state/directory';
import type { Instance } from './state/instance';
import type { Deliveries } from './webhooks/deliveries';
import type { WebhookRegistry } from './webhooks/registry';

/** Everything an endpoint can reach: the simulated service with its state. */
export interface Gateway {
	settings: SimulatorSettings;
	clock: Clock;
	schedule: Schedule;
	changes: Changes;
	recorder: Recorder;
	faults: FaultControl;
	/** The first number: what a person makes happen to a number happens to this one. */
	instance: Instance;
	/** All numbers of the account, by ID, the first one first. */
	instances: Map<string, Instance>;
	directory: Directory;
	chats: Chats;
	webhooks: WebhookRegistry;
	deliveries: Deliveries;
	events: Events;
}

/** The number that a request acts for, by its token. */
export function instanceOf({ instance, instances }: Gateway, { record }: FastifyRequest): Instance {
	return instances.get(record.instanceId ?? '') ?? instance;
}

/** Answer of a successful operation that has nothing more to say. */
export const SUCCESS = { data: { success: true } };

/** A refusal by the service: becomes the status and the body `{"error": message}`. */
export class Refusal extends Error {
	constructor(
		readonly statusCode: number,
		message: string,
	) {
		super(message);
	}
}
