import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { N8nApi, StoredCredential } from '../../../host/api';
import { waitFor } from '../../../host/waiting';
import { startSimulator, type Simulator } from '../../../simulator';
import { startReceiver, type Receiver } from '../../../simulator/receiver';
import { checkReply } from '../../../tools/demo/check';
import { describeCredentials, provideCredentials } from '../../../tools/demo/credentials';
import { keepNote, readNote, type Note } from '../../../tools/demo/note';
import type { StandIns } from '../../../tools/demo/standIns';

// What the demo keeps from start to start, and how it tries itself out, beside an n8n that keeps credentials alone.

let gateway: Simulator;

beforeEach(async () => {
	gateway = await startSimulator({
		statusDelaysMs: { sent: 1, delivered: 2, read: 3 },
		retryDelaysMs: [],
	});
});
afterEach(async () => await gateway.stop());

describe('credentials', () => {
	type Data = Record<string, string>;
	let stored: Array<StoredCredential & { data: Data }>;
	let note: Note;
	const api = {
		listCredentials: async () => stored.map(({ data: _data, ...shown }) => shown),
		createCredential: async (type: string, name: string, data: Data) => {
			const id = String(stored.length + 1);
			stored.push({ id, type, name, data });
			return { id, type, name };
		},
		readCredential: async (id: string) => stored.find((each) => each.id === id)!.data,
		updateCredential: async ({ id }: StoredCredential, data: Data) => {
			stored.find((each) => each.id === id)!.data = data;
		},
	} as unknown as N8nApi;
	const standIns = (port: number) =>
		({
			smtp: { host: '127.0.0.1', port },
			redis: { host: '127.0.0.1', port: port + 1 },
			modelUrl: `http://127.0.0.1:${port + 2}/v1`,
		}) as StandIns;
	const provide = async (port: number) =>
		await provideCredentials(api, describeCredentials(gateway, standIns(port)), note);
	const portsOf = (type: string) =>
		stored.filter((each) => each.type === type).map(({ data }) => data.port);

	beforeEach(() => {
		stored = [];
		note = { password: '', passwordHash: '', credentialIds: {}, n8nUrls: [], addresses: {} };
	});

	it('are made once, with everything that they need', async () => {
		const made = await provide(100);
		const types = [
			'messagingGatewayAccountApi',
			'messagingGatewayInstanceApi',
			'smtp',
			'redis',
			'openAiApi',
		];
		expect(Object.keys(made)).toEqual(types);
		const { url, accountToken, instanceToken } = gateway;
		expect(stored.map(({ data }) => data)).toMatchObject([
			{ baseUrl: url, accountToken },
			{ baseUrl: url, instanceToken },
			{ host: '127.0.0.1', port: 100, secure: false, disableStartTls: true },
			{ host: '127.0.0.1', port: 101, database: 0, ssl: false },
			{ url: 'http://127.0.0.1:102/v1' },
		]);
		expect(await provide(100)).toEqual(made);
		expect(stored).toHaveLength(5);
	});

	it('follow the ports, also those that the person has made, unless they lead elsewhere', async () => {
		await provide(100);
		const mine = (host: string) => ({ host, port: 100, user: 'ana' }) as unknown as Data;
		await api.createCredential('smtp', 'Mine', mine('127.0.0.1'));
		await api.createCredential('smtp', 'My provider', mine('mail.example.com'));
		await provide(200);
		expect(portsOf('smtp')).toEqual([200, 200, 100]);
		expect(stored.find(({ name }) => name === 'Mine')?.data).toMatchObject({ user: 'ana' });
		await provide(300);
		expect(portsOf('smtp')).toEqual([300, 300, 100]);
	});

	it('that the person has deleted stay deleted, and are named no more', async () => {
		await provide(100);
		stored = stored.filter(({ type }) => type !== 'smtp');
		expect(Object.keys(await provide(100))).not.toContain('smtp');
		expect(stored).toHaveLength(4);
	});
});

