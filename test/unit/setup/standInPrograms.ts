import { spawnSync } from 'node:child_process';
import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectFolder } from '../../../host/places';

/** Programs in place of the real ones, each of which notes how it was called, and the only ones on the path. */
export interface StandInPrograms {
	folder: string;
	bin: string;
	/** Beside noting its call, it does this, as a script of the shell. */
	add(name: string, script?: string): void;
	/** What was called since it was asked last, with its arguments. */
	calls(): string[];
	/** Runs a program of Node that imports these files of the set-up, and gives all that it prints. */
	run(imports: Record<string, string>, program: string, project?: string): string;
	remove(): void;
}

export function makePrograms(): StandInPrograms {
	const folder = mkdtempSync(join(tmpdir(), 'programs-'));
	const [bin, log] = [join(folder, 'bin'), join(folder, 'calls')];
	mkdirSync(bin);
	return {
		folder,
		bin,
		add(name, script = '') {
			writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >> ${log}\n${script}\n`);
			chmodSync(join(bin, name), 0o755);
		},
		calls() {
			const calls = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
			rmSync(log, { force: true });
			return calls;
		},
		run(imports, program, project = projectFolder) {
			const lines = Object.entries(imports).map(([file, names]) => {
				const url = pathToFileURL(join(project, 'tools', 'setup', file)).href;
				return `import { ${names} } from '${url}';`;
			});
			const { stdout, stderr } = spawnSync(
				process.execPath,
				['--input-type=module', '--eval', `${lines.join('\n')}\n${program}`],
				{
					encoding: 'utf8',
					timeout: 60_000,
					env: { PATH: `${bin}:/usr/bin:/bin`, MESSAGING_GATEWAY_CACHE: join(folder, 'cache') },
				},
			);
			return stdout + stderr;
		},
		remove: () => rmSync(folder, { recursive: true, force: true }),
	};
}
