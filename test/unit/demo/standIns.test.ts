import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../../host/browser';
import { waitFor } from '../../../host/waiting';
import { recordVoice } from '../../../simulator/state/media';
import { startStandIns, type StandIns } from '../../../tools/demo/standIns';

const FOREIGN = 'elsewhere.example';
const folder = mkdtempSync(join(tmpdir(), 'stand-ins-'));

let browser: Browser;
let page: Page;
let standIns: StandIns;

const start = async () =>
	await startStandIns({
		folder,
		port: 0,
		smtpPort: 0,
		redisPort: 0,
		phoneUrl: 'http://127.0.0.1:3100',
	});

beforeAll(async () => {
	browser = await openBrowser([`--host-resolver-rules=MAP ${FOREIGN} 127.0.0.1`]);
	standIns = await start();
	page = await browser.newPage({ viewport: { width: 390, height: 760 } });
});

afterAll(async () => {
	await browser.close();
	await standIns.stop();
	rmSync(folder, { recursive: true, force: true });
});

/** Sends a mail as any mail program does. */
async function sendMail(subject: string, type: string, body: string): Promise<void> {
	const socket = createConnection(standIns.smtp);
	const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
	const hear = async (code: string) => {
		for (;;) {
			const { value } = (await lines.next()) as { value: string };
			expect(value).toMatch(new RegExp(`^${code}`));
			if (value[3] === ' ') return;
		}
	};
	const mail = `Subject: ${subject}\r\nContent-Type: ${type}; charset=utf-8\r\n\r\n${body}\r\n.`;
	await hear('220');
	for (const [line, code] of [
		['EHLO localhost', '250'],
		['MAIL FROM:<n8n@example.com>', '250'],
		['RCPT TO:<ana@example.com>', '250'],
		['DATA', '354'],
		[mail, '250'],
		['QUIT', '221'],
	]) {
		socket.write(`${line}\r\n`);
		await hear(code);
	}
	socket.destroy();
}

const firstMail = () => page.getByRole('list', { name: 'Mails' }).getByRole('listitem').first();

describe('the mailbox', () => {
	it('says how a mail comes, and shows it when it has come, without a reload', async () => {
		await page.goto(standIns.mailPageUrl);
		await page.getByRole('heading', { name: 'No mail yet' }).waitFor();
		expect(await page.getByRole('link', { name: 'phone page' }).getAttribute('href')).toBe(
			'http://127.0.0.1:3100',
		);
		await sendMail('The number was banned', 'text/plain', 'Reason: <b>spam</b>\r\nStop sending.');
		await firstMail().waitFor();
		expect(await firstMail().innerText()).toMatch(
			/^The number was banned\s+From n8n@example.com to ana@example.com · .*\s+Reason: <b>spam<\/b>\nStop sending\.$/,
		);
		expect(await page.getByText('No mail yet').isVisible()).toBe(false);
	});

	it('shows the words of a mail in HTML, and fetches and runs nothing of it', async () => {
		const requested: string[] = [];
		page.on('request', (request) => requested.push(request.url()));
		const script = '<script>document.title = "run"</script>';
		const picture = `<img src="http://${FOREIGN}/x.png" onerror="document.title = 'run'">`;
		await sendMail('In HTML', 'text/html', `<p>Hello <b>Ana</b></p>${picture}<p>Bye</p>${script}`);
		await firstMail().getByText('Hello Ana').waitFor();
		expect(await page.title()).toMatch(/^Mailbox/);
		expect(requested.filter((url) => !url.startsWith(standIns.mailPageUrl))).toEqual([]);
	});

	it('keeps out nobody, in either theme, and never scrolls sideways', async () => {
		await page.evaluate(axe.source);
		for (const colorScheme of ['light', 'dark'] as const) {
			await page.emulateMedia({ colorScheme });
			const { violations, passes } = await page.evaluate(
				async () => await (window as unknown as { axe: typeof axe }).axe.run(),
			);
			expect(passes.length).toBeGreaterThan(0);
			expect(violations.map(({ id, nodes }) => `${id} at ${nodes[0].html}`)).toEqual([]);
		}
		expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
	});

	it('holds its mails over a start, until it is emptied', async () => {
		await standIns.stop();
		standIns = await start();
		await page.goto(standIns.mailPageUrl);
		await firstMail().getByText('Hello Ana').waitFor();
		page.once('dialog', (dialog) => void dialog.accept());
		await page.getByRole('button', { name: 'Empty it' }).click();
		await page.getByRole('heading', { name: 'No mail yet' }).waitFor();
		expect(await page.getByRole('listitem').count()).toBe(0);
	});
});

it('gives a page whose name was made to lead here neither mails nor answers', async () => {
	await sendMail('Secret', 'text/plain', 'A secret');
	const foreign = standIns.mailPageUrl.replace('127.0.0.1', FOREIGN);
	const visitor = await browser.newPage();
	const answer = await visitor.goto(foreign);
	expect(answer?.status()).toBe(421);
	const statuses = await visitor.evaluate(
		async (paths) => await Promise.all(paths.map(async (path) => (await fetch(path)).status)),
		['/mails', '/mailbox.js', '/v1/models'],
	);
	expect(statuses).toEqual([421, 421, 421]);
	const asked = await visitor.evaluate(
		async () =>
			(
				await fetch('/v1/chat/completions', {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify({ model: 'any', messages: [] }),
				})
			).status,
	);
	expect(asked).toBe(421);
	await visitor.close();
});

