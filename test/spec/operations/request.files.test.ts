import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData, IBinaryKeyData, IDataObject } from 'n8n-workflow';
import { expectRefusal } from '../../support/refusal';
import {
	credentialsOf,
	runOperation,
	type OperationResult,
	type OperationRun,
} from '../../support/runOperation';
import { engine, gateway } from '../../support/stage';

const SEND_PICTURE = '/v1/simulator-invention/send-picture';
const PNG = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
	'base64',
);

const held = (bytes: Buffer, others: Partial<IBinaryData> = {}): IBinaryData => ({
	data: bytes.toString('base64'),
	mimeType: 'image/png',
	fileName: 'picture.png',
	...others,
});

type Row = { input: unknown; field: unknown };

const sendFiles = (
	how: 'base64' | 'dataUrl' | 'form',
	rows: Row[],
	{
		body = '{ "to": "5511900000001", "caption": "Look" }',
		...others
	}: Record<string, unknown> = {},
): OperationRun => ({
	resource: 'api',
	operation: 'request',
	parameters: {
		method: 'POST',
		path: SEND_PICTURE,
		sendFiles: how,
		files: { file: rows as never },
		sendsMessage: true,
		...others,
		options: { body: body as string, ...(others.options as object) },
	},
	files: [{ data: held(PNG) }],
});

const run = async (what: OperationRun) => await runOperation(engine, gateway, what);
const lastPicture = () =>
	gateway
		.chats()
		.flatMap(({ messages }) => messages)
		.at(-1)?.picture;

interface Seen {
	headers: IncomingMessage['headers'];
	body: Buffer;
}

/** Runs an operation against a server of its own. */
async function runAgainst(handle: RequestListener, what: OperationRun): Promise<OperationResult> {
	const server = createServer(handle).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	try {
		return await run({ ...what, credential: { baseUrl: `http://127.0.0.1:${port}` } });
	} finally {
		server.close();
		server.closeAllConnections();
	}
}

/** Runs an operation against a server that takes whatever it gets, and shows it. */
async function show(what: OperationRun): Promise<Seen> {
	const seen: Seen[] = [];
	const { error } = await runAgainst((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			seen.push({ headers: request.headers, body: Buffer.concat(chunks) });
			response.end('{ "messageId": "x" }');
		});
	}, what);
	expect(error).toBeUndefined();
	return seen[0];
}

/** The parts of a form as another reader of forms sees them. */
async function readForm({ headers, body }: Seen): Promise<Array<[string, string | File]>> {
	const type = { 'content-type': String(headers['content-type']) };
	const form = await new Response(new Uint8Array(body), { headers: type }).formData();
	const entries: Array<[string, string | File]> = [];
	form.forEach((value, name) => entries.push([name, value]));
	return entries;
}

interface FileStore {
	getMetadata(fileId: string): Promise<{ fileSize: number }>;
	getAsStream(fileId: string): Promise<Readable>;
}

/** n8n's stores of files, by the first part of an id. There is none in the engine alone, which keeps files in memory. */
const fileStores = () =>
	(Container.get(BinaryDataService) as unknown as { managers: Record<string, FileStore> }).managers;

/** A store with a single file, known by the second part of its id. */
function storeOf(fileId: string, bytes: Buffer): FileStore {
	const find = async (asked: string): Promise<Buffer> => {
		if (asked !== fileId) throw new Error('File not found');
		return bytes;
	};
	return {
		getMetadata: async (asked) => ({ fileSize: (await find(asked)).length }),
		getAsStream: async (asked) => Readable.from(await find(asked)),
	};
}

const FORM_ROW = { input: 'data', field: 'picture' };

