/** Past jest, which would put the place of the call around it. */
export function print(text: string): void {
	process.stdout.write(`\n${text}\n\n`);
}
