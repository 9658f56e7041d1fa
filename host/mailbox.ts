import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface Mail {
	from: string;
	to: string[];
	subject: string;
	/** Plain text, decoded; empty in a mail that has none. */
	text: string;
	/** Absent in a mail of plain text alone. */
	html?: string;
}

/** A mail server that keeps what it is sent. */
export interface Mailbox {
	host: string;
	port: number;
	mails: Mail[];
	stop(): Promise<void>;
}

/**
 * Starts an SMTP server without login and without TLS, for n8n's Send Email node.
 * @param port of 127.0.0.1; without it a free one
 * @param onMail is called with each mail
 */
export async function startMailbox({
	port = 0,
	onMail,
}: { port?: number; onMail?: (mail: Mail) => void } = {}): Promise<Mailbox> {
	const mails: Mail[] = [];
	const server = new SMTPServer({
		disabledCommands: ['AUTH', 'STARTTLS'],
		closeTimeout: 1_000,
		onData(stream, { envelope }, done) {
			const keep = async () => {
				const { subject = '', text = '', html } = await PostalMime.parse(await buffer(stream));
				const from = envelope.mailFrom ? envelope.mailFrom.address : '';
				const to = envelope.rcptTo.map(({ address }) => address);
				const mail = { from, to, subject, text: text.trim(), html };
				mails.push(mail);
				onMail?.(mail);
			};
			keep().then(() => done(), done);
		},
	});
	const listening = server.listen(port, '127.0.0.1');
	await once(listening, 'listening');
	return {
		host: '127.0.0.1',
		port: (listening.address() as AddressInfo).port,
		mails,
		stop: async () => await new Promise((resolve) => server.close(resolve)),
	};
}