describe('a file', () => {
	it('goes as a form', async () => {
		const { error, items } = await run(sendFiles('form', [FORM_ROW]));
		expect(error).toBeUndefined();
		expect(items[0].json).toEqual({ messageId: expect.any(String) });
		expect(gateway.acceptedSends()).toMatchObject([{ to: '5511900000001', text: 'Look' }]);
		expect(lastPicture()).toEqual({
			fileName: 'picture.png',
			mediaType: 'image/png',
			base64: PNG.toString('base64'),
		});
	});

	it.each(['PATCH', 'POST', 'PUT'])('goes with %s', async (method) => {
		const seen = await show(sendFiles('form', [FORM_ROW], { method }));
		const [name, file] = (await readForm(seen)).at(-1) ?? [];
		expect(name).toBe('picture');
		expect(Buffer.from(await (file as File).arrayBuffer())).toEqual(PNG);
	});

	it.each(['base64', 'dataUrl'] as const)('goes into the body as %s', async (how) => {
		const file = held(PNG, { mimeType: 'image/webp' });
		const { error } = await run({
			...sendFiles(how, [{ input: 'data', field: 'picture.data' }]),
			files: [{ data: file }],
		});
		expect(error).toBeUndefined();
		expect(lastPicture()).toEqual({
			fileName: 'picture',
			mediaType: how === 'dataUrl' ? 'image/webp' : 'image/png',
			base64: PNG.toString('base64'),
		});
	});

	it.each([0, 1, 2, 3, 4, 65_537])('of %i bytes arrives whole', async (size) => {
		const bytes = Buffer.alloc(size, 'påo');
		const files = [{ data: held(bytes) }];
		const row = [{ input: 'data', field: 'a.b' }];
		const others = { body: '{ "a": { "c": [1] } }' };
		const asJson = await show({ ...sendFiles('base64', row, others), files });
		expect(asJson.headers).toMatchObject({
			'content-type': 'application/json',
			'content-length': String(asJson.body.length),
		});
		expect(JSON.parse(asJson.body.toString())).toEqual({
			a: { c: [1], b: bytes.toString('base64') },
		});

		const asForm = await show({ ...sendFiles('form', row, others), files });
		expect(asForm.headers['content-length']).toBe(String(asForm.body.length));
		const [[, text], [name, file]] = await readForm(asForm);
		expect([text, name]).toEqual(['{"c":[1]}', 'a.b']);
		expect(Buffer.from(await (file as File).arrayBuffer())).toEqual(bytes);
	});

	// The forms of n8n 2.41: `database.manager.js`, and `blob.manager.js` for files, S3 and Azure.
	it.each([
		['database', 'a6f1d3ad-3f0c-4bd3-9c1c-1b1f6a1f2f10'],
		['filesystem-v2', 'workflows/w/executions/7/binary_data/a6f1d3ad-3f0c-4bd3-9c1c-1b1f6a1f2f10'],
		['s3', 'workflows/w/executions/temp/binary_data/a6f1d3ad-3f0c-4bd3-9c1c-1b1f6a1f2f10'],
		['azure', 'chat-hub/sessions/1/messages/2/binary_data/a6f1d3ad-3f0c-4bd3-9c1c-1b1f6a1f2f10'],
		['a-store-to-come', 'whatever it calls it'],
	])('that n8n keeps in %s goes out, whatever its id', async (mode, fileId) => {
		fileStores()[mode] = storeOf(fileId, PNG);
		const file: IBinaryData = { data: mode, mimeType: 'image/png', id: `${mode}:${fileId}` };
		const { error } = await run({ ...sendFiles('form', [FORM_ROW]), files: [{ data: file }] });
		delete fileStores()[mode];
		expect(error).toBeUndefined();
		expect(lastPicture()?.base64).toBe(PNG.toString('base64'));
	});

	it('goes along with others and with the same once more, each in its place', async () => {
		const other = held(Buffer.from('two'), {
			fileName: 'b.txt',
			mimeType: 'text/plain; charset=utf-8',
		});
		const files = [{ data: held(PNG), other }];
		const rows = [
			{ input: 'data', field: 'files.0' },
			{ input: 'other', field: 'files.1' },
			{ input: 'data', field: 'again' },
		];
		const body = { body: '{ "files": [], "n": 1 }' };
		const asJson = await show({ ...sendFiles('dataUrl', rows, body), files });
		const png = `data:image/png;base64,${PNG.toString('base64')}`;
		expect(JSON.parse(asJson.body.toString())).toEqual({
			files: [png, 'data:text/plain;base64,dHdv'],
			n: 1,
			again: png,
		});

		const sameName = rows.map((row) => ({ ...row, field: 'files' }));
		const asForm = await show({ ...sendFiles('form', sameName, { body: '' }), files });
		const entries = await readForm(asForm);
		expect(entries.map(([name, file]) => [name, (file as File).name, (file as File).size])).toEqual(
			[
				['files', 'picture.png', PNG.length],
				['files', 'b.txt', 3],
				['files', 'picture.png', PNG.length],
			],
		);
	});

	it('leaves the item as it is, whose data the body is', async () => {
		const item: IDataObject = { media: { name: 'x' } };
		const { body } = await show({
			...sendFiles('base64', [{ input: 'data', field: 'media.data' }], { body: '={{ $json }}' }),
			items: [item],
		});
		expect(JSON.parse(body.toString())).toEqual({
			media: { name: 'x', data: PNG.toString('base64') },
		});
		expect(item).toEqual({ media: { name: 'x' } });
	});

	it.each([
		['"quoted".png', '%22quoted%22.png'],
		['line\r\nX-Evil: 1\r\n\r\nbody.png', 'line%0D%0AX-Evil: 1%0D%0A%0D%0Abody.png'],
		['../../etc/passwd', 'passwd'],
		['C:\\temp\\Pão 🥖.png', 'Pão 🥖.png'],
		['', 'file.png'],
	])('called %j is called %j in a form, and ends no header', async (fileName, told) => {
		const files = [{ data: held(PNG, { fileName, fileExtension: 'png' }) }];
		const seen = await show({
			...sendFiles('form', [{ input: 'data', field: 'a"b\r\nc' }], { body: '' }),
			files,
		});
		const head = seen.body.toString().split('\r\n\r\n')[0].split('\r\n').slice(1);
		expect(head).toEqual([
			`Content-Disposition: form-data; name="a%22b%0D%0Ac"; filename="${told}"`,
			'Content-Type: image/png',
		]);
		expect(await readForm(seen)).toHaveLength(1);
	});

	it.each([
		['image/png\r\nX-Evil: 1', 'application/octet-stream'],
		['image/png"; x="', 'image/png"'],
		['nothing', 'application/octet-stream'],
		['image/svg+xml; charset=utf-8', 'image/svg+xml'],
	])('of the type %j brings nothing else along', async (mimeType, told) => {
		const files = [{ data: held(PNG, { mimeType }) }];
		const { body } = await show({ ...sendFiles('form', [FORM_ROW], { body: '' }), files });
		const expected = told === 'image/png"' ? 'application/octet-stream' : told;
		expect(body.toString().split('\r\n')[2]).toBe(`Content-Type: ${expected}`);
	});

	it('may be that of a node before, which an expression gives', async () => {
		const row = { input: '={{ $("Form").item.binary.data }}', field: 'picture' };
		const { resource, operation, parameters } = sendFiles('form', [row]);
		const { data } = await engine.run({
			nodes: [
				{ type: 'test.pass', name: 'Form' },
				{ type: 'test.evaluate', name: 'Without Files', parameters: { value: 'x' } },
				{ type: 'messagingGateway', parameters: { resource, operation, ...parameters } },
			],
			items: [{}],
			files: [{ data: held(PNG) }],
			credentials: credentialsOf(gateway),
		});
		expect(data.resultData.error).toBeUndefined();
		expect(lastPicture()?.base64).toBe(PNG.toString('base64'));
	});
});

