import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { projectFolder } from '../../host/places';

it('answers the first message that is written into the phone', async () => {
	const args = ['--import', 'tsx', 'tools/demo/start.ts', '--check'];
	const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: projectFolder });
	expect(stdout).toContain('The demo works.');
});
