/**
 * Reads a base URL as people type it: surrounding space, trailing slashes and a trailing `/v1` (which
 * every endpoint path brings along) do not matter; a path in front, as behind a proxy, is kept.
 *
 * @returns the address without a trailing slash
 * @throws Error in a person's words if it is no http(s) address
 */
export function readBaseUrl(text: unknown): string {
	const typed = typeof text === 'string' ? text.trim() : '';
	if (typed === '') {
		throw new Error(
			'The base URL is empty. Enter the address of your gateway, e.g. https://gateway.example.com',
		);
	}
	let url: URL;
	try {
		url = new URL(typed);
	} catch {
		url = new URL('invalid:');
	}
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		throw new Error(
			`"${typed}" is not a web address. Enter the base URL with https:// in front, e.g. https://gateway.example.com`,
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
	return (url.origin + url.pathname).replace(/\/+$/, '').replace(/\/v1$/, '');
}

/**
 * Whether a path leads where it reads, for whoever receives it: no segment means another one, as `..` does, and
 * none hides a slash or becomes something else when it is decoded again, or by a server that is not strict.
 */
export function isPlainPath(path: string): boolean {
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
