import { chatFields } from '../../../nodes/MessagingGateway/fields/recipient';

const read = (value: unknown, mode?: string) =>
	chatFields[0].parse?.(value, { mode, defaultCountry: 'BR' });

it.each([
	['11 98765-4321', 'phone', '5511987654321'],
	[11987654321, 'phone', '5511987654321'],
	['+351 912 345 678', 'phone', '351912345678'],
	['11 98765-4321', undefined, '5511987654321'],
	[' 7@lid', undefined, ' 7@lid'],
	[' 7@lid ', 'id', ' 7@lid '],
	['120363041234567890@g.us', 'id', '120363041234567890@g.us'],
	['120363041234567890@g.us', 'list', '120363041234567890@g.us'],
	['status', 'id', 'status'],
])('reads %j, in mode %s, as %j', (value, mode, recipient) => {
	expect(read(value, mode)).toBe(recipient);
});

it.each([
	['7@lid', 'phone', "Choose 'By ID'"],
	['', 'phone', 'cannot be read as a phone number'],
	['5511987654321', 'id', "'To' holds a phone number. Choose 'Phone' instead of 'By ID'."],
	['+55 (11) 98765-4321', 'id', "Choose 'Phone'"],
	[11987654321, 'id', "Choose 'Phone'"],
	[true, 'id', 'must be a phone number or an ID'],
	[['7@lid'], 'id', 'must be a phone number or an ID'],
	[null, 'phone', 'must be a phone number or an ID'],
])('refuses %j in mode %s', (value, mode, words) => {
	expect(() => read(value, mode)).toThrow(words);
});
