import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../../host/places';
import { putAmong } from '../aroundScript';

function run(file: string, args: string[] = [], env: Record<string, string> = {}) {
	return spawnSync(process.execPath, ['--import', 'tsx', file, ...args], {
		cwd: projectFolder,
		encoding: 'utf8',
		timeout: 60_000,
		env: { ...process.env, ...env },
	});
}

describe('npm run release:keep', () => {
	const script = join('tools', 'release', 'keep.ts');
	const folder = putAmong(script, {
		'host/places.ts':
			"import { join } from 'node:path';\nexport const projectFolder = join(__dirname, '..');",
		'host/lastRelease.ts': "export const lastReleaseTarball = __dirname + '/lastRelease.tgz';",
		'host/lastRelease.tgz': 'the last one',
		'host/packages.ts': `
			import { writeFileSync } from 'node:fs';
			export const packPackage = async (packed: string, into: string) => {
				if (process.env.BAD) throw new Error('It cannot be packed.');
				writeFileSync(into + '/package.tgz', 'packed of ' + packed);
				return into + '/package.tgz';
			};`,
		'tmp/.keep': '',
	});
	const kept = () => readFileSync(join(folder, 'host', 'lastRelease.tgz'), 'utf8');
	const keep = (env: Record<string, string> = {}) =>
		run(join(folder, script), [], { TMPDIR: join(folder, 'tmp'), ...env });

	it('leaves the last one alone, and fails, if the package cannot be packed', () => {
		expect(keep({ BAD: 'yes' }).status).toBe(1);
		expect(kept()).toBe('the last one');
	});

	it('puts the package as it is in its place, and says where', () => {
		const { status, stdout } = keep();
		expect(kept()).toBe(`packed of ${folder}`);
		expect(stdout).toContain(`Kept as ${join('host', 'lastRelease.tgz')}.`);
		expect(status).toBe(0);
		expect(readdirSync(join(folder, 'tmp')).filter((name) => name.startsWith('keep-'))).toEqual([]);
	});
});

describe('an n8n that is started alone', () => {
	const script = join('tools', 'release', 'startAlone.ts');
	const folder = putAmong(script, {
		'host/owner.ts': 'export const OWNER = {};',
		'host/api.ts': `
			export class N8nApi {
				cookie = 'a=1';
				async setUpOwner() { if (process.env.BAD === 'owner') throw new Error('No owner'); }
			}`,
		'host/n8n.ts': `
			import { createServer } from 'node:http';
			import { once } from 'node:events';
			export const startN8n = async (options: object) => {
				console.log('starts', JSON.stringify(options));
				const types = process.env.BAD === 'agent' ? ['other'] : ['other', '@n8n/n8n-nodes-langchain.agent'];
				const server = createServer(({ headers }, response) =>
					response.end(JSON.stringify(headers.cookie === 'a=1' ? types.map((name) => ({ name })) : [])));
				server.listen(0, '127.0.0.1');
				await once(server, 'listening');
				const { port } = server.address() as { port: number };
				return {
					url: 'http://127.0.0.1:' + port,
					log: () => 'its log',
					stop: async () => { console.log('stops'); server.closeAllConnections(); server.close(); },
				};
			};`,
	});

	it.each([
		['', 0, ''],
		['agent', 1, 'It has no @n8n/n8n-nodes-langchain.agent:\nits log'],
		['owner', 1, 'No owner'],
	])('%s ends with %i, and is stopped', (BAD, code, told) => {
		const { status, stdout, stderr } = run(join(folder, script), ['/n8n'], { BAD });
		expect(stdout).toBe('starts {"installation":"/n8n","packages":[]}\nstops\n');
		expect(stderr).toContain(told);
		expect(status).toBe(code);
	});
});
