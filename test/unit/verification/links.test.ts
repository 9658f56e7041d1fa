import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectFolder } from '../../../host/places';

// What is checked of the documentation, in a project of these pages alone.

const folder = mkdtempSync(join(tmpdir(), 'links-'));
const TOO_LARGE = 200_000;

beforeAll(() => {
	const tools = join(folder, 'tools', 'verification');
	mkdirSync(tools, { recursive: true });
	mkdirSync(join(folder, 'host'));
	for (const name of ['links.ts', 'operationsTable.ts', 'command.ts'])
		cpSync(join(projectFolder, 'tools', 'verification', name), join(tools, name));
	cpSync(join(projectFolder, 'host', 'places.ts'), join(folder, 'host', 'places.ts'));
	symlinkSync(join(projectFolder, 'nodes'), join(folder, 'nodes'));
});

beforeEach(() => {
	for (const name of ['docs', 'examples', 'README.md'])
		rmSync(join(folder, name), { recursive: true, force: true });
});

afterAll(() => {
	rmSync(folder, { recursive: true, force: true });
});

/** What a check of the copied tools tells, or finds. */
async function look(file: string, check: string): Promise<string> {
	const place = join(folder, 'tools', 'verification', file);
	const checks = require(place) as Record<string, () => Promise<string>>;
	const isFinding = (error: Error) => error.constructor.name === 'Finding';
	return await checks[check]().catch((error: Error) => {
		if (!isFinding(error)) throw error;
		return `Found: ${error.message}`;
	});
}

const lookAtLinks = async () => await look('links.ts', 'checkLinks');
const lookAtTable = async () => await look('operationsTable.ts', 'checkOperationsTable');

function write(pages: Record<string, string>): void {
	for (const [name, text] of Object.entries(pages)) {
		mkdirSync(join(folder, dirname(name)), { recursive: true });
		writeFileSync(join(folder, name), text);
	}
}

const good = {
	'README.md': [
		'[a page](docs/page.md), [a heading](docs/page.md#two-words), [one here](#first-part)',
		'[elsewhere](https://example.com/none), ![a picture](docs/pictures/shown.png)',
		'## First part',
	].join('\n'),
	'docs/page.md': '# Page\n\n## Two words?\n\n[back](../README.md)',
	'docs/pictures/shown.png': 'x'.repeat(TOO_LARGE - 1),
};

it('passes pages whose links lead somewhere', async () => {
	write(good);
	expect(await lookAtLinks()).toBe('2 pages');
});

it.each([
	[
		'a link to no page',
		{ 'docs/page.md': '## Two words\n[x](README.md)' },
		'docs/page.md links to README.md, which is not there.',
	],
	[
		'a link to no heading',
		{ 'docs/page.md': '## Other words' },
		'README.md links to docs/page.md#two-words, but no heading has this name.',
	],
	[
		'a page of the examples',
		{ 'examples/README.md': '[x](none.json)' },
		'examples/README.md links to none.json, which is not there.',
	],
	[
		'a picture that is too large',
		{ 'docs/pictures/shown.png': 'x'.repeat(TOO_LARGE) },
		'docs/pictures/shown.png has 200000 bytes; 200000 are too many.',
	],
	[
		'a picture that no page shows',
		{ 'docs/pictures/hidden.png': '' },
		'docs/pictures/hidden.png is shown nowhere.',
	],
])('finds %s', async (_what, changes, finding) => {
	write({ ...good, ...changes });
	expect(await lookAtLinks()).toBe(`Found: ${finding}`);
});

describe('the table of operations', () => {
	const page = 'Before\n<!-- operations -->\nold\n<!-- /operations -->\nAfter\n';

	it('that is stale is found, and passes once it was written anew', async () => {
		write({ 'docs/operations.md': page });
		expect(await lookAtTable()).toContain('The table of operations is stale.');
		// As `npm run operations` does.
		const script = join(folder, 'tools', 'verification', 'operationsTable.ts');
		const options = { cwd: projectFolder, timeout: 60_000 };
		expect(spawnSync(process.execPath, ['--import', 'tsx', script], options).status).toBe(0);
		expect(await lookAtTable()).toBe('');
	});

	it.each([
		['begin', page.replace('<!-- operations -->', '')],
		['end', page.replace('<!-- /operations -->', '')],
	])('has no place without the mark of its %s', async (_what, text) => {
		write({ 'docs/operations.md': text });
		expect(await lookAtTable()).toMatch(/^Found: .+ lacks the markers /);
	});
});
