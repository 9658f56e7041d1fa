import { randomUUID } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { isObject } from './answer';
import { quote } from './plainText';
import { StreamedBody, type Part } from './streamedBody';

/** A file that an item holds, not yet read. */
export interface ItemFile {
	/** Without folders. */
	fileName: string;
	/** Such as `image/png`, without parameters. */
	mediaType: string;
	/** In bytes. */
	size: number;
	read(): AsyncIterable<Uint8Array>;
}

/** A file, and the field of the request that it goes into. */
export interface SentFile {
	field: string;
	file: ItemFile;
}

/**
 * A form (`multipart/form-data`) of text fields and files.
 *
 * @param fields what is no text goes as JSON, what is null or undefined is left out
 */
export function makeForm(fields: IDataObject, files: SentFile[]): StreamedBody {
	const boundary = `form-${randomUUID()}`;
	const openPart = (name: string, rest: string): string =>
		`--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"${rest}\r\n\r\n`;
	const texts = Object.entries(fields)
		.filter(([, value]) => value !== null && value !== undefined)
		.map(([name, value]) => {
			const text = typeof value === 'string' ? value : JSON.stringify(value);
			return `${openPart(name, '')}${text}\r\n`;
		});
	const parts = files.flatMap(({ field, file }): Part[] => [
		openPart(field, `; filename="${escapeName(file.fileName)}"\r\nContent-Type: ${file.mediaType}`),
		file,
		'\r\n',
	]);
	return new StreamedBody(
		[...texts, ...parts, `--${boundary}--\r\n`],
		`multipart/form-data; boundary=${boundary}`,
	);
}

/** As browsers do; nothing else may end a name or its line. */
function escapeName(name: string): string {
	return name.replace(/["\p{Cc}]/gu, encodeURIComponent);
}

/**
 * A body of JSON with files in it as base64, encoded while they are sent.
 *
 * @param body is left as it is
 * @param asDataUrl puts `data:<type>;base64,` in front of each
 * @throws Error in a person's words if there is no place for a file
 */
export function makeJson(
	body: unknown,
	files: SentFile[],
	{ asDataUrl }: { asDataUrl: boolean },
): StreamedBody {
	const mark = randomUUID();
	const marked = files.reduce(
		(whole: unknown, { field }, index) =>
			placeFile(whole, field.split('.'), `${mark}${index}`, field),
		body,
	);
	const [first, ...others] = JSON.stringify(marked).split(`"${mark}`);
	if (others.length !== files.length) {
		throw new Error('Two files go to the same place in the body. Give each a field of its own.');
	}
	const parts = others.flatMap((other): Part[] => {
		const [index] = other.split('"', 1);
		const { file } = files[Number(index)];
		const prefix = asDataUrl ? `data:${file.mediaType};base64,` : '';
		return [`"${prefix}`, encode(file), other.slice(index.length)];
	});
	return new StreamedBody([first, ...parts], 'application/json');
}

function placeFile(
	whole: unknown,
	[name, ...rest]: string[],
	value: string,
	field: string,
): unknown {
	if (name === undefined) return value;
	if (Array.isArray(whole) && /^\d+$/.test(name) && Number(name) <= whole.length) {
		const elements: unknown[] = [...(whole as unknown[])];
		elements[Number(name)] = placeFile(elements[Number(name)], rest, value, field);
		return elements;
	}
	if (!isObject(whole ?? {})) {
		throw new Error(
			`The body has no place for a file in ${quote(field)}. Correct Request Field Name, or the value that Body has there.`,
		);
	}
	const object = (whole ?? {}) as Record<string, unknown>;
	const inner = Object.hasOwn(object, name) ? object[name] : undefined;
	return { ...object, [name]: placeFile(inner, rest, value, field) };
}

function encode({ size, read }: ItemFile): Part {
	return {
		size: 4 * Math.ceil(size / 3),
		async *read() {
			let left = Buffer.alloc(0);
			for await (const chunk of read()) {
				const bytes = Buffer.concat([left, chunk]);
				const whole = bytes.length - (bytes.length % 3);
				left = bytes.subarray(whole);
				yield Buffer.from(bytes.toString('base64', 0, whole), 'latin1');
			}
			yield Buffer.from(left.toString('base64'), 'latin1');
		},
	};
}
