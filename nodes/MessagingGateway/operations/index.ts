import { chat, label } from './chat';
import { community, group } from './community';
import { instance } from './instance';
import { message } from './message';
import { newsletter } from './newsletter';
import type { Resource } from './operation';
import { phoneNumber } from './phoneNumber';
import { profile } from './profile';
import { account, api } from './request';
import { webhook } from './webhook';

/** Everything the node can do, in the order of its menu. */
export const resources: Resource[] = [
	message,
	account,
	api,
	chat,
	community,
	group,
	instance,
	label,
	newsletter,
	phoneNumber,
	profile,
	webhook,
];
