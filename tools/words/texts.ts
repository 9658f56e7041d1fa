import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { projectFolder } from '../../host/places';

/** Something that a person sees, in the editor, in n8n's log, on a canvas or on a page of the demo. */
export interface ShownText {
	/** Its file, from the folder of the project. */
	file: string;
	line: number;
	/** Where a value is put in, it has `…`. */
	text: string;
}

/** Keys of workflows whose values people read. */
const NOTES = new Set([
	'content',
	'notes',
	'formTitle',
	'formDescription',
	'message',
	'text',
	'html',
	'subject',
]);

/** Code or the name of something: one word, a path, a query of the editor. */
const IS_NAME = /^[^\s]*$/;

/** All texts that people see, as they stand in the sources: a text is a string with a space in it. */
export function listTexts(): ShownText[] {
	return [
		...listFiles(['nodes', 'credentials', 'tools/demo', 'simulator/page'], /\.[jt]s$/).flatMap(
			readStrings,
		),
		...listFiles(['examples', 'tools/demo'], /\.json$/).flatMap(readNotes),
		...listFiles(['simulator/page', 'tools/demo'], /\.html$/).flatMap(readHtml),
	].filter(({ text }) => !IS_NAME.test(text.trim()));
}

function listFiles(folders: string[], names: RegExp): string[] {
	return folders.flatMap((folder) =>
		readdirSync(join(projectFolder, folder), { encoding: 'utf8', recursive: true })
			.filter((name) => names.test(name))
			.sort()
			.map((name) => `${folder}/${name}`),
	);
}

/** The strings of a source: literals and templates, but for what it imports. */
function readStrings(file: string): ShownText[] {
	const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
	const found: ShownText[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isImportDeclaration(node) || ts.isRegularExpressionLiteral(node)) return;
		const text = textOf(node);
		if (text !== undefined) {
			const { line } = source.getLineAndCharacterOfPosition(node.getStart());
			found.push({ file, line: line + 1, text });
		}
		node.forEachChild(visit);
	};
	visit(source);
	return found;
}

function textOf(node: ts.Node): string | undefined {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…');
}

function readNotes(file: string): ShownText[] {
	const found: ShownText[] = [];
	const lines = read(file).split('\n');
	for (const [index, line] of lines.entries()) {
		const [, key, value] = /^\s*"(\w+)": (".*"),?$/.exec(line) ?? [];
		if (NOTES.has(key)) found.push({ file, line: index + 1, text: JSON.parse(value) as string });
	}
	return found;
}

function readHtml(file: string): ShownText[] {
	return read(file)
		.split('\n')
		.map((line, index) => ({ file, line: index + 1, text: line.replace(/<[^>]*>/g, '').trim() }));
}

function read(file: string): string {
	return readFileSync(join(projectFolder, file), 'utf8');
}
