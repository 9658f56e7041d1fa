/**
 * Whether two addresses are the same place, though a gateway has written one of them otherwise: scheme and host in
 * capitals, the usual port, one slash at the end. Everything else makes it somebody else's.
 */
export function isSameUrl(first: string, second: string): boolean {
	return first === second || (plainUrlOf(first) ?? first) === (plainUrlOf(second) ?? second);
}

function plainUrlOf(address: string): string | undefined {
	if (!/^https?:/i.test(address) || !URL.canParse(address)) return undefined;
	const url = new URL(address);
	url.pathname = url.pathname.replace(/(?<=[^/])\/$/, '');
	return url.href;
}

/** Whether a webhook with these events delivers all that is wanted; more than that is dropped when it arrives. */
export function deliversAll(events: string[], wanted: string[]): boolean {
	const delivered = new Set(events.map((event) => event.toUpperCase()));
	return wanted.every((event) => delivered.has(event.toUpperCase()));
}

/** Whether exactly these events were asked for; their order says nothing. */
export function isSameChoice(first: string[] = [], second: string[] = []): boolean {
	return JSON.stringify([...first].sort()) === JSON.stringify([...second].sort());
}
