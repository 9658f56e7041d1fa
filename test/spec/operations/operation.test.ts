import { listOptions } from '../../../nodes/MessagingGateway/operations/operation';
import { everyOperation } from '../../support/everyOperation';

// Which options each operation has beside its own follows from what it does.
it.each(everyOperation)('%s has the options of what it does', (_name, resource, operation) => {
	const own = (operation.options ?? []).map(({ name }) => name);
	const shared = listOptions(operation)
		.map(({ name }) => name)
		.filter((name) => !own.includes(name));
	const numbered = operation.token === 'instance' ? ['instanceId'] : [];
	const parallel = operation.value === 'sendAndWait' ? [] : ['concurrency'];
	const paced = operation.effect === 'send' ? ['messagesPerMinute'] : [];
	expect(shared).toEqual(
		resource === 'phone' ? [] : [...numbered, ...parallel, ...paced, 'timeout'],
	);
});