describe('the note', () => {
	it('is for its owner alone, and read again as it was', () => {
		const folder = mkdtempSync(join(tmpdir(), 'note-'));
		const note = {
			password: 'p',
			passwordHash: 'h',
			credentialIds: {},
			n8nUrls: ['u'],
			addresses: {},
		};
		writeFileSync(join(folder, 'demo.json'), '{"password":"old"}');
		expect(readNote(folder)).toEqual({ password: 'old' });
		keepNote(folder, note);
		expect(readNote(folder)).toEqual(note);
		expect(statSync(join(folder, 'demo.json')).mode & 0o777).toBe(0o600);
		expect(JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'))).toEqual(note);
		rmSync(folder, { recursive: true });
	});
});

describe('the demo tries itself out', () => {
	const api = {
		listExecutions: async () => [{ id: '9' }],
		getExecution: async () => ({
			status: 'error',
			data: { resultData: { error: { message: 'No token' } } },
		}),
	} as unknown as N8nApi;
	let receiver: Receiver;
	let steps: string[];

	beforeEach(async () => {
		steps = [];
		receiver = await startReceiver();
	});
	afterEach(async () => {
		jest.restoreAllMocks();
		await receiver.stop();
	});

	const check = async (reply?: (text: string) => void) =>
		await checkReply({ gateway, api }, '7', (step) => {
			steps.push(step);
			const [, text] = /^Wrote "(.+)" into the phone$/.exec(step) ?? [];
			if (text) reply?.(text);
		});
	/** Half a minute is over in a few looks. */
	const hurry = () => {
		let now = 0;
		jest.spyOn(performance, 'now').mockImplementation(() => (now += 6_000));
	};
	const listen = () => gateway.createWebhook({ url: receiver.url, events: ['MESSAGE.RECEIVED'] });

	it('and tells each step: what was written, accepted, answered and arrived', async () => {
		listen();
		await check((text) => void gateway.writeAsOwner(`You wrote: ${text}`));
		expect(steps).toEqual([
			expect.stringMatching(/^Wrote "Hello from the check at /),
			expect.stringContaining('accepted the signature'),
			'The workflow answered through Send Text',
			expect.stringMatching(/^The reply arrived in the phone: "You wrote: Hello from the check/),
		]);
	});

	it('and says that nobody listens', async () => {
		hurry();
		await expect(check()).rejects.toThrow('It was delivered to nobody: 0 webhooks are registered.');
	});

	it('and says how the deliveries were answered', async () => {
		receiver.answerWith((_, response) => void response.writeHead(401).end('no'));
		listen();
		hurry();
		await expect(check()).rejects.toThrow(`The deliveries were answered:\n${receiver.url}: 401 no`);
		expect(steps).toHaveLength(1);
	});

	it('and says how the execution ended that has not replied, whatever people have written', async () => {
		listen();
		const own = check((text) => void gateway.write(`${text} again`));
		// Once it was accepted; before, the time of the delivery is real.
		await waitFor('it to be accepted', () => steps.length === 2);
		hurry();
		await expect(own).rejects.toThrow('The last execution (9) ended with error. No token');
	});

	it('and does not take a reply for arrived that has only been sent', async () => {
		const half = await startSimulator({ statusDelaysMs: { sent: 1, delivered: null, read: null } });
		half.createWebhook({ url: receiver.url, events: ['MESSAGE.RECEIVED'] });
		const own = checkReply({ gateway: half, api }, '7', (step) => {
			steps.push(step);
			const [, text] = /^Wrote "(.+)" into the phone$/.exec(step) ?? [];
			if (text) half.writeAsOwner(text);
		});
		await waitFor('the reply to be found', () => steps.length === 3);
		hurry();
		await expect(own).rejects.toThrow('the reply to arrive in the phone');
		await half.stop();
	});
});
