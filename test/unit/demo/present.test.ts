import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectFolder } from '../../../host/places';
import { waitFor } from '../../../host/waiting';
import { choosePorts, USUAL_PORTS } from '../../../tools/demo/ports';
import { introduce } from '../../../tools/demo/present';
import type { Stage } from '../../../tools/demo/stage';

const usual = {
	gateway: { pageUrl: 'http://phone' },
	n8n: { url: 'http://n8n' },
	standIns: { mailPageUrl: 'http://mail' },
	workflow: { id: '7', isPublished: true },
	password: 'Secret12',
	folder: '/data',
	takenPorts: [],
};
const tell = (changes: object = {}) =>
	introduce({ ...usual, ...changes } as unknown as Stage, '9 s');
const move = { published: [], failed: [], moved: 0, removed: 0 };

it('says where everything is, and nothing of what is as it was', () => {
	const told = tell();
	for (const part of [
		'(9 s)',
		'http://phone',
		'http://n8n/home/workflows',
		'http://n8n/workflow/7',
	])
		expect(told).toContain(part);
	expect(told).toContain('and the password Secret12');
	expect(told).toContain('in /data. Ctrl-C stops all of it.');
	expect(told).toContain('the workflow answers it.');
	expect(told).not.toMatch(
		/unpublished|Another program|Published again|Changed to|Deleted at|could/i,
	);
	expect(told).not.toContain('\n\n\n');
});

it.each([
	[{ workflow: { id: '7', isPublished: false } }, 'You have unpublished it: it does not answer.'],
	[{ workflow: { id: '7', isPublished: false } }, 'what you have published answers it.'],
	[{ workflow: undefined }, 'what you have published answers it.'],
	[
		{ takenPorts: [{ what: 'smtp', wanted: 3102, instead: 20_001 }] },
		'Another program has port 3102, so the mail server is at port 20001 this time.',
	],
	[
		{ move: { ...move, published: ['A', 'B'] } },
		'Published again, because the address has changed: "A", "B".',
	],
	[{ move: { ...move, moved: 1 } }, 'Changed to the new address, for open questions: 1 webhook.'],
	[{ move: { ...move, moved: 2 } }, 'for open questions: 2 webhooks.'],
	[{ move: { ...move, removed: 1 } }, 'because they led to an old address: 1 webhook.'],
	[{ move: { ...move, removed: 2 } }, 'because they led to an old address: 2 webhooks.'],
	[
		{ move: { ...move, failed: ['A: No token'] } },
		'Could not be published again, so publish it in n8n: A: No token',
	],
])('says what is otherwise: %j', (changes, part) => {
	expect(tell(changes)).toContain(part);
	expect(tell({ ...changes, move: undefined, takenPorts: [] }) === tell(changes)).toBe(
		'workflow' in changes,
	);
});

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
	'%s stops everything, once, and that is a good end',
	async (signal) => {
		const url = pathToFileURL(join(projectFolder, 'tools', 'demo', 'present.ts')).href;
		const program = `
			import * as present from '${url}';
			let left = 20;
			const stop = async () => {
				console.log('stops');
				while (left-- > 0) await new Promise((resolve) => setTimeout(resolve, 10));
				console.log('stopped');
			};
			(present.stopOnSignal ?? present.default.stopOnSignal)({ stop });
			setInterval(() => {}, 1000);
			console.log('up');`;
		const args = ['--import', 'tsx', '--input-type=module', '--eval', program];
		const child = spawn(process.execPath, args, {
			cwd: projectFolder,
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		const ended = once(child, 'close');
		let said = '';
		child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
		await waitFor('it to be up', () => said.includes('up'));
		child.kill(signal);
		await waitFor('it to stop', () => said.includes('stops'));
		child.kill(signal);
		expect(await ended).toEqual([0, null]);
		expect(said).toBe('up\n\nStopping the demo …\nstops\nstopped\n');
	},
);

it('the usual ports are those that the documentation names', () => {
	expect(USUAL_PORTS).toEqual({
		n8n: 5678,
		gateway: 3100,
		standIns: 3101,
		smtp: 3102,
		redis: 3103,
	});
});

it('takes the wanted ports, another one for each that is taken, and says so', async () => {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	try {
		const free = { gateway: 0, standIns: 0, smtp: 0, redis: 0 };
		const { ports, taken } = await choosePorts({ n8n: port, ...free });
		expect(ports.n8n).not.toBe(port);
		expect(taken).toContainEqual({ what: 'n8n', wanted: port, instead: ports.n8n });
	} finally {
		server.close();
		await once(server, 'close');
	}
	const again = await choosePorts({
		n8n: port,
		gateway: port,
		standIns: port,
		smtp: port,
		redis: port,
	});
	expect(again.ports.n8n).toBe(port);
	expect(again.taken).toEqual([]);
});
