import * as http from 'node:http';
import * as https from 'node:https';

export interface Answer {
	/** Null when no answer came. */
	status: number | null;
	/** Beginning of the answer's body. */
	answer?: string;
	error?: string;
}

const ANSWER_KEPT = 500;

/** Posts to receivers over connections that are kept open. */
export class Poster {
	private readonly plain: http.Agent;
	private readonly secure: https.Agent;

	constructor(connections: number) {
		this.plain = new http.Agent({
			keepAlive: true,
			maxSockets: connections,
			maxFreeSockets: connections,
		});
		// Receivers on a test machine have certificates of their own making.
		this.secure = new https.Agent({
			keepAlive: true,
			maxSockets: connections,
			rejectUnauthorized: false,
		});
	}

	/** Resolves in every case: with the answer, or with the reason why there is none within the time. */
	async post(
		url: string,
		body: string,
		headers: Record<string, string>,
		timeoutMs: number,
	): Promise<Answer> {
		return await new Promise((resolve) => {
			const isSecure = url.startsWith('https:');
			const { request: open } = isSecure ? https : http;

			const request = open(
				url,
				{
					method: 'POST',
					agent: isSecure ? this.secure : this.plain,
					headers: { ...headers, 'content-length': Buffer.byteLength(body) },
				},
				(response) => {
					let answer = '';
					response.setEncoding('utf8');
					response.on('data', (chunk: string) => {
						if (answer.length < ANSWER_KEPT) answer = (answer + chunk).slice(0, ANSWER_KEPT);
					});
					response.on('end', () => finish({ status: response.statusCode ?? null, answer }));
					response.on('error', (error) => finish({ status: null, error: error.message }));
				},
			);

			const timer = setTimeout(() => {
				finish({ status: null, error: `No answer within ${timeoutMs} ms` });
				request.destroy();
			}, timeoutMs);

			const finish = (answer: Answer) => {
				clearTimeout(timer);
				resolve(answer);
			};

			request.on('error', (error: NodeJS.ErrnoException) =>
				finish({ status: null, error: error.code ?? error.message }),
			);
			request.end(body);
		});
	}

	close(): void {
		this.plain.destroy();
		this.secure.destroy();
	}
}
