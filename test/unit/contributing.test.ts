import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../host/places';

it('shows all lines of an endpoint as they stand in the code', () => {
	const [, diff] = /^```diff\n(.*?)^```/ms.exec(
		readFileSync(join(projectFolder, 'CONTRIBUTING.md'), 'utf8'),
	)!;
	const { stderr } = spawnSync('git', ['apply', '--check', '--reverse', '-'], {
		cwd: projectFolder,
		input: diff,
		encoding: 'utf8',
	});
	expect(stderr).toBe('');
});
