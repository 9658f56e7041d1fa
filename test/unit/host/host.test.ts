import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { N8nApi } from '../../../host/api';
import { openBuilder } from '../../../host/builder';
import { callTool, createModelCredential, startScriptedModel } from '../../../host/chatModel';
import { findInDatabase, readDatabase } from '../../../host/database';
import { openDataTable } from '../../../host/dataTables';
import { buildDoor } from '../../../host/door';
import { createCredentials, credentialData, startHostOn } from '../../../host/host';
import { startMailbox } from '../../../host/mailbox';
import { startChosenN8n } from '../../../host/mode';
import type { N8n } from '../../../host/n8n';
import { startService } from '../../../host/service';
import { closeShared, copyTables, findShared, openShared, shareTables } from '../../../host/shared';
import { makeNumbers, startSimulator } from '../../../simulator';
import { startFakeN8n } from './fakeN8n';

let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'helpers-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const post = async (url: string, body: object) =>
	await fetch(url, {
		method: 'POST',
		body: JSON.stringify(body),
		headers: { connection: 'close' },
	});

it('a scripted model says what stands in its script, then that there is no more, and keeps what it was asked', async () => {
	const model = await startScriptedModel();
	model.script = [() => callTool('bake', { loaves: 2 }), ({ model: name }) => ({ content: name })];
	const ask = async () => {
		const answer = await post(`${model.url}/chat/completions`, { model: 'rye', messages: [] });
		return (await answer.json()) as {
			choices: Array<{
				finish_reason: string;
				message: { content: string; tool_calls?: Array<{ function: object }> };
			}>;
		};
	};
	const [called, said, none] = [await ask(), await ask(), await ask()].map(
		({ choices }) => choices[0],
	);
	expect(called.finish_reason).toBe('tool_calls');
	expect(called.message.tool_calls).toMatchObject([
		{ function: { name: 'bake', arguments: '{"loaves":2}' } },
	]);
	expect(said).toMatchObject({
		finish_reason: 'stop',
		message: { role: 'assistant', content: 'rye' },
	});
	expect(none.message.content).toBe('There is nothing left to say.');
	expect(model.requests).toHaveLength(3);
	const n8n = await startFakeN8n(() => ({ data: {} }));
	await createModelCredential(new N8nApi(n8n.url), model);
	expect(n8n.asked).toMatchObject([{ body: { type: 'openAiApi', data: { url: model.url } } }]);
	n8n.stop();
	await model.stop();
});

it('the builder connects with its key, and gives what a tool answers, or throws what it refuses', async () => {
	let told = '';
	const n8n = await startFakeN8n((line) => {
		if (line.includes('api-key')) return { data: { apiKey: 'key' } };
		return line.includes('mcp-server') ? { status: 200, text: told } : { data: {} };
	});
	const builder = await openBuilder(new N8nApi(n8n.url));
	const event = (answer: object) => (told = `event: message\ndata: ${JSON.stringify(answer)}\n\n`);
	event({ result: { content: [{ text: 'one' }, { text: 'two' }] } });
	expect(await builder.use('search', { query: 'bread' })).toBe('one\ntwo');
	event({ result: { content: [{ text: 'Bad query' }], isError: true } });
	await expect(builder.use('search', {})).rejects.toThrow('Bad query');
	event({ error: { message: 'No such tool' } });
	await expect(builder.use('bake', {})).rejects.toThrow('No such tool');
	expect(n8n.asked[0]).toMatchObject({
		line: 'PATCH /mcp/settings',
		body: { mcpAccessEnabled: true },
	});
	expect(n8n.asked[2]).toMatchObject({
		headers: { authorization: 'Bearer key' },
		body: { method: 'tools/call', params: { name: 'search', arguments: { query: 'bread' } } },
	});
	n8n.stop();
});

