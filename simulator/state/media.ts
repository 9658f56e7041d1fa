/** A picture or a recording, as a file. */
export interface MediaFile {
	fileName: string;
	mediaType: string;
	base64: string;
}

const LOAF = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200" viewBox="0 0 320 200">
<rect width="320" height="200" fill="#f4efe6"/><ellipse cx="160" cy="108" rx="112" ry="58" fill="#b9722f"/>
<path d="M98 82l24 46M148 72l24 62M200 76l20 52" stroke="#f0d9b5" stroke-width="9" stroke-linecap="round"/></svg>`;

/** A picture for whoever has none at hand: a loaf of bread. */
export function drawLoaf(): MediaFile {
	return {
		fileName: 'loaf.svg',
		mediaType: 'image/svg+xml',
		base64: Buffer.from(LOAF).toString('base64'),
	};
}

const SAMPLES_PER_SECOND = 8_000;
/** The value of an 8-bit sample that is not heard. */
const SILENCE = 0x80;

/**
 * A voice message: half a second of silence (WAV, mono, 8 bits), with the words as its comment. Nobody has to speak, and
 * whatever stands in for a transcription finds them there.
 */
export function recordVoice(words: string): MediaFile {
	const format = Buffer.alloc(16);
	format.writeUInt16LE(1, 0);
	format.writeUInt16LE(1, 2);
	format.writeUInt32LE(SAMPLES_PER_SECOND, 4);
	format.writeUInt32LE(SAMPLES_PER_SECOND, 8);
	format.writeUInt16LE(1, 12);
	format.writeUInt16LE(8, 14);
	const comment = Buffer.concat([Buffer.from('INFO'), makeChunk('ICMT', Buffer.from(words))]);
	const parts = [
		Buffer.from('WAVE'),
		makeChunk('fmt ', format),
		makeChunk('LIST', comment),
		makeChunk('data', Buffer.alloc(SAMPLES_PER_SECOND / 2, SILENCE)),
	];
	return {
		fileName: 'voice-message.wav',
		mediaType: 'audio/wav',
		base64: makeChunk('RIFF', Buffer.concat(parts)).toString('base64'),
	};
}

/** A part of a RIFF file: its name, its length, its content, and a zero if the length is odd. */
function makeChunk(name: string, content: Buffer): Buffer {
	const head = Buffer.alloc(8, name);
	head.writeUInt32LE(content.length, 4);
	return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}
