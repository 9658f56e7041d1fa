/** What somebody makes of a text who looks for a secret in it. */
const READINGS: Array<(text: string) => string> = [
	(text) => text,
	(text) => text.replace(/\\+u([0-9a-f]{4})/gi, (_, hex: string) => fromHex(hex)),
	(text) => text.replace(/%(?:25)*([0-9a-f]{2})/gi, (_, hex: string) => fromHex(hex)),
	(text) => text.replace(/&#x([0-9a-f]{1,4});?/gi, (_, hex: string) => fromHex(hex)),
	(text) => text.replace(/&#([0-9]{1,4});?/g, (_, code: string) => String.fromCharCode(+code)),
	(text) => text.replace(/[0-9a-f]{16,}/gi, (hex) => Buffer.from(hex, 'hex').toString('latin1')),
	...[0, 1, 2, 3].map(
		(from) => (text: string) =>
			(text.match(/[\w+/-]{12,}/g) ?? [])
				.map((run) => Buffer.from(run.slice(from), 'base64').toString('latin1'))
				.join('\n'),
	),
];

/** So much of a secret in one piece gives it away. */
const PIECE = 12;

const fromHex = (hex: string) => String.fromCharCode(parseInt(hex, 16));

/**
 * Looks for a secret in a text, in whatever form and also for parts of it, and for one form inside another.
 * @returns what of it was found, undefined if nothing
 */
export function findLeak(text: string, secret: string): string | undefined {
	const core = secret.replace(/^(?:svc_(?:acct|inst)_|whsec_)/, '');
	const pieces = Array.from({ length: core.length - PIECE + 1 }, (_, at) =>
		core.slice(at, at + PIECE),
	);
	for (const first of READINGS) {
		const once = first(text);
		for (const second of READINGS) {
			const twice = second(once);
			const found = pieces.find((piece) => twice.includes(piece));
			if (found !== undefined) return found;
		}
	}
	return undefined;
}
