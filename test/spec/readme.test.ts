import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../lab/host/places';

const page = readFileSync(join(projectFolder, 'README.md'), 'utf8');
const [, install] = page.split('\n## Install\n');

/** The blocks of shell under *Install*: on the computer of n8n, and in a container beside it. */
const [onComputer, inContainer] = [...install.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(
	([, block]) => block,
);

it('the container of Install runs the commands that the computer runs', () => {
	const inner = /sh -ec '\n([\s\S]*)'\n$/.exec(inContainer)?.[1] ?? '';

	expect(inner.replace(/^ {2}/gm, '')).toBe(onComputer.trimEnd());
});
