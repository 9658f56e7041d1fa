/** Whether two URLs are the same but for capitals in scheme and host, the default port, and one slash at the end. */
export function isSameUrl(first: string, second: string): boolean {
	return first === second || (plainUrlOf(first) ?? first) === (plainUrlOf(second) ?? second);
}

function plainUrlOf(address: string): string | undefined {
	if (!/^https?:/i.test(address) || !URL.canParse(address)) return undefined;
	const url = new URL(address);
	url.pathname = url.pathname.replace(/(?<=[^/])\/$/, '');
	return url.href;
}

/** Whether a webhook with these events delivers all wanted ones; the trigger drops others. */
export function deliversAll(events: string[], wanted: string[]): boolean {
	const delivered = new Set(events.map((event) => event.toUpperCase()));
	return wanted.every((event) => delivered.has(event.toUpperCase()));
}
