import type { IBinaryData, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { keepFile, makeForm } from '../../../nodes/MessagingGateway/gateway/content';

/** An item with one file, as n8n's helpers give it. */
const itemWith = (file: Partial<IBinaryData>, bytes = Buffer.from('ç')) => ({
	itemIndex: 0,
	context: {
		helpers: {
			assertBinaryData: () => ({ mimeType: 'text/plain', data: '', ...file }),
			getBinaryDataBuffer: async () => await Promise.resolve(bytes),
			prepareBinaryData: async (data: Buffer, fileName = 'file', mimeType = 'none') =>
				await Promise.resolve({ data: '', fileName, mimeType, fileSize: `${data.length} B` }),
		},
	} as unknown as IExecuteFunctions,
});

const names = { input: 'data', field: 'file' };

async function readBack(item: ReturnType<typeof itemWith>, values?: IDataObject, field = 'file') {
	const { contentType, body } = await makeForm(item, values, { ...names, field });
	return await new Response(new Uint8Array(body), {
		headers: { 'content-type': contentType },
	}).formData();
}

it('writes texts, JSON for other values, and the file behind them', async () => {
	const form = await readBack(itemWith({ fileName: 'a.txt' }), {
		caption: 'Olá\r\n"x"',
		size: 0,
		tags: ['a'],
		isNew: false,
	});
	const file = form.get('file') as File;
	const fields: string[] = [];
	form.forEach((_value, field) => fields.push(field));
	expect(fields).toEqual(['caption', 'size', 'tags', 'isNew', 'file']);
	expect(form.get('caption')).toBe('Olá\r\n"x"');
	expect(['size', 'tags', 'isNew'].map((name) => form.get(name))).toEqual(['0', '["a"]', 'false']);
	expect([file.name, file.type, await file.text()]).toEqual(['a.txt', 'text/plain', 'ç']);
});

it('writes each byte of the file as it is', async () => {
	const bytes = Buffer.from([...Array(256).keys(), 13, 10, 45, 45]);
	const form = await readBack(itemWith({ fileName: '', fileExtension: 'pdf' }, bytes));
	const file = form.get('file') as File;
	expect(Buffer.from(await file.arrayBuffer())).toEqual(bytes);
	expect(file.name).toBe('file.pdf');
});

describe('a file that comes', () => {
	const keep = async (headers: Record<string, string>, path = '/v1/files/a%20b.png?size=1') => {
		const answer = { status: 200, headers, body: Buffer.from('PNG'), path, items: [] };
		return (await keepFile(itemWith({}), answer)).items;
	};

	it.each<[Record<string, string>, string, string]>([
		[{ 'content-type': 'image/png; charset=x' }, 'a%20b.png', 'image/png'],
		[{ 'content-disposition': 'attachment; filename="c d.pdf"; x=1' }, 'c d.pdf', 'none'],
		[{ 'content-disposition': 'attachment; filename="../../c.pdf"' }, 'c.pdf', 'none'],
		[
			{ 'content-disposition': 'attachment; filename="the \\"best\\".pdf"' },
			'the "best".pdf',
			'none',
		],
		[
			{ 'content-disposition': `attachment; filename="?.pdf"; filename*=UTF-8''%C3%A7%20a.pdf` },
			'ç a.pdf',
			'none',
		],
		[{ 'content-disposition': `filename*=UTF-8''%ZZ.pdf; filename=b.pdf` }, 'b.pdf', 'none'],
		[{ 'content-disposition': 'attachment; filename="C:\\\\c.pdf"' }, 'c.pdf', 'none'],
	])('with %j has a name and a type', async (headers, fileName, mimeType) => {
		expect(await keep(headers)).toEqual([{ fileName, mimeType, fileSize: '3 B' }]);
	});
});
