import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPlace, projectFolder } from '../../../host/places';

// What our pages quote of n8n's screen, held against the n8n that the tests run in: a new version may write it otherwise.

const PAGES = [
	'README.md',
	'SECURITY.md',
	'examples/README.md',
	...readdirSync(join(projectFolder, 'docs'))
		.filter((file) => file.endsWith('.md'))
		.map((file) => `docs/${file}`),
];

/** Texts of the editor. */
const EDITOR = [
	'Active',
	'Add first step…',
	'Add to workflow',
	'Boolean',
	'Community nodes',
	'Continue (using error output)',
	'Create credential',
	'Credentials',
	'Execute step',
	'Execute workflow',
	'Executions',
	'Expression',
	'From file',
	'From list',
	'Got it',
	'Human review',
	'Import',
	'Install',
	'On Error',
	'Production URL',
	'Publish',
	'Published',
	'Publishing…',
	'Retry',
	'Retry On Fail',
	'Save',
	'Session ID',
	'Some triggers could not be activated',
	'String',
	'Test this trigger',
	'Trigger manually',
	'Uninstall package',
	'Unpublish',
	'Webhook URLs',
	'What happens next?',
	'is not empty',
	'is true',
	'value1',
];

/** Names of n8n's own nodes, and of their fields. */
const NODES = [
	'Batch Size',
	'Error Trigger',
	'Loop Over Items',
	'Respond to Webhook',
	'Run once for each item',
	'Send Email',
	'Wait For Sub-Workflow Completion',
	'When Executed by Another Workflow',
];

const modules = join(findPlace('n8n'), 'node_modules');

/** All texts of the editor in English: of those with a plural, the singular. */
function readEditorTexts(): Set<string> {
	const assets = join(modules, 'n8n-editor-ui', 'dist', 'assets');
	const texts = new Set<string>();
	for (const file of readdirSync(assets).filter((name) => name.endsWith('.js'))) {
		const source = readFileSync(join(assets, file), 'utf8');
		if (!source.includes('"nodeView.canvasAddButton.addFirstStep":')) continue;
		for (const [, , text] of source.matchAll(/"[\w.$-]+":(["'`])((?:[^\\]|\\.)*?)\1/g))
			texts.add(text.split(' | ')[0]);
	}
	return texts;
}

const pages = PAGES.map((page) =>
	readFileSync(join(projectFolder, page), 'utf8').replace(/\s+/g, ' '),
);

/** Whether a page quotes a text, alone or as the end of a path such as *Settings → Community nodes*. */
function isQuoted(text: string): boolean {
	const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
	const quoted = new RegExp(`\\*([^*]* → )?${escaped}[.,:]?( → [^*]*)?\\*`);
	return pages.some((page) => quoted.test(page));
}

it('names every text of the editor as the editor does', () => {
	const texts = readEditorTexts();
	expect(texts.size).toBeGreaterThan(5_000);
	expect(EDITOR.filter((text) => !texts.has(text))).toEqual([]);
});

it("names n8n's own nodes and their fields as they are called", () => {
	const types = join(modules, 'n8n-nodes-base', 'dist', 'types', 'nodes.json');
	const names = new Set(
		[...readFileSync(types, 'utf8').matchAll(/"(?:displayName|name)":"([^"]*)"/g)].map(
			([, name]) => name,
		),
	);
	expect(NODES.filter((name) => !names.has(name))).toEqual([]);
});

it('holds nothing that no page quotes', () => {
	expect([...EDITOR, ...NODES].filter((text) => !isQuoted(text))).toEqual([]);
});
