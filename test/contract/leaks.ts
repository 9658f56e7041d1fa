const fromHex = (_: string, hex: string): string => String.fromCharCode(parseInt(hex, 16));

/** What somebody makes of a text who looks for a secret in it. */
const READINGS: Array<(text: string) => string> = [
	(text) => text.replace(/\\+u([0-9a-f]{4})/gi, fromHex),
	(text) => text.replace(/%(?:25)*([0-9a-f]{2})/gi, fromHex),
	(text) => text.replace(/&#x([0-9a-f]{1,4});?/gi, fromHex),
	(text) => text.replace(/&#([0-9]{1,4});?/g, (_, code: string) => String.fromCharCode(+code)),
	(text) => text.replace(/[0-9a-f]{16,}/gi, (hex) => Buffer.from(hex, 'hex').toString('latin1')),
	...[0, 1, 2, 3].map((from) => (text: string) => {
		const runs = text.match(/[\w+/-]{16,}/g) ?? [];
		return runs.map((run) => Buffer.from(run.slice(from), 'base64').toString('latin1')).join('\n');
	}),
];

/** So much of a secret in one piece gives it away. */
const PIECE = 12;

/**
 * Looks for a secret in a text, in whatever form and also for parts of it, and for one form inside another.
 * @returns what of it was found, undefined if nothing
 */
export function findLeak(text: string, secret: string): string | undefined {
	const core = secret.replace(/^(?:svc_(?:acct|inst)_|whsec_)/, '');
	const pieces = Array.from({ length: core.length - PIECE + 1 }, (_, at) =>
		core.slice(at, at + PIECE),
	);
	const readings = new Set([text]);
	for (const once of READINGS.map((read) => read(text))) {
		if (readings.has(once)) continue;
		readings.add(once);
		for (const read of READINGS) readings.add(read(once));
	}
	return pieces.find((piece) => [...readings].some((reading) => reading.includes(piece)));
}
