import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeType } from 'n8n-workflow';
import { projectFolder } from '../host/places';

const NODES = ['MessagingGateway', 'MessagingGatewayTrigger'];

/** The first rule concerns the source alone. The menu of resources begins with messages, and goes on by name. */
export const WITHOUT_RULES = [
	'@typescript-eslint/no-unused-vars',
	'n8n-nodes-base/node-param-options-type-unsorted-items',
]
	.map((rule) => `--rule "${rule}: off"`)
	.join(' ');

/**
 * Prepares n8n's lint, which reads sources, while ours make the menus and fields from a table: each description is printed
 * into its class, in place of what makes it.
 * @param copy of the shipped sources
 * @returns the files that have changed
 */
export function printDescriptions(copy: string): string[] {
	return NODES.map((name) => {
		const file = join('nodes', 'MessagingGateway', `${name}.node.ts`);
		// By its full name: without the extension Node takes the codex beside it, which ends in `.json`.
		const classes = require(join(projectFolder, file)) as Record<string, new () => INodeType>;
		const printed = printInto(readFileSync(join(copy, file), 'utf8'), new classes[name]());
		writeFileSync(join(copy, file), printed);
		return file;
	});
}

function printInto(source: string, { description }: INodeType): string {
	const printed = JSON.stringify(description, undefined, '\t')
		// The lint wants n8n's own constant for it.
		.replaceAll('"main"', 'NodeConnectionTypes.Main')
		// n8n writes its name with a small letter, and its lint has no such exception.
		.replaceAll('Ignore Messages From n8n', 'Ignore Messages From N8n')
		.replace(/^(\t*)"(\w+)":/gm, '$1$2:');
	const made = /(\tdescription: INodeTypeDescription = )\{[\s\S]*?\n\t\};/;
	if (!made.test(source))
		throw new Error('A node without a description of its own cannot be printed.');
	return source.replace(made, (_all, start: string) => `${start}${printed};`);
}
