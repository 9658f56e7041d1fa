import { holdsSecret } from './plainText';

/** What no server takes need not be looked at. */
const LONGEST_PATH = 2_000;

/**
 * Reads a base URL as people type it: surrounding space, trailing slashes and a trailing `/v1` (which
 * every endpoint path brings along) do not matter; a path in front, as behind a proxy, is kept.
 *
 * @returns the address without a trailing slash
 * @throws Error in a person's words if it is no http(s) address; what was typed is not in them, since it may be a token
 */
export function readBaseUrl(text: unknown): string {
	const typed = typeof text === 'string' ? text.trim() : '';
	if (typed === '') {
		throw new Error(
			'The base URL is empty. Enter the address of your gateway, e.g. https://gateway.example.com',
		);
	}
	if (holdsSecret(typed)) {
		throw new Error(
			'The base URL holds a token. Put the token into its own field, and enter the address of your gateway here, e.g. https://gateway.example.com',
		);
	}
	const url = new URL(URL.canParse(typed) ? typed : 'invalid:');
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		throw new Error(
			'The base URL is not a web address. Enter it with https:// in front, e.g. https://gateway.example.com',
		);
	}
	if (url.username !== '' || url.password !== '') {
		throw new Error(
			'The base URL contains a user name or password. Remove them: the token is all the gateway needs.',
		);
	}
	if (url.search !== '' || url.hash !== '') {
		throw new Error(
			'The base URL contains a "?" or a "#". Enter only the address, e.g. https://gateway.example.com',
		);
	}
	return trimSlashes(url.origin + url.pathname).replace(/\/v1$/, '');
}

/** Names a gateway by what a base URL says of the host: the rest may be nobody's business. */
export function nameGateway(baseUrl = ''): string {
	return URL.canParse(baseUrl) ? new URL(baseUrl).origin : '';
}

/** Leaves out the slashes at the end. */
export function trimSlashes(text: string): string {
	let end = text.length;
	while (text[end - 1] === '/') end--;
	return text.slice(0, end);
}

/**
 * Whether a path leads where it reads, for whoever receives it: no segment means another one, as `..` does, and
 * none hides a slash or becomes something else when it is decoded again, or by a server that is not strict.
 */
export function isPlainPath(path: string): boolean {
	if (path.length > LONGEST_PATH) return false;
	// A path such as /v1/../admin does not survive this unchanged.
	if (new URL(path, 'http://gateway').pathname !== path) return false;
	const [, ...segments] = path.split('/');
	return segments.every((segment, index) =>
		segment === '' ? index === segments.length - 1 : isPlainSegment(segment),
	);
}

function isPlainSegment(segment: string): boolean {
	let text: string;
	try {
		// Some take compatible characters, such as the fullwidth full stop, for the plain ones.
		text = decodeURIComponent(segment).normalize('NFKC');
	} catch {
		return false;
	}
	// Some leave out of a segment what follows a semicolon.
	const [name] = text.split(';', 1);
	return !/[\p{Cc}/\\%]/u.test(text) && !/^\.+$/.test(name.trim());
}
