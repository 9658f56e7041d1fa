import { fileFields } from '../../../nodes/MessagingGateway/fields/files';

const [how, which] = fileFields;

const read = async (value: unknown): Promise<unknown> =>
	await which.clean?.(value, undefined, {
		findFile: async (input: unknown) => await Promise.resolve(`file in ${String(input)}`),
	} as never);

it('are none unless somebody says so', () => {
	expect(how.default).toBe('none');
});

it('are asked for with each method that has a body, and each way to send them', () => {
	const methods = ['PATCH', 'POST', 'PUT'];
	expect(how.displayOptions).toEqual({ show: { method: methods } });
	expect(which.displayOptions).toEqual({
		show: { method: methods, sendFiles: ['base64', 'dataUrl', 'form'] },
	});
});

it('are found in their order, each for its field', async () => {
	const rows = [
		{ input: 'b', field: ' x.y ' },
		{ input: 'a', field: 'z' },
	];
	expect(await read({ file: rows })).toEqual([
		{ field: 'x.y', file: 'file in b' },
		{ field: 'z', file: 'file in a' },
	]);
});

it.each([
	[{}, 'No file is named'],
	[{ file: [] }, 'No file is named'],
	[{ file: [{ input: 'a', field: ' ' }] }, 'Request Field Name is empty'],
	[
		{
			file: [
				{ input: 'a', field: 'x' },
				{ input: 'a', field: 7 },
			],
		},
		'Request Field Name is empty',
	],
])('%j names none that can be sent', async (value, words) => {
	await expect(read(value)).rejects.toThrow(words);
});
