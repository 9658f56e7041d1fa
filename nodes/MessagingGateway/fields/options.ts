import type { IDataObject } from 'n8n-workflow';
import type { Effect } from '../api/exchange';
import type { Field } from './field';
import { bounded, readFlag } from './typed';

const timeout: Field = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	default: 30,
	description: 'How many seconds to wait for the answer of the gateway',
	...bounded('Timeout', { from: 1, to: 300 }),
};

const concurrency: Field = {
	displayName: 'Concurrency',
	name: 'concurrency',
	type: 'number',
	default: 1,
	description:
		'How many items are worked on at the same time. Items for the same recipient always go one after another, in their order.',
	...bounded('Concurrency', { from: 1, to: 50, isWhole: true }),
};

export const messagesPerMinute: Field = {
	displayName: 'Messages Per Minute',
	name: 'messagesPerMinute',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 20,
	description:
		'How many messages to send in a minute at most, at slightly irregular intervals. Loops and workflows of this n8n that use the same token share this limit.',
};

export const showSecretToAgent: Field = {
	displayName: 'Show Webhook Secret to AI Agent',
	name: 'showSecretToAgent',
	type: 'boolean',
	default: false,
	description:
		'Whether an AI Agent that uses this node as a tool reads the secret of the new webhook. Everybody who has the secret can sign events.',
	clean: readFlag,
};

/** The number that an operation goes by, where the credential holds several. */
export const instanceId: Field = {
	displayName: 'Number (Instance ID)',
	name: 'instanceId',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.instanceId }}',
	description:
		'Which number of the credential to use: one of its Further Numbers. To answer from the number that was written to, use the instanceId of the event. If empty, the number of Instance Token is used.',
	// Undefined where nothing is left of what was typed.
	clean: (value) => String(value).trim() || undefined,
};

/** How long the option "Timeout" lets an answer take, undefined if it is not used. */
export function readTimeoutMs({ timeout: seconds }: IDataObject): number | undefined {
	return Number(seconds) > 0 ? Number(seconds) * 1000 : undefined;
}

/** The options that all requests of one effect have, beside those of their operation. */
export function sharedOptions(effect: Effect): Field[] {
	return [concurrency, ...(effect === 'send' ? [messagesPerMinute] : []), timeout];
}
