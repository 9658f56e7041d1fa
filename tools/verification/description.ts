import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeType } from 'n8n-workflow';
import { findPlace, projectFolder } from '../../host/places';
import { copyBesideTools, SHIPPED_SOURCES } from './scan';

const NODES = ['MessagingGateway', 'MessagingGatewayTrigger'];

// The first rule concerns the source alone. The menu of resources begins with messages, and goes on by name.
const NOT_ASKED = [
	'@typescript-eslint/no-unused-vars',
	'n8n-nodes-base/node-param-options-type-unsorted-items',
];

type Execute = (file: string, args: string[], cwd: string) => Promise<string>;

/**
 * n8n's lint over the nodes as n8n sees them: it reads source, and ours makes the menus and fields from a table. So
 * each description is printed into its class, in place of what makes it.
 * @throws with the findings of the lint
 */
export async function lintDescriptions(execute: Execute): Promise<void> {
	const copy = copyBesideTools(SHIPPED_SOURCES);
	try {
		const files = NODES.map((name) => {
			const file = join('nodes', 'MessagingGateway', `${name}.node.ts`);
			// By its full name: without the extension Node takes the codex beside it, which ends in `.json`.
			const classes = require(join(projectFolder, file)) as Record<string, new () => INodeType>;
			const printed = printInto(readFileSync(join(copy, file), 'utf8'), new classes[name]());
			writeFileSync(join(copy, file), printed);
			return file;
		});
		const eslint = join(findPlace('verification'), 'node_modules', '.bin', 'eslint');
		const off = NOT_ASKED.flatMap((rule) => ['--rule', `${rule}: off`]);
		await execute(eslint, ['--max-warnings', '0', ...off, ...files], copy);
	} finally {
		rmSync(copy, { recursive: true, force: true });
	}
}

function printInto(source: string, { description }: INodeType): string {
	const printed = JSON.stringify(description, undefined, '\t')
		// The lint wants n8n's own constant for it.
		.replaceAll('"main"', 'NodeConnectionTypes.Main')
		.replace(/^(\t*)"(\w+)":/gm, '$1$2:');
	const made = /(\tdescription: INodeTypeDescription = )\{[\s\S]*?\n\t\};/;
	if (!made.test(source))
		throw new Error('A node without a description of its own cannot be printed.');
	return source.replace(made, (_all, start: string) => `${start}${printed};`);
}
