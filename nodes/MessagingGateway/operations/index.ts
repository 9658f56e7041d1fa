import { api } from './api';
import { chat } from './chat';
import { community } from './community';
import { group } from './group';
import { instance } from './instance';
import { label } from './label';
import { message } from './message';
import { newsletter } from './newsletter';
import type { Operation, Resource } from './operation';
import { phone } from './phone';
import { profile } from './profile';
import { webhook } from './webhook';

/** Everything the node can do, in the order of its menu. */
export const resources: Resource[] = [
	api,
	chat,
	community,
	group,
	instance,
	label,
	message,
	newsletter,
	phone,
	profile,
	webhook,
];

export function findOperation(resource: string, operation: string): Operation | undefined {
	return resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
}
