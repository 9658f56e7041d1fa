import { TIMEOUT_SECONDS } from '../gateway/call';
import { flagField, numberField, type Field } from './field';

/** How much of a list is put out. The gateway shows no paging, so the node cuts the whole list. */
export const listFields: Field[] = [
	flagField({
		displayName: 'Return All',
		name: 'returnAll',
		description: 'Whether to return all results or only up to a given limit',
	}),
	numberField({
		displayName: 'Limit',
		name: 'limit',
		default: 50,
		range: [1, 100_000],
		isWhole: true,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
		typeOptions: { minValue: 1 },
	}),
];

export const instanceId: Field = {
	displayName: 'Number (Instance ID)',
	name: 'instanceId',
	type: 'string',
	default: '',
	// An expression that gives nothing must not send from another number.
	required: true,
	placeholder: 'e.g. {{ $json.instanceId }}',
	description: 'Instance ID of another number',
	parse: (value) => String(value).trim(),
};

const concurrency = numberField({
	displayName: 'Concurrency',
	name: 'concurrency',
	default: 1,
	range: [1, 50],
	isWhole: true,
	description:
		'How many items to process at once, 1 to 50. Items for one recipient keep their order.',
});

const timeout = numberField({
	displayName: 'Timeout',
	name: 'timeout',
	default: TIMEOUT_SECONDS,
	range: [1, 300],
	description: 'How many seconds to wait for the gateway, 1 to 300',
});

const messagesPerMinute = numberField({
	displayName: 'Messages Per Minute',
	name: 'messagesPerMinute',
	default: 0,
	range: [0, 6000],
	isWhole: true,
	description:
		'How many messages may go out in a minute, up to 6000; 0 for no limit. All workflows with the same token share it.',
});

export const commonOptions: Field[] = [instanceId];

export const sendOptions: Field[] = [concurrency, instanceId, messagesPerMinute, timeout];
