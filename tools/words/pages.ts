import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../host/places';

/** A sentence of more words has to be read twice. */
export const LONGEST = 20;

/** Less is a label, as in most cells of tables. */
const FEWEST = 4;

/** A sentence of a page, without its Markdown. */
export interface Sentence {
	/** Its file, from the folder of the project. */
	page: string;
	/** The line in which its paragraph, item or row begins. */
	line: number;
	text: string;
	words: number;
}

/** The pages that people read, the README first. */
export function listPages(): string[] {
	const docs = readdirSync(join(projectFolder, 'docs'), { encoding: 'utf8', recursive: true })
		.filter((name) => name.endsWith('.md'))
		.sort()
		.map((name) => `docs/${name}`);
	return ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'examples/README.md', ...docs];
}

export function readPage(page: string): string {
	return readFileSync(join(projectFolder, page), 'utf8');
}

/** The sentences of a page: those of paragraphs, of items of lists, and of cells of tables. */
export function readSentences(page: string, markdown = readPage(page)): Sentence[] {
	return readBlocks(markdown).flatMap(({ line, text }) =>
		splitSentences(toPlain(text)).map((sentence) => ({
			page,
			line,
			text: sentence,
			words: countWords(sentence),
		})),
	);
}

/** Sentences end with a mark, and the next one begins with a capital or a digit. */
export function splitSentences(text: string): string[] {
	return text
		.split(/(?<=[.!?…]["”’)]*)(?<!\b(?:e\.g|i\.e)\.)\s+(?=["“‘(]*(?:n8n|npm|[\p{Lu}\d]))/u)
		.map((sentence) => sentence.trim())
		.filter((sentence) => countWords(sentence) >= FEWEST);
}

/** How many words a sentence has: what holds no letter and no digit is none. */
export function countWords(sentence: string): number {
	return sentence.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length;
}

/** What is one piece for its reader, with the line in which it begins. */
function readBlocks(markdown: string): Array<{ line: number; text: string }> {
	const blocks: Array<{ line: number; text: string }> = [];
	let isCode = false;
	let isNew = true;
	for (const [index, raw] of markdown.split('\n').entries()) {
		const text = raw.trim();
		if (text.startsWith('```')) isCode = !isCode;
		const isNone = isCode || text === '' || /^(```|#|<!--|!\[|\|[-| ]+$)/.test(text);
		const begin = (piece: string): number => blocks.push({ line: index + 1, text: piece });
		if (isNone) isNew = true;
		else if (text.startsWith('|')) text.split(/(?<!\\)\|/).forEach(begin);
		else if (isNew || /^([-*]|\d+\.) /.test(text)) begin(text.replace(/^([-*]|\d+\.) /, ''));
		else blocks[blocks.length - 1].text += ` ${text}`;
		if (!isNone) isNew = text.startsWith('|');
	}
	return blocks.filter(({ text }) => text.trim() !== '');
}

/** Without links, emphasis and the marks of code: what stands in code counts as one word. */
function toPlain(markdown: string): string {
	return markdown
		.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replace(/`([^`]*)`/g, (_, code: string) => code.replace(/\s+/g, ' '))
		.replace(/\*+/g, '');
}
