import type { Field } from './field';

/** The number that an operation goes by, where the credential holds several. */
export const instanceId: Field = {
	displayName: 'Number (Instance ID)',
	name: 'instanceId',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.instanceId }}',
	description:
		'Which number of the credential to use: one of its Further Numbers. To answer from the number that was written to, use the instanceId of the event. If empty, the number of Instance Token is used.',
	clean: readInstanceId,
};

/** @returns undefined where nothing is left of what was typed */
function readInstanceId(value: unknown): string | undefined {
	return String(value).trim() || undefined;
}
