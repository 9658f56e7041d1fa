import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { TOKENS } from '../../nodes/MessagingGateway/api/secrets';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { resources } from '../../nodes/MessagingGateway/operations';

const SOURCE = join(__dirname, '../../nodes/MessagingGateway/MessagingGateway.node.ts');

const { description, methods, webhookMethods } = new MessagingGateway();

describe('the action node', () => {
	it('has the method of each list, and of each test of a credential', () => {
		const listed = new Set(
			description.properties.flatMap(({ modes = [] }) =>
				modes.flatMap((mode) => mode.typeOptions?.searchListMethod ?? []),
			),
		);
		expect([...listed].sort()).toEqual(Object.keys(methods.listSearch).sort());
		const loaded = new Set(
			description.properties.flatMap((property) => property.typeOptions?.loadOptionsMethod ?? []),
		);
		expect([...loaded].sort()).toEqual(Object.keys(methods.loadOptions).sort());
		const tests = description.credentials?.map(({ testedBy }) => testedBy).sort();
		expect(tests).toEqual(Object.keys(methods.credentialTest).sort());
	});

	it('shows the credential of each resource, chosen by literals as n8n’s lint demands (single-credential-per-node)', () => {
		const shown = description.credentials?.flatMap(({ name, displayOptions }) =>
			Object.entries(displayOptions?.show ?? {}).flatMap(([key, values]) =>
				[values ?? []].flat().map((resource) => [key, resource, name]),
			),
		);
		const wanted = resources.map(({ value, tokenKind }) => [
			'/resource',
			value,
			TOKENS[tokenKind].credential,
		]);
		expect(shown?.sort()).toEqual(wanted.sort());
		expect(readLiterals('/resource').sort()).toEqual(wanted.map(([, value]) => value).sort());
	});

	it('lets n8n register no webhook, although it receives answers', async () => {
		expect(description.webhooks).toEqual([expect.objectContaining({ restartWebhook: true })]);
		const { checkExists, create, delete: remove } = webhookMethods.default;
		expect(await Promise.all([checkExists(), create(), remove()])).toEqual([true, true, true]);
	});

	it('can be a tool, with a description that a model can read whole', () => {
		expect(description.usableAsTool).toBe(true);
		expect(JSON.stringify(description.properties).length).toBeLessThan(45_000);
	});

	it('says under its name and while it waits what it does', () => {
		const evaluate = (expression: unknown, operation: string): unknown =>
			new Function('$parameter', `return ${/^=\{\{(.*)\}\}$/.exec(String(expression))?.[1]}`)({
				resource: 'message',
				operation,
			});
		expect(evaluate(description.subtitle, 'sendText')).toBe('sendText: message');
		const tooltips = ['sendAndWait', 'sendText'].map((operation) =>
			evaluate(description.waitingNodeTooltip, operation),
		);
		expect(tooltips).toEqual([expect.stringContaining('when the person answers'), '']);
	});
});

/** The literals in the arrays of this name; n8n's lint reads them in the source, and no expression. */
function readLiterals(name: string): string[] {
	const source = ts.createSourceFile(
		'node.ts',
		readFileSync(SOURCE, 'utf8'),
		ts.ScriptTarget.Latest,
	);
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		ts.forEachChild(node, visit);
		if (!ts.isPropertyAssignment(node) || !ts.isStringLiteral(node.name)) return;
		if (node.name.text !== name || !ts.isArrayLiteralExpression(node.initializer)) return;
		found.push(...node.initializer.elements.filter(ts.isStringLiteral).map(({ text }) => text));
	};
	visit(source);
	return found;
}