describe('a request with files', () => {
	it.each([
		[
			'a field that is not there',
			[{ input: 'image', field: 'x' }],
			/no file in "image", but it has one in "data"/,
		],
		['an empty name', [{ input: '', field: 'x' }], /no file in ""/],
		[
			'an object that is no file',
			[{ input: '={{ $json }}', field: 'x' }],
			/must be the name of a field/,
		],
		['a list', [{ input: '={{ ["data"] }}', field: 'x' }], /must be the name of a field/],
		[
			'an id that leads out of where n8n keeps files',
			[
				{
					input: '={{ { mimeType: "a/b", id: "filesystem-v2:../../config", data: "" } }}',
					field: 'x',
				},
			],
			/n8n no longer has the file "file"/,
		],
		[
			'a store that this n8n does not have',
			[{ input: '={{ { mimeType: "a/b", id: "nowhere:1", data: "" } }}', field: 'x' }],
			/n8n no longer has the file "file"/,
		],
		[
			'a file that n8n no longer has',
			[
				{
					input:
						'={{ { mimeType: "a/b", id: "filesystem-v2:workflows/1/executions/2/binary_data/00000000-0000-4000-8000-000000000000", fileName: "gone.png" } }}',
					field: 'x',
				},
			],
			/n8n no longer has the file "gone.png"/,
		],
		['no place for it', [{ input: 'data', field: ' ' }], /Request Field Name is empty/],
		[
			'a place that is an object',
			[{ input: 'data', field: '={{ { a: 1 } }}' }],
			/Request Field Name/,
		],
		['no file at all', [], /No file is named/],
	] as Array<[string, Row[], RegExp]>)(
		'is refused before it goes out with %s',
		async (_what, rows, words) => {
			expectRefusal(await run(sendFiles('form', rows)), words);
		},
	);

	it.each([
		['to.data', /no place for a file in "to.data"/],
		['list.x', /no place for a file in "list.x"/],
		['list.7', /no place for a file in "list.7"/],
	])('is refused before it goes out where %s is no place', async (field, words) => {
		const what = sendFiles('base64', [{ input: 'data', field }], {
			body: '{ "to": "5511900000001", "list": [1] }',
		});
		expectRefusal(await run(what), words);
	});

	it.each([['[1]'], ['"text"'], ['7']])('is refused where the body is %s', async (body) => {
		const form = sendFiles('form', [FORM_ROW], { body });
		expectRefusal(await run(form), /body must be an object/);
		const json = sendFiles('base64', [FORM_ROW], { body });
		expectRefusal(await run(json), /no place for a file/);
	});

	it.each([[['a', 'a']], [['a.b', 'a']]])(
		'is refused where two go to one place: %j',
		async (fields) => {
			const rows = fields.map((field) => ({ input: 'data', field }));
			expectRefusal(await run(sendFiles('base64', rows)), /same place in the body/);
		},
	);

	it('says of an item without any file where one could come from', async () => {
		const what = { ...sendFiles('form', [FORM_ROW]), files: [] };
		expectRefusal(await run(what), /nor in any other field\. A node before this one must give it/);
	});

	it('takes none along where none are to be sent', async () => {
		const { body } = await show(sendFiles('form', [FORM_ROW], { sendFiles: 'none' }));
		expect(JSON.parse(body.toString())).toEqual({ to: '5511900000001', caption: 'Look' });
	});

	it('writes in a form what is no text as JSON, and leaves out what is nothing', async () => {
		const body = '{ "n": 1, "yes": false, "list": [1], "none": null, "text": "Olá\\nMundo" }';
		const entries = await readForm(await show(sendFiles('form', [FORM_ROW], { body })));
		expect(entries.slice(0, -1)).toEqual([
			['n', '1'],
			['yes', 'false'],
			['list', '[1]'],
			['text', 'Olá\nMundo'],
		]);
	});

	it('gives each item its own file, and links what comes of it', async () => {
		const items = [{ n: 0 }, { n: 1 }, { n: 2 }];
		const files: IBinaryKeyData[] = [
			{ data: held(Buffer.from('zero')) },
			{},
			{ data: held(Buffer.from('two')) },
		];
		const result = await run({
			...sendFiles('form', [FORM_ROW], {
				body: '={ "to": "5511900000001", "caption": "{{ $json.n }}" }',
				options: { concurrency: 3 },
			}),
			items,
			files,
			onError: 'continueErrorOutput',
		});
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(result.failedItems).toMatchObject([
			{ pairedItem: { item: 1 }, json: { error: { outcome: 'rejected' } } },
		]);
		const sent = gateway
			.chats()
			.flatMap(({ messages }) => messages)
			.flatMap(({ text, picture }) =>
				picture ? [[text, Buffer.from(picture.base64, 'base64').toString()]] : [],
			);
		expect(sent).toEqual([
			['0', 'zero'],
			['2', 'two'],
		]);
	});

	it('is never repeated when nobody knows what became of it, and its file is sent anew when it was not', async () => {
		gateway.faults.add({
			match: { nth: 1 },
			fault: { status: 429, headers: { 'retry-after': '0' } },
		});
		gateway.faults.add({ match: { nth: 3 }, fault: 'cutAfter' });
		const node = {
			type: 'messagingGateway',
			name: 'Send',
			retryOnFail: true,
			maxTries: 3,
			waitBetweenTries: 1,
			onError: 'continueRegularOutput' as const,
			parameters: {
				resource: 'api',
				operation: 'request',
				...sendFiles('form', [FORM_ROW]).parameters,
			},
		};
		await engine.run({
			nodes: [node],
			items: [{}, {}],
			files: [{ data: held(PNG) }, { data: held(PNG) }],
			credentials: credentialsOf(gateway),
		});
		expect(gateway.requests).toHaveLength(3);
		expect(gateway.acceptedSends()).toHaveLength(2);
	});
});

