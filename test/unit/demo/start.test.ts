import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { projectFolder } from '../../../host/places';
import { putAmong } from '../aroundScript';

// `npm start` and `npm start -- --check`, around a stage that comes up, answers and stops as told.

const script = join('tools', 'demo', 'start.ts');
const folder = putAmong(script, {
	'tools/demo/stage.ts': `
		export const openStage = async ({ folder }) => {
			console.log('opens', folder);
			if (process.env.BAD === 'stage') throw new Error('It does not open.');
			const stop = async () => console.log('stops');
			const workflow = process.env.BAD === 'deleted' ? undefined : { id: '7', isPublished: process.env.BAD !== 'unpublished' };
			return { workflow, stop };
		};`,
	'tools/demo/check.ts': `
		export const checkReply = async (_stage, id, tell) => {
			tell('Wrote to ' + id);
			if (process.env.BAD === 'reply') throw new Error('No reply came.');
		};`,
	'tools/demo/present.ts': `
		export const introduce = () => 'Here it is';
		export const stopOnSignal = () => console.log('stops on a signal');`,
});

function start(args: string[], BAD = '') {
	return spawnSync(process.execPath, ['--import', 'tsx', join(folder, script), ...args], {
		cwd: projectFolder,
		encoding: 'utf8',
		timeout: 60_000,
		env: { ...process.env, BAD },
	});
}

it('presents the demo with the data of the folder named', () => {
	const { status, stdout } = start(['--data', '/data']);
	expect(stdout).toMatch(/\nopens \/data\nstops on a signal\nHere it is\n$/);
	expect(status).toBe(0);
});

it('that only tries itself out ends well, and leaves nothing running', () => {
	const { status, stdout } = start(['--check']);
	expect(stdout).toMatch(/\n✓ Wrote to 7 \(\d.\d s\)\nstops\nThe demo works \(\d.\d s\)\.\n$/);
	expect(status).toBe(0);
});

it.each([
	['reply', 'No reply came.'],
	['unpublished', 'is no longer published here'],
	['deleted', 'is no longer published here'],
])('a try that finds fault ends with 1, says why, and leaves nothing running: %s', (bad, why) => {
	const { status, stdout, stderr } = start(['--check'], bad);
	expect(stdout).toMatch(/\nstops\n$/);
	expect(stderr).toContain(why);
	expect(status).toBe(1);
});

it('a demo that does not open ends with 1, and says why without a trace', () => {
	const { status, stderr } = start([], 'stage');
	expect(stderr).toBe('\nIt does not open.\n');
	expect(status).toBe(1);
});
