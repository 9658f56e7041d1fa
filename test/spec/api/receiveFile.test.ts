import { findFileHead } from '../../../nodes/MessagingGateway/api/receiveFile';

const head = (headers: Record<string, string>, status = 200, path = '/v1/media/a%20b.png') =>
	findFileHead({ status, headers, path });

it.each([
	[200, 'image/png', '', true],
	[201, 'application/pdf', 'inline', true],
	[204, 'image/png', 'attachment', false],
	[304, 'image/png', '', false],
	[200, '', '', false],
	[200, ' TEXT/HTML ; charset=utf-8', '', false],
	[200, 'text/plain', '', false],
	[200, 'application/xhtml+xml', '', false],
	[200, 'application/xml', '', true],
	[200, 'text/plain', ' Attachment', true],
	[200, '', 'attachment', true],
	[200, 'text/plain', 'attachments', false],
	[200, 'text/plain', 'inline; filename="attachment"', false],
	[200, 'application/json', 'attachment', false],
	[200, 'Application/Problem+JSON; charset=utf-8', 'attachment', false],
	[200, 'application/jsonl', '', true],
])('an answer %i of the type %j, to be saved %j, is a file: %s', (status, type, saved, isFile) => {
	const found = head({ 'content-type': type, 'content-disposition': saved }, status);
	expect(found !== undefined).toBe(isFile);
});

it('has the type that is told, as far as it is one', () => {
	const typeOf = (type: string) => head({ 'content-type': type })?.mediaType;
	expect(typeOf('Image/SVG+xml; charset=utf-8')).toBe('image/svg+xml');
	for (const type of ['image', 'image/png/x', 'image/p ng'])
		expect(typeOf(type)).toBe('application/octet-stream');
});

it.each([
	['attachment', 'a b.png'],
	['attachment; filename=""', 'file'],
	['attachment; filename="x\\"y.png"', 'x"y.png'],
	['attachment; FileName=x.png ; size=1', 'x.png'],
	["attachment; filename=x.png; filename*=utf-8''%C3%A7.png; size=1", 'ç.png'],
	["attachment; filename*=''%.png", '%.png'],
	[`attachment; filename="${Buffer.from('ç.png').toString('latin1')}"`, 'ç.png'],
	['attachment; filename="\u00e7.png"', 'ç.png'],
	['attachment; filename="C:\\\\folder\\\\x.png"', 'x.png'],
	['attachment; filename="/folder/x.png/"', 'x.png'],
	['attachment; filename="..."', 'file'],
	['attachment; filename="/"', 'file'],
	["attachment; filename*=UTF-8''a%E2%81%A6b%07.png ", 'ab.png'],
	[`attachment; filename="${'x'.repeat(300)}"`, 'x'.repeat(200)],
])('told %j, it is called %j', (disposition, name) => {
	expect(head({ 'content-type': 'image/png', 'content-disposition': disposition })?.fileName).toBe(
		name,
	);
});

it.each([
	['/v1/media/', 'media'],
	['/v1/media/..%2F..', 'file'],
	['/v1/media/%zz', '%zz'],
])('of nobody’s telling, it is called as %s ends: %j', (path, name) => {
	expect(head({ 'content-type': 'image/png' }, 200, path)?.fileName).toBe(name);
});