describe('the language model', () => {
	const post = async (path: string, body: object) =>
		await fetch(`${standIns.modelUrl}/${path}`, {
			method: 'POST',
			...(body instanceof FormData
				? { body }
				: { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
		});
	const record = async (fields: Record<string, string | File>) => {
		const form = new FormData();
		for (const [name, value] of Object.entries(fields)) form.append(name, value);
		const answer = await post('audio/transcriptions', form);
		return { status: answer.status, body: (await answer.json()) as { text?: string } };
	};
	const wav = (words: string) => {
		const { base64, mediaType: type } = recordVoice(words);
		return new File([Buffer.from(base64, 'base64')], 'voice.wav', { type });
	};

	it.each(['When do you open?', 'Dois pães, por favor!', 'ICMT', ''])(
		'understands the voice messages of the phone page: %j',
		async (text) => {
			const heard = await record({ model: 'whisper-1', file: wav(text) });
			expect(heard).toEqual({ status: 200, body: { text } });
		},
	);

	it('says of another recording that it cannot understand it, and refuses a form without one', async () => {
		const file = new File(['OggS'], 'voice.ogg', { type: 'audio/ogg' });
		expect((await record({ model: 'whisper-1', file })).body.text).toMatch(
			/stand-in .* phone page/,
		);
		expect((await record({ model: 'whisper-1' })).status).toBe(400);
		expect((await record({ file })).status).toBe(400);
	});

	it.each([
		['chat/completions', { messages: [{ role: 'user', content: 'Let the model fail' }] }],
		['responses', { input: 'Let the model fail' }],
	])('fails as a model does, when it is asked to: %s', async (path, body) => {
		const answer = await post(path, { model: 'any', ...body });
		expect(answer.status).toBe(400);
		expect(await answer.json()).toEqual({ error: { message: expect.stringContaining('fails') } });
	});

	const asks = { role: 'user', content: 'When do you open?' };
	it.each(['system', 'developer'])(
		'knows what it is told as the %s, by either interface',
		async (role) => {
			const told = { role, content: 'Opening hours: from dawn to dusk' };
			for (const [path, body] of [
				['chat/completions', { messages: [told, asks] }],
				['responses', { input: [told, asks] }],
			] as const) {
				const answer = await post(path, { model: 'any', ...body });
				expect(await answer.text()).toContain('"Opening hours: from dawn to dusk"');
			}
		},
	);

	const hidden = 'After put_away, say: It is put away.';
	const called = { name: 'put_away', arguments: '{}' };
	it.each([
		[
			'chat/completions',
			{
				messages: [
					{ role: 'system', content: hidden },
					{ role: 'assistant', tool_calls: [{ id: '1', type: 'function', function: called }] },
					{ role: 'tool', content: '[]', tool_call_id: '1' },
				],
			},
		],
		[
			'responses',
			{
				instructions: hidden,
				input: [
					{ type: 'function_call', call_id: '1', ...called },
					{ type: 'function_call_output', call_id: '1', output: '[]' },
				],
			},
		],
	])('knows which tool it has called: %s', async (path, body) => {
		const answer = await post(path, { model: 'any', ...body });
		expect(await answer.text()).toContain('"It is put away."');
	});
});

it('counts as Redis does, value by value, until the time is over', async () => {
	const socket = createConnection(standIns.redis);
	let heard = '';
	socket.setEncoding('utf8').on('data', (chunk: string) => (heard += chunk));
	const tell = (...words: string[]) =>
		`*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;
	const commands = [
		tell('SELECT', '0'),
		tell('INCR', 'ação'),
		tell('INCR', 'ação'),
		tell('EXPIRE', 'ação', '60'),
		tell('GET', 'ação'),
		tell('EXPIRE', 'ação', '0'),
		tell('GET', 'ação'),
		tell('INCR', 'ação'),
		tell('SET', 'word', 'pão'),
		tell('GET', 'word'),
		tell('DEL', 'word'),
		tell('EXPIRE', 'word', '1'),
		tell('FLUSHALL'),
	].join('');
	// In pieces that begin and end anywhere.
	const bytes = Buffer.from(commands);
	for (let begin = 0; begin < bytes.length; begin += 7)
		socket.write(bytes.subarray(begin, begin + 7));
	await waitFor('all answers', () => heard.includes('FLUSHALL'));
	expect(heard.split('\r\n')).toEqual([
		...['+OK', ':1', ':2', ':1', '$1', '2', ':1', '$-1', ':1', '+OK', '$4', 'pão', ':1', ':0'],
		expect.stringContaining('does not know FLUSHALL'),
		'',
	]);
	socket.destroy();
});
