import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

export interface Mail {
	from: string;
	to: string[];
	subject: string;
	/** Plain text, decoded. */
	text: string;
}

/** A mail server that keeps what it is sent. */
export interface Mailbox {
	host: string;
	port: number;
	mails: Mail[];
	stop(): Promise<void>;
}

/** Starts an SMTP server without login and without TLS, for n8n's Send Email node. */
export async function startMailbox(): Promise<Mailbox> {
	const mails: Mail[] = [];
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
		receiveMails(socket, (mail) => mails.push(mail));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		host: '127.0.0.1',
		port: (server.address() as AddressInfo).port,
		mails,
		stop: async () => {
			server.close();
			for (const socket of sockets) socket.destroy();
			await once(server, 'close');
		},
	};
}

function receiveMails(socket: Socket, keep: (mail: Mail) => void): void {
	let unread = '';
	let envelope = { from: '', to: [] as string[] };
	let inData = false;
	const say = (line: string) => socket.write(`${line}\r\n`);

	const obey = (line: string) => {
		const address = /<(.*?)>/.exec(line)?.[1] ?? '';
		if (/^mail from/i.test(line)) envelope = { from: address, to: [] };
		if (/^rcpt to/i.test(line)) envelope.to.push(address);
		inData = /^data/i.test(line);
		say(inData ? '354 Go on' : /^quit/i.test(line) ? '221 Bye' : '250 OK');
	};

	say('220 mailbox');
	socket.on('data', (chunk) => {
		unread += chunk.toString();
		while (true) {
			const end = inData ? '\r\n.\r\n' : '\r\n';
			const position = unread.indexOf(end);
			if (position < 0) return;
			const part = unread.slice(0, position);
			unread = unread.slice(position + end.length);
			if (!inData) {
				obey(part);
				continue;
			}
			keep({ ...envelope, ...readMail(part) });
			inData = false;
			say('250 Kept');
		}
	});
}

/** Headers and body of a mail with one part. */
function readMail(source: string): Pick<Mail, 'subject' | 'text'> {
	const [head, ...body] = source.split('\r\n\r\n');
	const headers = head.replace(/\r\n[ \t]+/g, ' ');
	const subject = /^subject: (.*)$/im.exec(headers)?.[1] ?? '';
	const text = body.join('\r\n\r\n');
	const isQuoted = /^content-transfer-encoding: quoted-printable$/im.test(headers);
	return { subject, text: (isQuoted ? unquote(text) : text).replaceAll('\r\n', '\n').trim() };
}

function unquote(text: string): string {
	const bytes = text
		.replace(/=\r\n/g, '')
		.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
	return Buffer.from(bytes, 'latin1').toString();
}
