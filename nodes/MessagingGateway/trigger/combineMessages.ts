import type { INodeProperties } from 'n8n-workflow';
import { readGroup } from '../fields/fieldGroup';
import { bounded } from '../fields/number';

/** How long a conversation gathers what is said in it, in milliseconds. */
export interface Debounce {
	/** It is over when nothing has come for so long. */
	quietMs: number;
	/** It is over so long after its first message in any case. */
	maxWaitMs: number;
}

// The newest message is held for the quiet time, and must be able to start an execution then.
const quietTime = bounded('Quiet Time (Seconds)', { from: 1, to: 6 });
const maxWait = bounded('Max Wait (Seconds)', { from: 5, to: 60 });

/** How long to wait for somebody who writes several messages. */
export const combineMessages: INodeProperties = {
	displayName: 'Combine Messages',
	name: 'combineMessages',
	type: 'fixedCollection',
	default: { values: { quietSeconds: 4, maxWaitSeconds: 30 } },
	description:
		'Wait until somebody has finished writing, then start once, with all of their messages in one item. Other events are not delayed.',
	options: [
		{
			displayName: 'Wait',
			name: 'values',
			values: [
				{
					displayName: 'Max Wait (Seconds)',
					name: 'maxWaitSeconds',
					type: 'number',
					typeOptions: maxWait.typeOptions,
					default: 30,
					description:
						'The workflow starts at the latest this many seconds after the first message (5 to 60)',
				},
				{
					displayName: 'Quiet Time (Seconds)',
					name: 'quietSeconds',
					type: 'number',
					typeOptions: quietTime.typeOptions,
					default: 4,
					description:
						'The workflow starts after this many seconds without a new message (1 to 6). In a group, they count for each member separately.',
				},
			],
		},
	],
};

/**
 * Reads the option.
 *
 * @throws Error in a person's words if a value is out of its bounds
 */
export function readDebounce(value: unknown): Debounce | undefined {
	if (value === undefined) return undefined;
	const { quietSeconds = 4, maxWaitSeconds = 30 } = readGroup(value, combineMessages.displayName);
	return {
		quietMs: quietTime.clean(quietSeconds) * 1000,
		maxWaitMs: maxWait.clean(maxWaitSeconds) * 1000,
	};
}
