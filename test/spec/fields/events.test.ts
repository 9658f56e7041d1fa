import { eventOptions } from '../../../nodes/MessagingGateway/fields/events';
import { documentedEvents } from '../../contract/document/events';

it('offers each event type that the document shows, once', () => {
	const shown = new Set(documentedEvents.map(({ type }) => type));
	expect(eventOptions.map(({ value }) => value)).toEqual([...shown].sort());
});
