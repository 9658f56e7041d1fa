/**
 * Stands in what is shipped for the base64 that the library brings along, and is as strict: every key has one text.
 *
 * @throws Error if a text is not base64, with its padding
 */
export function decode(text: string): Uint8Array {
	const bytes = Buffer.from(text, 'base64');
	if (bytes.toString('base64') !== text) throw new Error('This is not base64');
	return bytes;
}
