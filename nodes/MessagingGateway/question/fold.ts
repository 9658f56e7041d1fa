const FULL_WIDTH = /[！-～]/g;
/** Of letters; not those that strike a letter out. */
const ACCENTS = /[\u0300-\u030c\u0311\u031b\u0323-\u0331]/g;
const VARIATION = /[\ufe0e\ufe0f]/g;
const SKIN_TONE = /(?<=\p{Emoji_Modifier_Base})\p{Emoji_Modifier}/gu;
const KEYCAP = /(?<=[0-9])\u20e3/g;
const EMOJI = /\p{Extended_Pictographic}(?:\u200d\p{Extended_Pictographic})*/gu;
const APOSTROPHE = /(?<=\p{L})['’‘´`ʼ](?=\p{L})/gu;
const DASH = /[‐-―−]/g;
/** Between two words, or as in the ID of a button; elsewhere it may be a minus. */
const BETWEEN_WORDS = /(?<=[\p{L}\p{N}])(?: - |[-_])(?=[\p{L}\p{N}])/gu;
const PLAIN_PUNCTUATION = /[.,!:…¡]/g;
const SPACES = /\s+/g;

/**
 * What remains of a text where case, accents, skin tones and plain punctuation do not matter. Whatever else is in it
 * stays, such as a question mark or a minus. Emoji stand between spaces.
 */
export function foldAnswer(text: string): string {
	return text
		.replace(FULL_WIDTH, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
		.toLowerCase()
		.normalize('NFD')
		.replace(ACCENTS, '')
		.replace(VARIATION, '')
		.replace(SKIN_TONE, '')
		.replace(KEYCAP, '')
		.replace(EMOJI, ' $& ')
		.replace(APOSTROPHE, '')
		.replace(DASH, '-')
		.replace(SPACES, ' ')
		.replace(BETWEEN_WORDS, ' ')
		.replace(PLAIN_PUNCTUATION, ' ')
		.replace(SPACES, ' ')
		.trim();
}

/** What remains of a text where case and plain punctuation do not matter. */
export function foldCase(text: string): string {
	return text.toLowerCase().replace(PLAIN_PUNCTUATION, ' ').replace(SPACES, ' ').trim();
}

/** The letters and digits of a folded text alone. */
export function bare(folded: string): string {
	return folded.replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ').trim();
}
