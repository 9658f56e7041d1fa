import { evictOldest } from '../../nodes/MessagingGateway/processState';

it('loads both nodes although n8n has frozen its exports, and keeps state', async () => {
	await jest.isolateModulesAsync(async () => {
		const { NodeOperationError } = await import('n8n-workflow');
		Object.freeze(NodeOperationError);
		await import('../../nodes/MessagingGateway/MessagingGateway.node');
		await import('../../nodes/MessagingGateway/MessagingGatewayTrigger.node');
		const { sharedMap } = await import('../../nodes/MessagingGateway/processState');
		sharedMap('test 1').set('bread', 'ready');
		expect(sharedMap('test 1').get('bread')).toBe('ready');
	});
});

it('forgets the oldest entry beyond the limit of a map', () => {
	const map = new Map<string, number>();
	for (let index = 0; index < 5; index++) {
		map.set(String(index), index);
		evictOldest(map, 3);
	}
	expect([...map.keys()]).toEqual(['2', '3', '4']);
});
