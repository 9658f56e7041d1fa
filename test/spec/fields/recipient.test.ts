import { recipient } from '../../../nodes/MessagingGateway/fields/recipient';

let asked = 0;

beforeEach(() => void (asked = 0));

const read = async (value: unknown, mode?: string): Promise<unknown> =>
	await recipient.clean?.(value, mode, {
		readDefaultCountry: async () => {
			asked++;
			return await Promise.resolve('BR');
		},
	} as never);

it.each([
	['11 98765-4321', 'phone', '5511987654321', 1],
	[11987654321, 'phone', '5511987654321', 1],
	['11 98765-4321', undefined, '5511987654321', 1],
	// n8n takes its time over a credential.
	['+55 11 98765-4321', 'phone', '5511987654321', 0],
	['\t+351 912 345 678 ', undefined, '351912345678', 0],
	[' 11 98765-4321 ', 'id', ' 11 98765-4321 ', 0],
	[11987654321, 'id', '11987654321', 0],
	['11987654321', 'list', '11987654321', 0],
	[' 7@lid', undefined, ' 7@lid', 0],
])('%j, chosen by %s, is %j, with %i looks at the credential', async (value, mode, to, looks) => {
	expect([await read(value, mode), asked]).toEqual([to, looks]);
});

it.each([
	['7@lid', 'phone', "Choose 'By ID'"],
	[' ', 'id', 'The recipient is empty'],
	['\n', undefined, 'The recipient is empty'],
	[true, 'id', 'must be a phone number or an ID'],
	[['7@lid'], 'id', 'must be a phone number or an ID'],
	[null, 'phone', 'must be a phone number or an ID'],
])('%j, chosen by %s, is refused', async (value, mode, words) => {
	await expect((async () => await read(value, mode))()).rejects.toThrow(words);
});
