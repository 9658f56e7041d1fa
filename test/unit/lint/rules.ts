import type { ICredentialType, INodeProperties, INodeType } from 'n8n-workflow';
import ts from 'typescript';

// Rules of n8n's lint that are newer than the one of the registry, and of its guidelines for verified packages. Each
// looks at what the lint would see if the description stood in the source, and gives what it objects to.

/** Of the codex of a node, what the rules ask about. */
export interface Codex {
	categories?: string[];
	subcategories?: Record<string, string[]>;
}

/** Those that n8n has published for nodes of others. */
const CATEGORIES = [
	'Analytics',
	'Communication',
	'Data & Storage',
	'Development',
	'Finance & Accounting',
	'Marketing & Content',
	'Miscellaneous',
	'Productivity',
	'Sales',
	'Utility',
];
const LONGEST_HINT = 120;
const LEAST_CONTRAST = 3;
const BACKGROUNDS = { light: '#ffffff', dark: '#2b2b2b' };
const CONTAINERS = ['collection', 'fixedCollection'];
const WITHOUT_INPUT = ['callout', 'curlImport', 'hidden', 'notice'];
const SELECTORS = ['authentication', 'operation', 'resource'];
const REQUESTS = /\bhelpers\.httpRequest(?:WithAuthentication)?(?:\.call)?\(/g;

/** `no-codex-subcategories` */
export const findSubcategories = (codex: Codex) =>
	'subcategories' in codex ? ['subcategories'] : [];

/** `valid-node-categories` */
export const findUnknownCategories = ({ categories = [] }: Codex) =>
	categories.filter((category) => !CATEGORIES.includes(category));

/** `no-logic-or-flow-nodes` */
export const findLogicOrFlow = ({ categories = [], subcategories = {} }: Codex) =>
	[...categories, ...Object.keys(subcategories), ...Object.values(subcategories).flat()].filter(
		(category) => ['Flow', 'Logic'].includes(category),
	);

/** Every object in a description that is shown, however deep: parameters, modes, choices, groups. */
function listShown(elements: object[]): INodeProperties[] {
	return elements.flatMap((element) => {
		const { options = [], values = [], modes = [] } = element as Record<string, object[]>;
		return [element as INodeProperties, ...listShown([...options, ...values, ...modes])];
	});
}

/** `hint-max-length` */
export const findLongHints = (properties: INodeProperties[]) =>
	listShown(properties).flatMap(({ hint = '' }) => (hint.length > LONGEST_HINT ? [hint] : []));

/** `open-ended-node-fields` */
export const findOpenEnded = (properties: INodeProperties[]) =>
	properties.filter(({ type, required }) => type === 'json' && !required).map(({ name }) => name);

/** `non-required-fields-in-collection` */
export const findOptionalOutside = (properties: INodeProperties[]) =>
	properties
		.filter(({ required }) => !required)
		.filter(({ name, type }) => !SELECTORS.includes(name) && !CONTAINERS.includes(type))
		.filter(({ type }) => !WITHOUT_INPUT.includes(type))
		.map(({ name }) => name);

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
	visit(node);
	ts.forEachChild(node, (child) => walk(child, visit));
}

const parse = (source: string) =>
	ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);

/** What is called by a name: a method, a function, a property that holds one. */
function bodiesOf(source: string, names: string[]): Array<{ name: string; body: ts.Node }> {
	const found: Array<{ name: string; body: ts.Node }> = [];
	walk(parse(source), (node) => {
		const { name } = node as ts.NamedDeclaration;
		if (name && ts.isIdentifier(name) && names.includes(name.text))
			found.push({ name: name.text, body: node });
	});
	return found;
}

/** `no-silent-error-swallowing` */
export function findSwallowed(source: string): string[] {
	const tellsNothing = (statement: ts.Statement) =>
		ts.isReturnStatement(statement) && /^return( true| false)?;?$/.test(statement.getText());
	return bodiesOf(source, ['checkExists', 'create', 'delete']).flatMap(({ name, body }) => {
		const found: string[] = [];
		walk(body, (node) => {
			if (ts.isCatchClause(node) && node.block.statements.every(tellsNothing)) found.push(name);
		});
		return found;
	});
}

