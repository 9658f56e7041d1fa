import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '../../../host/places';
import { waitFor } from '../../../host/waiting';
import { makeNumbers, startSimulator, type SimulatorOptions } from '../../../simulator';
import { callGateway } from '../../../simulator/client';

// What outlives a stop, or a crash.

let folder: string;
let dataFile: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'kept-'));
	dataFile = join(folder, 'data.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const start = async (options: SimulatorOptions = {}) =>
	await startSimulator({ dataFile, ...options });
const text = () => readFileSync(dataFile, 'utf8');

it('is written soon after each change, for its owner alone', async () => {
	const simulator = await start();
	expect(statSync(dataFile).mode & 0o777).toBe(0o600);
	for (const change of [
		() => simulator.write('first message'),
		() => simulator.createWebhook({ url: 'http://127.0.0.1:1/hook', events: ['MESSAGE.SENT'] }),
		() => simulator.setConnection('BANNED', { reason: 'spam', expiresIn: 60 }),
	]) {
		const before = text();
		change();
		await waitFor('the file to be written', () => text() !== before);
	}
	for (const part of ['first message', 'http://127.0.0.1:1/hook', '"reason":"spam"'])
		expect(text()).toContain(part);
	expect(statSync(dataFile).mode & 0o777).toBe(0o600);
	await simulator.stop();
});

it('is all that belongs to the number and what it knows', async () => {
	const first = await start();
	const token = first.instanceToken;
	const post = async (path: string, body: object) =>
		await callGateway(first, 'POST', path, { token, body });
	const settings = {
		rejectCall: true,
		msgRejectCall: 'Please write',
		readMessages: true,
		ignoreGroups: true,
		ignoreStatus: true,
	};
	await post('/v1/instance/settings', settings);
	await post('/v1/profile/update-status', { status: 'Baking' });
	await post('/v1/communities/create', { name: 'Bakers' });
	await post('/v1/newsletters/create', { name: 'Recipes' });
	first.setConnection('BANNED', { reason: 'spam', expiresIn: 60 });
	const look = async ({ pageUrl, url }: { pageUrl: string; url: string }) => {
		const headers = { authorization: `Bearer ${token}` };
		const get = async (address: string) =>
			(await (await fetch(address, { headers })).json()) as { instance?: object };
		return [
			(await get(`${pageUrl}/simulator/state`)).instance,
			...(await Promise.all(
				['communities', 'newsletters', 'instance/settings'].map((path) => get(`${url}/v1/${path}`)),
			)),
		];
	};
	const before = await look(first);
	expect(before[0]).toMatchObject({
		ban: { reason: 'spam', expiresIn: 60 },
		profileStatus: 'Baking',
		settings,
	});
	await first.stop();
	const second = await start();
	expect(await look(second)).toEqual(before);
	await second.stop();
});

it('gives way to what a start names, but for numbers once made', async () => {
	const first = await start({ furtherNumbers: makeNumbers(2) });
	await first.stop();
	const second = await start({ accountToken: 'svc_acct_new', furtherNumbers: makeNumbers(1) });
	expect(second.accountToken).toBe('svc_acct_new');
	expect(second.instanceToken).toBe(first.instanceToken);
	expect(second.furtherNumbers).toEqual(first.furtherNumbers);
	await second.stop();
});

it('a gateway alone says where it is, and keeps its data when it is asked to end', async () => {
	const args = ['--import', 'tsx', 'simulator/main.ts', '--port', '0', '--data', dataFile];
	const child = spawn(process.execPath, [...args, '--groups', '7'], {
		cwd: projectFolder,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const ended = once(child, 'close');
	let said = '';
	child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
	const read = (name: string) => new RegExp(`^${name} +(\\S+)$`, 'm').exec(said)?.[1];
	const token = await waitFor('it to be up', () => read('Instance token'));
	const url = read('Base URL') ?? '';
	const call = async (path: string, init: RequestInit = {}) => {
		const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
		return await (await fetch(url + path, { headers, ...init })).json();
	};
	expect(await call('/v1/groups')).toMatchObject({ data: { length: 7 } });
	const body = JSON.stringify({ to: '5511900000001', text: 'the last one' });
	await call('/v1/messages/send-text', { method: 'POST', body });
	expect(await (await fetch(`${read('Phone page')}/simulator/info`)).json()).toMatchObject({
		accountToken: read('Account token'),
	});
	child.kill('SIGTERM');
	expect(await ended).toEqual([0, null]);
	expect(text()).toContain('the last one');
	// Sample chats, for people.
	expect(text()).toContain('Who brings the cake on Sunday?');
});
