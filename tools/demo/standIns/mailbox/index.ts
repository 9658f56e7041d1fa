import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Mail } from '../../../../host/mailbox';

const MAILS_KEPT = 200;
const PAGE = join(__dirname, 'page');
const TYPES: Record<string, string> = {
	'.html': 'text/html',
	'.css': 'text/css',
	'.js': 'text/javascript',
};

interface KeptMail extends Mail {
	/** When it came; ISO 8601. */
	at: string;
}

/** The mails of the demo, the newest last, kept in a file from one start to the next. */
export class Mails {
	private kept: KeptMail[];

	constructor(private readonly file: string) {
		this.kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as KeptMail[]) : [];
	}

	list(): KeptMail[] {
		return this.kept;
	}

	add(mail: Mail): void {
		this.keep([...this.kept, { ...mail, at: new Date().toISOString() }]);
	}

	clear(): void {
		this.keep([]);
	}

	private keep(mails: KeptMail[]): void {
		this.kept = mails.slice(-MAILS_KEPT);
		writeFileSync(this.file, JSON.stringify(this.kept), { mode: 0o600 });
	}
}

/**
 * The page on which a person reads the mails.
 * @param phoneUrl where the number can be logged out, so that a mail comes
 */
export function addMailPage(app: FastifyInstance, mails: Mails, phoneUrl: string): void {
	app.get('/mails', async () => ({ mails: mails.list(), phoneUrl }));

	app.delete('/mails', async (_, reply) => {
		mails.clear();
		return await reply.code(204).send();
	});

	for (const [path, file] of [
		['/', 'mailbox.html'],
		['/mailbox.js', 'mailbox.js'],
		['/mailbox.css', 'mailbox.css'],
	]) {
		app.get(path, async (_, reply) => {
			void reply.headers({
				'content-type': `${TYPES[extname(file)]}; charset=utf-8`,
				'content-security-policy': "default-src 'self'; img-src data:; frame-ancestors 'none'",
				'cache-control': 'no-store',
			});
			return await readFile(join(PAGE, file));
		});
	}
}
