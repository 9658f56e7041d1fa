import type { SentFile } from '../api/upload';
import type { Field, ItemReader } from './field';

const WITH_BODY = ['PATCH', 'POST', 'PUT'];

/** The files of an item that a request takes along, where the method is one of those with a body. */
export const fileFields: Field[] = [
	{
		displayName: 'Send Files',
		name: 'sendFiles',
		type: 'options',
		default: 'none',
		options: [
			{
				name: 'As a Form',
				value: 'form',
				description:
					'Multipart: the properties of Body become fields of the form, beside the files',
			},
			{
				name: 'In the Body, as Base64',
				value: 'base64',
				description: 'The bare base64 text of each file goes into a field of Body',
			},
			{
				name: 'In the Body, as Data URL',
				value: 'dataUrl',
				description: 'The base64 text with a prefix, such as data:image/png;base64',
			},
			{ name: 'None', value: 'none' },
		],
		description:
			'Whether to send files of the item, and how. See your gateway’s API documentation.',
		displayOptions: { show: { method: WITH_BODY } },
	},
	{
		displayName: 'Files',
		name: 'files',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: { file: [{ input: 'data', field: 'file' }] },
		placeholder: 'Add File',
		description: 'Which files to send',
		displayOptions: { show: { method: WITH_BODY, sendFiles: ['base64', 'dataUrl', 'form'] } },
		options: [
			{
				displayName: 'File',
				name: 'file',
				values: [
					{
						displayName: 'Input Data Field Name',
						name: 'input',
						type: 'string',
						default: 'data',
						placeholder: 'e.g. data',
						hint: 'The name of the input field containing the file',
						description: 'Name of the item’s binary field that holds the file',
					},
					{
						displayName: 'Request Field Name',
						name: 'field',
						type: 'string',
						default: 'file',
						placeholder: 'e.g. file or media.data',
						description:
							'The field of the form, or of Body, that holds the file. In Body, a dot leads into an object: media.data is the field data inside media.',
					},
				],
			},
		],
		clean: readFiles,
	},
];

/** @throws Error in a person's words if a file is not there, or nobody knows where it goes */
async function readFiles(
	value: unknown,
	_mode: string | undefined,
	{ findFile }: ItemReader,
): Promise<SentFile[]> {
	const { file: rows = [] } = value as { file?: Array<{ input: unknown; field: unknown }> };
	if (rows.length === 0)
		throw new Error('No file is named. Add one under Files, or set Send Files to None.');
	return await Promise.all(
		rows.map(async ({ input, field }) => {
			if (typeof field !== 'string' || field.trim() === '')
				throw new Error(
					'Request Field Name is empty or no text. Name the field that takes the file.',
				);
			return { field: field.trim(), file: await findFile(input) };
		}),
	);
}
