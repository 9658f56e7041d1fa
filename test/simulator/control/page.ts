import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '../http/app';

const FOLDER = join(__dirname, '..', 'page');

const FILES = {
	'/': ['index.html', 'text/html; charset=utf-8'],
	'/simulator/page/page.js': ['page.js', 'text/javascript; charset=utf-8'],
	'/simulator/page/style.css': ['style.css', 'text/css; charset=utf-8'],
} as const;

/** The phone page; its files are read on each request, so that an edit shows after a reload. */
export function addPage(app: App): void {
	for (const [path, [file, type]] of Object.entries(FILES)) {
		app.get(path, async (_, reply) => await reply.type(type).send(await readFile(join(FOLDER, file))));
	}
}
