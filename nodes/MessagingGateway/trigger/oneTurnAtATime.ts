import type { INodeProperties } from 'n8n-workflow';
import { readGroup } from '../fields/fieldGroup';
import { bounded } from '../fields/number';

const MINUTE_MS = 60_000;
const maxTurn = bounded('Max Turn (Minutes)', { from: 0.1, to: 60 });

/** Whether a conversation waits for the execution that it has started. */
export const oneTurnAtATime: INodeProperties = {
	displayName: 'One Turn at a Time',
	name: 'oneTurnAtATime',
	type: 'fixedCollection',
	default: { values: { maxTurnMinutes: 5 } },
	description:
		'While an execution of a conversation runs, new messages of this conversation wait. When it has ended, they start the next execution together, in one item. Other conversations and events are not delayed.',
	options: [
		{
			displayName: 'Turn',
			name: 'values',
			values: [
				{
					displayName: 'Max Turn (Minutes)',
					name: 'maxTurnMinutes',
					type: 'number',
					typeOptions: maxTurn.typeOptions,
					default: 5,
					description:
						'Minutes (0.1 to 60) after which the next execution of the conversation starts, beside the one that still runs',
				},
			],
		},
	],
};

/**
 * Reads the option.
 *
 * @returns the longest turn in milliseconds; undefined without the option
 * @throws Error in a person's words if the value is out of its bounds
 */
export function readMaxTurn(value: unknown): number | undefined {
	if (value === undefined) return undefined;
	const { maxTurnMinutes = 5 } = readGroup(value, oneTurnAtATime.displayName);
	return maxTurn.clean(maxTurnMinutes) * MINUTE_MS;
}
