import { serialize, type Queue } from '../../nodes/MessagingGateway/waits';

it('runs tasks one after the other, also one that comes when the first has ended', async () => {
	const queue: Queue = {};
	const order: string[] = [];
	const hold = Promise.withResolvers<void>();
	const first = serialize(queue, async () => {
		await Promise.resolve();
		throw new Error('The first fails');
	});
	const second = serialize(queue, async () => {
		await hold.promise;
		order.push('second');
	});
	await expect(first).rejects.toThrow('The first fails');
	const third = serialize(queue, async () => await Promise.resolve(order.push('third')));
	hold.resolve();
	await Promise.all([second, third]);
	expect([order, queue.pending]).toEqual([['second', 'third'], undefined]);
});
