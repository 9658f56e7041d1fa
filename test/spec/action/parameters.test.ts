import type { IExecuteFunctions, NodeParameterValueType } from 'n8n-workflow';
import { buildRequest, readValues } from '../../../nodes/MessagingGateway/action/parameters';
import type { Field } from '../../../nodes/MessagingGateway/fields/field';
import { readFlag } from '../../../nodes/MessagingGateway/fields/typed';
import type { EndpointOperation } from '../../../nodes/MessagingGateway/operations/operation';

const colourField: Field = {
	displayName: 'Colour Field',
	name: 'colourField',
	type: 'string',
	default: 'colour',
};

const operation: EndpointOperation = {
	name: 'Make',
	value: 'make',
	action: 'Make a thing',
	description: 'Make a thing of nothing',
	effect: 'change',
	request: 'POST /v1/shelves/{shelf}/things',
	token: 'instance',
	expects: 'object',
	fields: [{ displayName: 'Name', name: 'name', type: 'string', default: '', in: 'body' }],
	options: [
		{
			displayName: 'Silent',
			name: 'isSilent',
			type: 'boolean',
			default: false,
			in: 'body',
			as: 'silent',
			clean: readFlag,
		},
		{ displayName: 'Page', name: 'page', type: 'number', default: 1, in: 'query' },
		{ displayName: 'Shelf', name: 'shelf', type: 'string', default: '', in: 'path' },
		{ displayName: 'Note', name: 'note', type: 'string', default: '' },
		{
			displayName: 'Colour',
			name: 'colour',
			type: 'options',
			default: 'red',
			options: [{ name: 'Red', value: 'red' }],
			in: 'body',
			guessOption: colourField,
		},
		colourField,
		{
			displayName: 'Size',
			name: 'size',
			type: 'options',
			default: 'small',
			options: [{ name: 'Small', value: 'small' }],
			in: 'body',
			clean: (value) => String(value).toUpperCase(),
		},
	],
};

/** What a person has filled in, as n8n hands it out. */
const fillIn = (parameters: Record<string, NodeParameterValueType>) =>
	({
		getNodeParameter: (name: string, _itemIndex: number, fallback: unknown) =>
			parameters[name] ?? fallback,
	}) as unknown as IExecuteFunctions;

const build = async (options: Record<string, NodeParameterValueType>) =>
	buildRequest(operation, await readValues(fillIn({ name: 'Lamp', options }), operation, 0));

describe('an option', () => {
	it('goes where it belongs, by its name there', async () => {
		expect(await build({ shelf: 'top', isSilent: true, page: 2 })).toMatchObject({
			method: 'POST',
			path: '/v1/shelves/top/things',
			query: { page: 2 },
			body: { name: 'Lamp', silent: true },
		});
	});

	it('is cleaned as a field is', async () => {
		expect(await build({ shelf: 5, isSilent: 'FALSE', size: 'small' })).toMatchObject({
			path: '/v1/shelves/5/things',
			body: { silent: false, size: 'SMALL' },
		});
		await expect(build({ shelf: 'top', isSilent: 'maybe' })).rejects.toThrow(
			'neither true nor false',
		);
		await expect(build({ shelf: 'top', colour: 'blue' })).rejects.toThrow(
			'none of the choices of Colour',
		);
		await expect(build({ shelf: ['top'] })).rejects.toThrow('Shelf must be text');
	});

	it('that is text is text, whatever an expression gives', async () => {
		for (const shelf of [5, true, false])
			expect((await build({ shelf })).path).toBe(`/v1/shelves/${shelf}/things`);
		await expect(build({ shelf: { a: 1 } })).rejects.toThrow('the expression gives an object.');
	});

	it.each([undefined, null, ''])(
		'that is required counts once it is added: %j is refused',
		async (person) => {
			const required: Field = {
				displayName: 'Person',
				name: 'person',
				type: 'string',
				default: '',
				required: true,
			};
			const read = async (options: Record<string, NodeParameterValueType>) =>
				await readValues(fillIn({ options }), { ...operation, fields: [], options: [required] }, 0);
			expect((await read({})).options).toEqual({});
			await expect(read({ person: person as NodeParameterValueType })).rejects.toThrow(
				'Person is empty. Fill it in, or check its expression.',
			);
		},
	);

	it('that is one of many choices names the first of them, and how many more there are', async () => {
		const offered = [...Array(23).keys()].map((index) => ({
			name: `C${index}`,
			value: `c${index}`,
		}));
		const choice: Field = {
			displayName: 'Choice',
			name: 'choice',
			type: 'options',
			default: 'c0',
			options: [{ name: 'None', value: '' }, ...offered],
		};
		const read = async (value: string) =>
			await readValues(
				fillIn({ options: { choice: value } }),
				{ ...operation, fields: [], options: [choice] },
				0,
			);
		await expect(read('c23')).rejects.toThrow(/^"c23" .* Choice: c0, c1, .*, c19 and 3 more\.$/);
		expect((await read('')).options).toEqual({ choice: '' });
	});

	it('whose condition is not met counts for nothing, though it was added once', async () => {
		const conditional = (wanted: string): EndpointOperation => ({
			...operation,
			options: [
				{
					displayName: 'Size',
					name: 'size',
					type: 'number',
					default: 1,
					displayOptions: { show: { '/name': [wanted] } },
					clean: () => {
						throw new Error('cleaned');
					},
				},
			],
		});
		const filled = fillIn({ name: 'Lamp', options: { size: 2 } });
		expect((await readValues(filled, conditional('Chair'), 0)).options).toEqual({});
		await expect(readValues(filled, conditional('Lamp'), 0)).rejects.toThrow('cleaned');
	});

	it('without a place is not sent', async () => {
		const { body, query } = await build({ shelf: 'top', note: 'for me' });
		expect([body, query]).toEqual([{ name: 'Lamp' }, undefined]);
	});

	it('that is not added, or left empty, is not sent, whatever its default', async () => {
		expect((await build({ shelf: 'top' })).body).toEqual({ name: 'Lamp' });
		expect((await build({ shelf: 'top', page: '' })).query).toBeUndefined();
	});

	it('of another operation is not sent', async () => {
		expect((await build({ shelf: 'top', weight: 7 })).body).toEqual({ name: 'Lamp' });
	});
});

describe('a guessed name', () => {
	it('is what the option says, which the request names for whoever has to explain a refusal', async () => {
		const guessOption = 'Colour Field';
		const painted = await build({ shelf: 'top', colour: 'red' });
		expect(painted).toMatchObject({ body: { colour: 'red' }, guessOption });
		const renamed = await build({ shelf: 'top', colour: 'red', colourField: 'paint' });
		expect(renamed).toMatchObject({ body: { name: 'Lamp', paint: 'red' }, guessOption });
	});

	it('is named whatever comes after it', async () => {
		const request = await build({ shelf: 'top', colour: 'red', size: 'small' });
		expect(request.guessOption).toBe('Colour Field');
	});

	it('that is not in the request is not blamed', async () => {
		expect((await build({ shelf: 'top', colourField: 'paint' })).guessOption).toBeUndefined();
	});
});