describe('an answer', () => {
	const get = (others: Record<string, unknown> = {}): OperationRun => ({
		resource: 'api',
		operation: 'request',
		parameters: { path: '/v1/media/P%C3%A3o.png', ...others },
	});
	const answer =
		(headers: Record<string, string>, body: Buffer | string, status = 200): RequestListener =>
		(_request, response) =>
			response.writeHead(status, headers).end(body);
	const IMAGE = { 'content-type': 'image/png' };

	it('that is a file becomes binary data, linked to its item', async () => {
		const { items, error } = await runAgainst(
			answer({ ...IMAGE, 'content-disposition': 'inline; filename="a picture.png"' }, PNG),
			get(),
		);
		expect(error).toBeUndefined();
		expect(items).toEqual([
			{
				json: { fileName: 'a picture.png', mimeType: 'image/png', fileSize: '70 B' },
				binary: { data: expect.objectContaining({ data: PNG.toString('base64') }) },
				pairedItem: { item: 0 },
			},
		]);
	});

	it('that is a file with nothing in it is one all the same', async () => {
		const { items } = await runAgainst(answer(IMAGE, ''), get());
		expect(items[0].binary?.data).toMatchObject({ mimeType: 'image/png', data: '' });
	});

	it('that is a file is inflated like any other', async () => {
		const headers = { ...IMAGE, 'content-encoding': 'gzip' };
		const { items } = await runAgainst(answer(headers, gzipSync(PNG)), get());
		expect(items[0].binary?.data.data).toBe(PNG.toString('base64'));
	});

	it.each([
		["attachment; filename*=UTF-8''P%C3%A3o%20%22de%22.png", 'Pão "de".png'],
		['attachment; filename="fallback.png"; filename*=utf-8\'en\'x.png', 'x.png'],
		['attachment; filename=plain.png', 'plain.png'],
		['attachment; filename="a\\"b.png"', 'a"b.png'],
		[Buffer.from('attachment; filename="Pão.png"').toString('latin1'), 'Pão.png'],
		['attachment; filename="../../../etc/passwd"', 'passwd'],
		['attachment; filename="C:\\\\temp\\\\x.exe"', 'x.exe'],
		['attachment; filename=".."', 'file'],
		["attachment; filename*=UTF-8''%00%0d%0a.png", '.png'],
		["attachment; filename*=UTF-8''%zz", '%zz'],
		["attachment; filename*=UTF-8''picture%E2%80%AEgnp.exe%E2%80%AC", 'picturegnp.exe'],
		['attachment', 'Pão.png'],
	])('with the disposition %j has a name', async (disposition, name) => {
		const headers = { ...IMAGE, 'content-disposition': disposition };
		const { items } = await runAgainst(answer(headers, PNG), get());
		expect(items[0].json.fileName).toBe(name);
	});

	it.each([
		['text/csv', undefined, true],
		['text/plain', 'attachment; filename="a.txt"', true],
		['text/html', 'attachment', true],
		['application/pdf', undefined, true],
		['text/plain', undefined, false],
		['text/html', 'inline', false],
		['application/json', 'attachment; filename="f.txt"', false],
		['application/problem+json', undefined, false],
	])('of the type %s (%s) is a file: %s', async (type, disposition, isFile) => {
		const headers = {
			'content-type': type,
			...(disposition && { 'content-disposition': disposition }),
		};
		const { items } = await runAgainst(answer(headers, '{ "a": 1 }'), get());
		expect(items.map(({ json }) => 'a' in json)).toEqual([!isFile]);
		expect(items[0].binary !== undefined).toBe(isFile);
	});

	it.each(['image/png\t; x', 'PNG', '; charset=x', 'a/b/c'])(
		'of the strange type %j harms nobody',
		async (type) => {
			const { items } = await runAgainst(answer({ 'content-type': type }, PNG), get());
			expect(items[0]?.binary?.data.mimeType ?? 'application/octet-stream').toMatch(
				/^(image\/png|application\/octet-stream)$/,
			);
		},
	);

	it.each([400, 404, 502])('of the status %i is no file', async (status) => {
		const { error } = await runAgainst(answer(IMAGE, PNG, status), get());
		expect(error?.message).toBe(`The gateway’s answer is not valid JSON (status ${status})`);
	});

	it('that is a file is no messageId', async () => {
		const { error } = await runAgainst(
			answer(IMAGE, PNG),
			get({ method: 'POST', sendsMessage: true }),
		);
		expect(error?.message).toContain('The message may have been sent');
	});

	it.each([
		['GET', /broke off before its answer arrived$/],
		['POST', /broke off before its answer arrived\. The change may have been made/],
	])('that is a file and breaks off is none (%s)', async (method, words) => {
		const { error, items } = await runAgainst((_request, response) => {
			response.writeHead(200, { ...IMAGE, 'content-length': '1000' });
			response.write(PNG, () => response.destroy());
		}, get({ method }));
		expect(error?.message).toMatch(words);
		expect(items).toEqual([]);
	});

	it('that is a file may take its time as long as something comes', async () => {
		const pieces = 10;
		const { items, error } = await runAgainst(
			(_request, response) =>
				void (async () => {
					response.writeHead(200, IMAGE);
					for (let piece = 0; piece < pieces; piece++) {
						response.write('piece');
						await pause(600);
					}
					response.end();
				})(),
			get({ options: { timeout: 4 } }),
		);
		expect(error).toBeUndefined();
		expect(items[0].binary?.data.data).toBe(Buffer.from('piece'.repeat(pieces)).toString('base64'));
	});

	it('that is a file and never ends is given up', async () => {
		const { error } = await runAgainst(
			(_request, response) => {
				response.writeHead(200, IMAGE).write('piece');
			},
			get({ options: { timeout: 1 } }),
		);
		expect(error?.message).toBe('The gateway did not answer in time');
	});
});

