import { findOperation } from '../../../nodes/MessagingGateway/operations';
import type { EndpointOperation } from '../../../nodes/MessagingGateway/operations/operation';

const { hint } = findOperation('community', 'addGroups') as EndpointOperation;

it.each([
	[{ failed: ['1@g.us'] }, '1 of the groups did not join. See "failed" in the output.'],
	[{ failed: ['1@g.us', '2@g.us'] }, '2 of the groups did not join. See "failed" in the output.'],
	[{ failed: [] }, undefined],
	[{ failed: null }, undefined],
	[{ success: true }, undefined],
])('of the answer %j it is said: %s', (answer, words) => {
	expect(hint?.(answer)).toBe(words);
});
