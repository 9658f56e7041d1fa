import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { projectFolder } from '../../lab/host/places';

it('the demo answers the first message that is written into the phone', async () => {
	const args = ['--import', 'tsx', 'lab/demo/start.ts', '--check'];
	const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: projectFolder });
	expect(stdout).toContain('The demo works.');
});
