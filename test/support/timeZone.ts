import { runInThisContext } from 'node:vm';

/** Runs work on a machine in another time zone: jest gives a test a copy of `process.env`, which Node does not look at. */
export async function withTimeZone(zone: string, work: () => unknown): Promise<void> {
	const set = (name: string | undefined) =>
		runInThisContext(
			name === undefined ? 'delete process.env.TZ' : `process.env.TZ = ${JSON.stringify(name)}`,
		) as unknown;
	const before = runInThisContext('process.env.TZ') as string | undefined;
	set(zone);
	try {
		await work();
	} finally {
		set(before);
	}
}