it('a data table is found by its name, or said not to be there', async () => {
	const n8n = await startFakeN8n((line) => {
		if (line.includes('/personal')) return { data: { id: 'p' } };
		if (line.includes('?filter={"name":"bread"}')) return { data: { data: [{ id: 't' }] } };
		return { data: { data: line.includes('/rows') ? [{ id: 1 }] : [] } };
	});
	const api = new N8nApi(n8n.url);
	const table = await openDataTable(api, 'bread');
	await table.addRows([{ name: 'Ana' }]);
	expect(await table.readRows()).toEqual([{ id: 1 }]);
	expect(n8n.asked.slice(-2)).toMatchObject([
		{
			line: 'POST /projects/p/data-tables/t/insert',
			body: { data: [{ name: 'Ana' }], returnType: 'count' },
		},
		{ line: 'GET /projects/p/data-tables/t/rows?take=250&sortBy=id:asc' },
	]);
	await expect(openDataTable(api, 'cake')).rejects.toThrow('no data table called cake');
	n8n.stop();
});

it('a text is found in every table and column of the database, each once', () => {
	mkdirSync(join(folder, '.n8n'));
	const database = new DatabaseSync(join(folder, '.n8n', 'database.sqlite'));
	database.exec(`CREATE TABLE bread (name TEXT, note TEXT); CREATE TABLE "the cake" (name TEXT);
		INSERT INTO bread VALUES ('rye', 'a secret'), ('a secret', 'x'), ('b', 'secret too');
		INSERT INTO "the cake" VALUES ('secret'), (NULL);`);
	database.close();
	const n8n = { folder } as N8n;
	expect(findInDatabase(n8n, 'secret').sort()).toEqual([
		'bread.name',
		'bread.note',
		'the cake.name',
	]);
	expect(findInDatabase(n8n, 'none')).toEqual([]);
	expect(readDatabase(n8n).split('\n')).toEqual(
		expect.arrayContaining(['rye', 'a secret', 'secret too', 'null']),
	);
});

it('executions wait at a door until they are let through, each once', async () => {
	const door = await buildDoor();
	const { url } = door.node().parameters as { url: string };
	const first = post(url, ['one', 'two']);
	const visit = await door.visit(1);
	expect(visit.texts).toEqual(['one', 'two']);
	visit.answer(503);
	visit.answer(200);
	expect((await first).status).toBe(503);
	door.open((texts) => (texts.length > 1 ? 400 : 200));
	expect([(await post(url, ['a'])).status, (await post(url, ['a', 'b'])).status]).toEqual([
		200, 400,
	]);
	door.open(undefined);
	const waiting = post(url, []).catch(() => 'cut');
	await door.visit(4);
	door.stop();
	expect(await waiting).toBe('cut');
	expect(door.visits).toHaveLength(4);
});

it('a mailbox refuses a mail that it cannot take', async () => {
	const mailbox = await startMailbox({
		onMail: () => {
			throw new Error('full');
		},
	});
	const { createConnection } = await import('node:net');
	const socket = createConnection(mailbox);
	let heard = '';
	socket.setEncoding('utf8').on('data', (chunk: string) => (heard += chunk));
	const ended = new Promise((resolve) => socket.once('close', resolve));
	const lines = [
		'EHLO a',
		'MAIL FROM:<a@b.c>',
		'RCPT TO:<d@e.f>',
		'DATA',
		'Subject: x\r\n\r\nx\r\n.',
		'QUIT',
	];
	const { waitFor } = await import('../../../host/waiting');
	for (const [at, line] of lines.entries()) {
		await waitFor('the answer', () => (heard.match(/^\d{3} .*\r\n/gm) ?? []).length > at);
		socket.write(`${line}\r\n`);
	}
	await ended;
	expect(heard).toMatch(/^450 full/m);
	await mailbox.stop();
});

it('a mode that is none is refused, with all that are', async () => {
	process.env.N8N_TEST_MODE = 'quick';
	await expect(startChosenN8n().finally(() => delete process.env.N8N_TEST_MODE)).rejects.toThrow(
		'N8N_TEST_MODE is one of: single, oldest, newest, queue, queue, spread by event',
	);
});

