import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { exactly } from '../endpoints/schemas';
import type { App } from '../http/app';

const FOLDER = join(__dirname, '..', 'page');
const TYPES: Record<string, string> = {
	'.js': 'text/javascript',
	'.css': 'text/css',
	'.html': 'text/html',
};
const PageFile = exactly({ file: Type.String({ pattern: '^[a-zA-Z]+\\.(js|css)$' }) });

/** The phone page; its files are read on each request, so that an edit shows after a reload. */
export function addPage(app: App): void {
	const read = async (file: string) => await readFile(join(FOLDER, file));
	const headersOf = (file: string) => ({
		'content-type': `${TYPES[extname(file)]}; charset=utf-8`,
		'content-security-policy': "default-src 'self'; img-src data:; frame-ancestors 'none'",
		'cache-control': 'no-store',
	});

	app.get(
		'/',
		async (_, reply) => await reply.headers(headersOf('index.html')).send(await read('index.html')),
	);

	app.get(
		'/simulator/page/:file',
		{ schema: { params: PageFile } },
		async ({ params: { file } }, reply) => {
			return await reply.headers(headersOf(file)).send(await read(file));
		},
	);
}
