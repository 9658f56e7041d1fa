import { readIds } from '../../../nodes/MessagingGateway/fields/typed';

it('the groups to add are read from a text, and there must be one', () => {
	expect(readIds('1@g.us, 2@g.us')).toEqual(['1@g.us', '2@g.us']);
	expect(() => readIds(' , ')).toThrow('No group is chosen');
});