describe('a host', () => {
	const stops: string[] = [];
	const standIn = (url: string) =>
		({ url, stop: async () => void stops.push('n8n') }) as unknown as N8n;

	it('has an owner and both credentials, and stops n8n before the gateway', async () => {
		const fake = await startFakeN8n(() => ({ data: { id: '1' } }));
		const host = await startHostOn(standIn(fake.url));
		expect(fake.asked.map(({ line }) => line)).toEqual([
			'POST /owner/setup',
			'POST /credentials',
			'POST /credentials',
		]);
		await host.stop();
		expect(stops.splice(0)).toEqual(['n8n']);
		await expect(fetch(host.gateway.pageUrl)).rejects.toThrow();
		fake.stop();
	});

	it('that cannot be set up leaves nothing running', async () => {
		const fake = await startFakeN8n(() => ({ status: 500, text: 'No owner' }));
		await expect(startHostOn(standIn(fake.url))).rejects.toThrow('No owner');
		expect(stops.splice(0)).toEqual(['n8n']);
		fake.stop();
	});

	it('types each token where it belongs, and further numbers only if there are some', async () => {
		const gateway = await startSimulator({ furtherNumbers: makeNumbers(1) });
		const { url: baseUrl, accountToken, instanceToken, numberLines } = gateway;
		expect(credentialData(gateway)).toEqual({
			account: { baseUrl, accountToken },
			instance: { baseUrl, instanceToken, accountToken, furtherNumbers: numberLines },
		});
		const single = { ...gateway, numberLines: '' } as typeof gateway;
		const fake = await startFakeN8n(() => ({ data: {} }));
		await createCredentials(new N8nApi(fake.url), single);
		expect(fake.asked.map(({ body }) => (body as { type: string; data: object }).data)).toEqual([
			{ baseUrl, accountToken },
			{ baseUrl, instanceToken, accountToken },
		]);
		fake.stop();
		await gateway.stop();
	});
});

describe('what a run shares', () => {
	const tables = (name: string) => join(folder, name, '.n8n', 'database.sqlite');
	beforeEach(() => {
		for (const name of ['one', 'two']) mkdirSync(join(folder, name, '.n8n'), { recursive: true });
		const database = new DatabaseSync(tables('one'));
		database.exec('CREATE TABLE bread (name TEXT)');
		database.close();
	});

	it('is the tables of the first n8n of a kind, for the others of this kind, until the run ends', async () => {
		openShared();
		const shared = findShared('x') ?? '';
		await shareTables('kind', join(folder, 'one'));
		const before = readFileSync(findShared('kind.sqlite') ?? '');
		new DatabaseSync(tables('one')).exec('CREATE TABLE cake (name TEXT)');
		await shareTables('kind', join(folder, 'one'));
		expect(readFileSync(findShared('kind.sqlite') ?? '')).toEqual(before);
		expect(readdirSync(join(shared, '..'))).toEqual(['kind.sqlite']);
		copyTables('other kind', join(folder, 'two'));
		expect(existsSync(tables('two'))).toBe(false);
		copyTables('kind', join(folder, 'two'));
		expect(readFileSync(tables('two'))).toEqual(before);
		closeShared();
		expect(existsSync(join(shared, '..'))).toBe(false);
		expect(findShared('x')).toBeUndefined();
	});

	it('is nothing where nothing is shared', async () => {
		await shareTables('kind', join(folder, 'one'));
		copyTables('kind', join(folder, 'two'));
		expect(existsSync(tables('two'))).toBe(false);
	});
});

it('a service comes back with its data at its port, and takes them along when it is stopped', async () => {
	const file = join(folder, 'starts');
	writeFileSync(file, '');
	const program = `require('node:fs').appendFileSync(${JSON.stringify(file)}, 'x'); console.log('up'); setInterval(() => {}, 1000);`;
	const log = join(folder, '..', `service-${process.pid}.log`);
	const server = { command: process.execPath, args: ['-e', program], folder, log, port: 7 };
	const ups = () => readFileSync(file, 'utf8').length;
	let wanted = 1;
	const service = await startService('The oven', server, async () => ups() === wanted);
	expect(service.port).toBe(7);
	await service.kill();
	wanted = 2;
	await service.start();
	expect(ups()).toBe(2);
	await service.stop();
	expect(existsSync(folder)).toBe(false);
	rmSync(log);
});