/** `prefer-declarative-style` */
export function findMerelyDeclarative(source: string): string[] {
	return bodiesOf(source, ['execute'])
		.filter(({ body }) => {
			const text = body.getText();
			const isPlain = !/binary|cursor|offset|page|pagination|returnAll/i.test(text);
			return isPlain && /\bfor \(/.test(text) && text.match(REQUESTS)?.length === 1;
		})
		.map(({ name }) => name);
}

/** Relative luminance, as WCAG has it. */
function luminanceOf(color: string): number {
	const [red, green, blue] = [1, 3, 5]
		.map((at) => parseInt(color.slice(at, at + 2), 16) / 255)
		.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From 1 to 21, as WCAG has it. A color that is written in another way than `#rrggbb` counts for nothing. */
export function contrastOf(svg: string, theme: keyof typeof BACKGROUNDS): number {
	const paints = [...svg.matchAll(/\b(?:fill|stroke|stop-color)\s*[=:]\s*["']?([^"';>]+)/gi)];
	const colors = paints.length > 0 ? paints.map(([, paint]) => paint.trim()) : ['#000000'];
	const ratios = colors
		.filter((color) => /^#[0-9a-f]{6}$/i.test(color))
		.map((color) => {
			const both = [luminanceOf(color), luminanceOf(BACKGROUNDS[theme])];
			return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
		});
	return Math.max(1, ...ratios);
}

/** `icon-contrast`, at the 3 to 1 that WCAG wants of graphics: n8n's own default is half of that. */
export const findFaint = (icons: Record<keyof typeof BACKGROUNDS, string>) =>
	(['light', 'dark'] as const).filter((theme) => contrastOf(icons[theme], theme) < LEAST_CONTRAST);

/** n8n's guidelines: what has a list begins with it. */
export const findListNotFirst = (properties: INodeProperties[]) =>
	properties
		.filter(({ modes }) => modes?.some(({ type }) => type === 'list'))
		.filter(({ modes }) => modes?.[0].type !== 'list')
		.map(({ name }) => name);

const isTitle = (text: string) =>
	text.split(/[\s(]+/).every((word, index) => {
		const isSmall = index > 0 && /^(a|an|and|as|at|by|for|in|of|on|or|per|the|to|with)$/.test(word);
		return isSmall || !/^[a-z]/.test(word);
	});

/** n8n's guidelines: names of fields are in Title Case. */
export const findNotTitled = (properties: INodeProperties[]) =>
	listShown(properties)
		.filter(({ type, displayName }) => type !== 'notice' && displayName && !isTitle(displayName))
		.map(({ displayName }) => displayName);

/** n8n's guidelines: an action is in sentence case, without articles. */
export const findWrongActions = (properties: INodeProperties[]) =>
	listShown(properties)
		.map((shown) => String((shown as { action?: string }).action ?? ''))
		.filter((action) => /\b(a|an|the)\b/i.test(action) || /^[a-z]|.\b[A-Z][a-z]/.test(action));

/** n8n's guidelines: a placeholder is an example; that of a collection says what is added. */
export const findWrongPlaceholders = (properties: INodeProperties[]) =>
	listShown(properties).flatMap(({ type, placeholder = '' }) => {
		const wanted = CONTAINERS.includes(type)
			? /^Add /
			: type === ('list' as never)
				? /^Select /
				: /^e\.g\. /;
		return placeholder === '' || wanted.test(placeholder) ? [] : [placeholder];
	});

/** n8n's guidelines: what a switch does begins with "Whether". */
export const findWrongSwitches = (properties: INodeProperties[]) =>
	listShown(properties)
		.filter(
			({ type, description = '' }) => type === 'boolean' && !description.startsWith('Whether '),
		)
		.map(({ name }) => name);

/** n8n's guidelines: these words frighten people. */
export const findFrightening = (properties: INodeProperties[]) =>
	listShown(properties)
		.flatMap(({ displayName, description, hint, placeholder }) => [
			displayName,
			description,
			hint,
			placeholder,
		])
		.filter((text) => text !== undefined && /\b(error|problem|failure|mistake)s?\b/i.test(text));

/** n8n's guidelines: what is secret is hidden. */
export const findUnhidden = (properties: INodeProperties[]) =>
	properties
		.filter(
			({ name, typeOptions }) => /token|secret|password/i.test(name) && !typeOptions?.password,
		)
		.map(({ name }) => name);

/** `trigger-node-conventions`, and n8n's guidelines: a trigger is no tool, and its webhook has a whole life. */
export function findHalfTrigger({
	description: { displayName, name, inputs, usableAsTool },
	webhookMethods,
}: Pick<INodeType, 'description' | 'webhookMethods'>): string[] {
	const hooks = Object.keys(webhookMethods?.default ?? {});
	return [
		...[displayName, name].filter((text) => !text.endsWith('Trigger')),
		...(usableAsTool === undefined ? [] : ['usableAsTool']),
		...(inputs.length === 0 ? [] : ['inputs']),
		...['checkExists', 'create', 'delete'].filter((hook) => !hooks.includes(hook)),
	];
}

/** n8n's guidelines: a credential is tried when it is saved, by itself or by a node, and has an icon for each theme. */
export const findBareCredential = (
	{ name, icon, test }: Pick<ICredentialType, 'name' | 'icon' | 'test'>,
	triedByNodes: string[],
) => [
	...(test !== undefined || triedByNodes.includes(name) ? [] : ['test']),
	...(typeof icon === 'object' ? [] : ['icon']),
];
