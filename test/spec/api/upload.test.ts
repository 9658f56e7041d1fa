import { text } from 'node:stream/consumers';
import type { IDataObject } from 'n8n-workflow';
import { makeForm, makeJson, type ItemFile } from '../../../nodes/MessagingGateway/api/upload';

const file = (content: string, fileName = 'a.txt'): ItemFile => ({
	fileName,
	mediaType: 'text/plain',
	size: Buffer.byteLength(content),
	async *read() {
		for (const byte of Buffer.from(content)) yield await Promise.resolve(Buffer.of(byte));
	},
});

const sent = async (body: Blob): Promise<string> => {
	const whole = await text(body.stream() as never);
	expect(Buffer.byteLength(whole)).toBe(body.size);
	return whole;
};

const place = async (body: unknown, ...fields: string[]): Promise<unknown> => {
	const files = fields.map((field, index) => ({ field, file: file('x'.repeat(index)) }));
	return JSON.parse(await sent(makeJson(body, files, { asDataUrl: false })));
};

it.each<[unknown, string[], unknown]>([
	[undefined, ['a.b'], { a: { b: '' } }],
	[null, ['a'], { a: '' }],
	[{ a: null }, ['a.b'], { a: { b: '' } }],
	[{ a: 'old' }, ['a'], { a: '' }],
	[[], ['0', '1'], ['', 'eA==']],
	[{ list: [1, 2] }, ['list.1'], { list: [1, ''] }],
	// Names that every object has are names like any other.
	[{}, ['constructor.a', 'toString'], { constructor: { a: '' }, toString: 'eA==' }],
])('into %j it puts files at %j', async (body, fields, whole) => {
	expect(await place(body, ...fields)).toEqual(whole);
});

it('puts eleven files each in its own place', async () => {
	const fields = [...'abcdefghijk'];
	const whole = (await place({}, ...fields)) as IDataObject;
	expect(fields.map((field) => Buffer.from(String(whole[field]), 'base64').length)).toEqual([
		...fields.keys(),
	]);
});

it.each([
	[{ a: 1 }, ['a.b']],
	[[1], ['2']],
	[[1], ['-1']],
	['text', ['a']],
])('finds no place in %j for %j', async (body, fields) => {
	await expect(place(body, ...fields)).rejects.toThrow('no place for a file');
});

it('refuses two files in one place, whichever comes first', async () => {
	for (const fields of [
		['a', 'a'],
		['a', 'a.b'],
		['a.b', 'a'],
	])
		await expect(place({}, ...fields)).rejects.toThrow(/same place|no place/);
});

it('writes a form of texts and files, in which no name ends its line', async () => {
	const form = makeForm({ text: 'Olá', n: 0, no: false, none: null, nothing: undefined, o: [1] }, [
		{ field: 'a"b\r\n', file: file('ç', 'x"\r\ny.txt') },
	]);
	const [, boundary] = /^multipart\/form-data; boundary=(.+)$/.exec(form.type) ?? [];
	const part = (head: string, content: string) =>
		`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
	expect(await sent(form)).toBe(
		[
			part('name="text"', 'Olá'),
			part('name="n"', '0'),
			part('name="no"', 'false'),
			part('name="o"', '[1]'),
			part('name="a%22b%0D%0A"; filename="x%22%0D%0Ay.txt"\r\nContent-Type: text/plain', 'ç'),
			`--${boundary}--\r\n`,
		].join(''),
	);
});
