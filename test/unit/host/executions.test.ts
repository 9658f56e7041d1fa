import { hasEnded, type ExecutionStatus } from '../../../host/executions';

it.each<[ExecutionStatus, boolean]>([
	['new', false],
	['running', false],
	['waiting', false],
	['success', true],
	['error', true],
	['crashed', true],
	['canceled', true],
])('an execution whose status is %s has ended: %s', (status, isOver) => {
	const summary = {
		id: '7',
		workflowId: 'w',
		mode: 'webhook',
		createdAt: '',
		startedAt: '',
	} as const;
	expect(hasEnded({ ...summary, status })).toBe(isOver);
});
