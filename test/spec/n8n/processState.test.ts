import type * as State from '../../../nodes/MessagingGateway/n8n/processState';
import { evictOldest } from '../../../nodes/MessagingGateway/n8n/processState';

const SOURCES = '../../../nodes/MessagingGateway';

it('loads both nodes although n8n has frozen its exports, and keeps state', () => {
	jest.isolateModules(() => {
		const load = <T extends object>(path: string) => jest.requireActual<T>(path);
		Object.freeze(load<typeof import('n8n-workflow')>('n8n-workflow').NodeOperationError);
		load(`${SOURCES}/MessagingGateway.node`);
		load(`${SOURCES}/MessagingGatewayTrigger.node`);
		const { sharedMap } = load<typeof State>(`${SOURCES}/n8n/processState`);
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
