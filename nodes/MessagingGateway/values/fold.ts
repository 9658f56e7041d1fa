const INVISIBLE =
	/[\p{Variation_Selector}\u20E3\p{Emoji_Modifier}\p{Bidi_Control}\p{Join_Control}]/gu;
/** Latin letters that Unicode does not split into a letter and a mark. */
const WHOLE: Record<string, string> = { đ: 'd', ħ: 'h', ł: 'l', ø: 'o', æ: 'ae', œ: 'oe' };

/** Unicode's normal forms take a time that grows with the square of the marks in a row. */
const MAX_LENGTH = 500;

/** Writes the digits of any script, which has its ten in a row, as 0 to 9. */
export function latinizeDigits(text: string): string {
	return text.replace(/(?!\d)\p{Nd}/gu, (digit) => {
		const code = digit.codePointAt(0) ?? 0;
		let value = 0;
		while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
		return String(value % 10);
	});
}

/** A text in its compatibility form, with digits 0 to 9, and without invisible signs. */
export function toPlainForm(text: string): string {
	if (text.length > MAX_LENGTH) return text;
	return latinizeDigits(text.normalize('NFKC')).replace(INVISIBLE, '');
}

/** A text in lower case, without the marks of Latin letters, and without signs, for comparing. */
export function fold(text: string): string {
	if (text.length > MAX_LENGTH) return text;
	// In capitals ß is SS, and ı is I. ẞ is first made ß.
	const lower = toPlainForm(text).toLowerCase().toUpperCase().toLowerCase();
	const letters = lower.normalize('NFD').replace(/(\p{Script=Latin})\p{M}+/gu, '$1');
	return withoutSigns(letters.replace(/[đħłøæœ]/gu, (letter) => WHOLE[letter]));
}

/** Letters, marks and digits, or a text that has none as it is. */
export function withoutSigns(text: string): string {
	return text.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim() || text.trim();
}