describe('a large file', () => {
	const LARGE = Buffer.alloc(24 * 1024 * 1024, 'abc');

	it('may take longer to be sent than an answer may', async () => {
		let received = 0;
		const { error } = await runAgainst(
			(request, response) =>
				void (async () => {
					for await (const chunk of request) {
						const before = received;
						received += (chunk as Buffer).length;
						// Never long without taking anything, but longer in all than the timeout.
						if (Math.floor(received / 2e6) > Math.floor(before / 2e6)) await pause(500);
					}
					response.end('{}');
				})(),
			{
				...sendFiles('form', [FORM_ROW], { sendsMessage: false, options: { timeout: 4 } }),
				files: [{ data: held(LARGE) }],
			},
		);
		expect(error).toBeUndefined();
		expect(received).toBeGreaterThan(LARGE.length);
	});

	it.each([
		['refused', 413, /^Too large\. The message was not sent\.$/],
		['accepted', 202, undefined],
	])('that is %s before it has come says so', async (_what, status, words) => {
		const { error } = await runAgainst(
			(_request, response) =>
				response
					.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
					.end('{ "messageId": "x", "error": "Too large." }'),
			{ ...sendFiles('base64', [FORM_ROW]), files: [{ data: held(LARGE) }] },
		);
		if (words) expect(error?.message).toMatch(words);
		else expect(error).toBeUndefined();
	});

	it('that is cut off in the middle may have been sent', async () => {
		const { error } = await runAgainst(
			(request) => request.once('data', () => request.socket.destroy()),
			{ ...sendFiles('form', [FORM_ROW]), files: [{ data: held(LARGE) }] },
		);
		expect(error?.message).toMatch(
			/^The connection .* broke off .* The message may have been sent/,
		);
	});
});

describe('a file that n8n has no longer when it is sent', () => {
	const failing = async function* () {
		yield await Promise.resolve(Buffer.alloc(70_000));
		throw new Error('ENOENT: no such file or directory');
	};

	afterEach(() => delete fileStores().database);

	it.each<[string, FileStore['getAsStream']]>([
		['cannot be opened', async () => await Promise.reject(new Error('ENOENT'))],
		['breaks off', async () => await Promise.resolve(Readable.from(failing()))],
		['is shorter', async () => await Promise.resolve(Readable.from(Buffer.alloc(70_000)))],
	])('is not put down to the gateway where it %s', async (_what, getAsStream) => {
		fileStores().database = {
			getMetadata: async () => await Promise.resolve({ fileSize: 200_000 }),
			getAsStream,
		};
		const files = [{ data: held(PNG, { id: 'database:x', data: 'database' }) }];
		for (const how of ['form', 'base64'] as const) {
			const { error } = await run({ ...sendFiles(how, [FORM_ROW]), files });
			expect(error?.message).toMatch(/^n8n could not read the whole file/);
			expect(error?.description).not.toMatch(/closed the connection/);
		}
		expect(lastPicture()).toBeUndefined();
	});
});
