import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../../host/places';
import { putAmong } from '../aroundScript';

// `npm run bench`, around measurements that come out as told.

const script = join('tools', 'bench', 'run.ts');
const measuring = (...names: string[]) =>
	names
		.map(
			(name) => `export const ${name} = async (...args) => {
				if (process.env.BAD === '${name}') throw new Error('It broke: ${name}');
				return [{ what: '${name} ' + JSON.stringify(args.slice(typeof args[0] === 'object' ? 1 : 0)) }];
			};`,
		)
		.join('\n');
const folder = putAmong(script, {
	'host/host.ts': `export const startHost = async (options) => {
		console.log('host', JSON.stringify(options));
		return { stop: async () => console.log('stopped') };
	};`,
	'tools/bench/bulk.ts': 'export const LATENCY_MS = 50;',
	'tools/bench/receiving.ts': measuring(
		'measureNodes',
		'measureReceiving',
		'measureSharing',
		'measureSizes',
	),
	'tools/bench/rememberedIds.ts': measuring('measureRememberedIds'),
	'tools/bench/sending.ts': measuring('measureSending'),
	'tools/bench/startUp.ts': measuring('measureStartUp'),
	'tools/bench/verification.ts': measuring('measureVerification'),
	'tools/bench/report.ts': `export const compose = (sections, quick) => JSON.stringify({
		quick, sections: sections.map(({ title, figures }) => [title, figures[0].what]),
	});`,
});
const results = join(folder, 'tools', 'bench', 'RESULTS.md');

afterEach(() => rmSync(results, { force: true }));

function bench(args: string[], env: Record<string, string> = {}) {
	return spawnSync(process.execPath, ['--import', 'tsx', join(folder, script), ...args], {
		cwd: projectFolder,
		encoding: 'utf8',
		timeout: 60_000,
		env: { ...process.env, ...env },
	});
}

const count = (text: string, part: string) => text.split(part).length - 1;

it('stops each n8n that it has started, and writes the report', () => {
	const { status, stdout } = bench([]);
	expect(status).toBe(0);
	expect(JSON.parse(readFileSync(results, 'utf8'))).toMatchObject({ quick: false });
	expect(count(stdout, 'host {')).toBeGreaterThan(0);
	expect(count(stdout, 'stopped')).toBe(count(stdout, 'host {'));
});

it.each([
	[['--quick'], 9, true],
	[['--only', 'RECEIVING'], 2, false],
])('with %j it writes nothing', (args, sections, quick) => {
	const { status, stdout } = bench(args);
	expect(status).toBe(0);
	const report = JSON.parse(stdout.slice(stdout.lastIndexOf('\n{'))) as { sections: unknown[] };
	expect(report).toMatchObject({ quick });
	expect(report.sections).toHaveLength(sections);
	expect(existsSync(results)).toBe(false);
});

it('ends with 1 if a measurement breaks, stops its n8n, and leaves the old report alone', () => {
	const { status, stdout, stderr } = bench([], { BAD: 'measureSharing' });
	expect(status).toBe(1);
	expect(stderr).toContain('It broke: measureSharing');
	expect(count(stdout, 'stopped')).toBe(3);
	expect(existsSync(results)).toBe(false);
});
