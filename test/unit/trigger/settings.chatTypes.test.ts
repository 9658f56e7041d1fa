import { readChatTypes } from '../../../nodes/MessagingGateway/trigger/settings';

it.each([
	[undefined, []],
	['', []],
	[
		['person', 'group'],
		['person', 'group'],
	],
	['channel, status', ['channel', 'status']],
])('%j is read', (value, types) => {
	expect(readChatTypes(value)).toEqual(types);
});

it('a type that no chat has is refused: no message would start the workflow', () => {
	expect(() => readChatTypes('person, Groups')).toThrow('"Groups" cannot be one of Chat Types.');
});
