import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { projectFolder } from '../../../host/places';

// A rule of our own: whoever searches for a function or a type by its name finds one.

/** The names of the functions and types in a source: those of classes' methods, which an object qualifies, aside. */
function namesIn(source: string): string[] {
	const names: string[] = [];
	const visit = (node: ts.Node): void => {
		const { name } = node as ts.NamedDeclaration;
		const isType = ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node);
		const isNamed = isType || ts.isClassDeclaration(node) || ts.isFunctionDeclaration(node);
		const holdsFunction =
			ts.isVariableDeclaration(node) &&
			node.initializer !== undefined &&
			(ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer));
		if ((isNamed || holdsFunction) && name && ts.isIdentifier(name)) names.push(name.text);
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true));
	return names;
}

/** The names that stand more than once in some sources. */
function findTwice(sources: string[]): string[] {
	const names = sources.flatMap(namesIn);
	return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))].sort();
}

it('no function or type name stands twice', () => {
	const folders = ['nodes', 'credentials'].map((name) => join(projectFolder, name));
	const sources = folders.flatMap((folder) =>
		readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.map((file) => readFileSync(join(folder, file), 'utf8')),
	);
	expect(findTwice(sources)).toEqual([]);
});

it.each([
	['two functions', 'function read() {}', 'const read = () => 1;'],
	['a type and an interface', 'type read = string;', 'export interface read {}'],
	[
		'a function within another',
		'async function read() {}',
		'class A { b() { const read = function () {}; } }',
	],
])('%s of one name are noticed', (_what, ...sources) => {
	expect(findTwice(sources)).toEqual(['read']);
});

it('a method, a parameter and a value may be called as a function is', () => {
	const others = 'class A { read() {} } const b = (read: number) => read; { const read = 1; }';
	expect(findTwice(['function read() {}', others])).toEqual([]);
});
