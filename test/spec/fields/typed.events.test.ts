import { readEvents } from '../../../nodes/MessagingGateway/fields/typed';

it.each([
	[['A.B', 'C.D'], 'C.D, E.F', ['A.B', 'C.D', 'E.F']],
	['A.B, C.D', undefined, ['A.B', 'C.D']],
])('of %j and the custom ones %j, each is subscribed to once', (chosen, custom, events) => {
	expect(readEvents(chosen, custom)).toEqual(events);
});
