/**
 * The values in an array, in a text that separates them by commas, or in both: as the editor stores them, as
 * people type them and as expressions give them. What is neither text nor number is no value.
 */
export function splitCommas(values: unknown): string[] {
	return [values]
		.flat()
		.flatMap((part) =>
			typeof part === 'string' || typeof part === 'number' ? String(part).split(',') : [],
		)
		.map((value) => value.trim())
		.filter((value) => value !== '');
}
