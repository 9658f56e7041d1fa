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
