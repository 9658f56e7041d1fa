import { waitFor } from '../../../host/waiting';
import { GROUP_NAMES, groupIdAt, PEOPLE } from '../../../simulator';
import { callGateway } from '../../../simulator/client';
import { PHONE } from '../../../simulator/visit';
import { visit } from './visiting';

const [ana, bruno] = PEOPLE;

const showPresence = async (presence: string) =>
	await callGateway(visit.simulator, 'POST', '/v1/messages/presence', {
		body: { to: ana.phone, presence },
		token: visit.simulator.instanceToken,
	});

describe('the phone', () => {
	it('writes as the person whose chat is open', async () => {
		await visit.open();
		await visit.chat('Bruno Carvalho');
		await visit.page.keyboard.type('Bom dia! 🥖');
		await visit.page.keyboard.press('Enter');
		await visit.bubble('Bom dia! 🥖').waitFor();
		expect(await visit.received()).toMatchObject([
			{ data: { text: 'Bom dia! 🥖', sender: { phone: bruno.phone } } },
		]);
	});

	it('shows what the number sends, with ticks that advance, without a reload', async () => {
		await visit.open();
		await visit.chat('Ana Souza');
		await visit.send(ana.phone, 'Pronto!');
		await visit.bubble('Pronto!').getByRole('img', { name: 'Read' }).waitFor();
		expect(await visit.bubble('Pronto!').count()).toBe(1);
	});

	it('shows the first message of a chat once, however often its ticks have advanced', async () => {
		const carla = '5511900000099';
		await visit.send(carla, 'Welcome!');
		await visit.simulator.drained();
		await visit.open();
		await visit.chat('Ana Souza');
		await visit.entry(/\+5511900000099/).click();
		const message = visit.simulator
			.chats()
			.flatMap(({ messages }) => messages)
			.find(({ text }) => text === 'Welcome!');
		await callGateway(visit.simulator, 'POST', '/v1/labels/assign-message', {
			body: { to: carla, messageId: message?.id, labelId: '3' },
			token: visit.simulator.instanceToken,
		});
		await visit.bubble('Welcome!').getByText('Label 3').waitFor();
		await visit.chat('Ana Souza');
		await visit.entry(/\+5511900000099/).click();
		await visit.bubble('Welcome!').first().waitFor();
		expect(await visit.bubble('Welcome!').count()).toBe(1);
	});

	it('says in the list when somebody wrote: the time today, later the day', async () => {
		visit.simulator.write('Bom dia');
		await visit.open();
		await visit.entry(/Ana Souza.*\d\d:\d\d.*Bom dia/s).waitFor();

		const day = new Date().toLocaleDateString('en-US', { day: 'numeric', month: 'short' });
		const year = new Date().getFullYear();
		await visit.page.clock.setFixedTime(new Date(Date.now() + 400 * 24 * 60 * 60_000));
		await visit.page.reload();
		await visit.entry(new RegExp(`Ana Souza.*${day}, ${year}.*Bom dia`, 's')).waitFor();
	});

	it('says why there is no pairing code', async () => {
		await visit.open();
		await visit.page.getByText('It gets one after Logged out').waitFor({ state: 'attached' });
	});

	it('shows a picture, and speaks of it in the list', async () => {
		await visit.open();
		const data =
			'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
		await callGateway(visit.simulator, 'POST', '/v1/simulator-invention/send-picture', {
			body: { to: ana.phone, picture: { data } },
			token: visit.simulator.instanceToken,
		});
		await visit.entry(/Ana Souza.*Picture/s).click();
		const picture = visit.page.getByRole('img', { name: 'picture' });
		await picture.waitFor();
		expect(await picture.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(1);
	});

	it('sends a picture, and what is typed as a voice message', async () => {
		await visit.open();
		await visit.chat('Bruno Carvalho');
		await visit.page.getByRole('button', { name: 'Send a picture' }).click();
		await visit.page.getByRole('img', { name: 'loaf.svg' }).waitFor();
		await visit.page.getByRole('textbox', { name: /Write as Bruno/ }).fill('Two loaves, please');
		await visit.page.getByRole('button', { name: 'Send a voice message' }).click();
		await visit.bubble('Two loaves, please').getByText('Voice message').waitFor();
		await visit.entry(/Bruno Carvalho.*Voice message: Two loaves, please/s).waitFor();
		expect(await visit.page.getByRole('textbox').inputValue()).toBe('');
		const events = (await visit.received()).map(({ data }) => data as Record<string, unknown>);
		expect(events.map(({ text, messageType }) => [text, messageType])).toEqual([
			[undefined, 'IMAGE'],
			[undefined, 'AUDIO'],
		]);
	});

	it('counts what arrives in other chats, until they are opened', async () => {
		await visit.open();
		await visit.send(bruno.phone, 'one');
		await visit.send(bruno.phone, 'two');
		await visit.entry(/Bruno Carvalho.*two.*2 unread/s).click();
		await visit.entry('Bruno Carvalho').filter({ hasNotText: 'unread' }).waitFor();
	});

	it('shows that the number types, until it pauses or the message comes', async () => {
		await visit.open();
		await visit.chat('Ana Souza');
		const typing = visit.page.getByText('Padaria Aurora is typing…');
		await showPresence('COMPOSING');
		await typing.waitFor();
		await showPresence('PAUSED');
		await typing.waitFor({ state: 'detached' });
		await showPresence('COMPOSING');
		await typing.waitFor();
		await visit.send(ana.phone, 'done');
		await typing.waitFor({ state: 'detached' });
	});

	it('replies to a message', async () => {
		await visit.open();
		await visit.chat('Ana Souza');
		await visit.send(ana.phone, 'Two or three?');
		await visit.bubble('Two or three?').getByRole('button', { name: 'Reply to' }).focus();
		await visit.page.keyboard.press('Enter');
		await visit.page.keyboard.type('Three');
		await visit.page.keyboard.press('Enter');
		await visit.bubble('Three').locator('blockquote', { hasText: 'Two or three?' }).waitFor();
		const [{ messageId }] = visit.simulator.acceptedSends();
		expect(await visit.received()).toContainEqual(
			expect.objectContaining({
				type: 'MESSAGE.RECEIVED',
				data: expect.objectContaining({ text: 'Three', quotedMessageId: messageId }),
			}),
		);
	});

	it('keeps the newest message in sight when a reply is begun', async () => {
		await visit.open(PHONE);
		await visit.chat('Ana Souza');
		for (let count = 1; count <= 20; count += 1) await visit.send(ana.phone, `number ${count}.`);
		const newest = visit.bubble('number 20.');
		await newest.getByRole('button', { name: 'Reply to' }).click();
		await visit.page.getByText('Replying to:').waitFor();
		const endOf = async (selector: string) => {
			const box = await visit.page.locator(selector).last().boundingBox();
			return (box?.y ?? NaN) + (box?.height ?? NaN);
		};
		await waitFor(
			'the newest message to be above the box',
			async () => (await endOf('.bubble')) <= (await endOf('#messages')),
			5_000,
		);
	});

	it('presses a button of a message', async () => {
		await visit.open();
		await visit.chat('Bruno Carvalho');
		await visit.page
			.getByRole('group', { name: 'Answers' })
			.getByRole('button', { name: 'Please deliver it' })
			.click();
		await visit.bubble('Please deliver it').nth(1).waitFor();
		expect(await visit.received()).toMatchObject([
			{
				data: {
					messageType: 'BUTTON_REPLY',
					buttonReply: { id: 'delivery' },
					text: 'Please deliver it',
					quotedMessageId: expect.any(String),
				},
			},
		]);
	});

	it('writes in a group as the chosen member', async () => {
		await visit.open();
		await visit.chat(GROUP_NAMES[0]);
		await visit.page.getByLabel('Write as').selectOption('Bruno Carvalho');
		await visit.page.getByLabel(`Write in ${GROUP_NAMES[0]}`).fill('Gol!');
		await visit.page.getByRole('button', { name: 'Send', exact: true }).click();
		await visit.bubble('Gol!').waitFor();
		expect(await visit.received()).toMatchObject([
			{ data: { chat: { id: groupIdAt(0), type: 'GROUP' }, sender: { id: bruno.id } } },
		]);
	});

	it.each(['Ana Souza', GROUP_NAMES[0]])(
		'writes as the owner of the number, on the phone itself, to %s',
		async (name) => {
			await visit.open();
			await visit.chat(name);
			await visit.page.getByText('Assumed by this simulator').waitFor({ state: 'hidden' });
			await visit.page
				.getByRole('combobox', { name: 'Write as' })
				.selectOption('Padaria Aurora, on the phone itself');
			await visit.page.getByText('Assumed by this simulator').waitFor();
			await visit.page.getByRole('textbox').fill('A person has taken over');
			await visit.page.keyboard.press('Enter');
			await visit.bubble('A person has taken over').getByText('typed on the phone').waitFor();
			await visit.bubble('A person has taken over').getByRole('img', { name: 'Read' }).waitFor();
			expect(await visit.received()).toContainEqual(
				expect.objectContaining({
					type: 'MESSAGE.SENT',
					data: expect.objectContaining({ fromMe: true, text: 'A person has taken over' }),
				}),
			);
			expect(visit.simulator.acceptedSends()).toEqual([]);
		},
	);

	it('treats text as text', async () => {
		await visit.open();
		await visit.chat('Ana Souza');
		const text = '<img src=x onerror="document.title=1">';
		await visit.send(ana.phone, text);
		await visit.bubble(text).waitFor();
		expect(await visit.page.locator('img:not([role])').count()).toBe(0);
	});

	it('finds its way back when the simulator was away', async () => {
		await visit.open();
		await visit.chat('Ana Souza');
		await visit.simulator.pauseListening();
		await visit.page.getByText('The simulator does not answer').waitFor();
		visit.simulator.write('while away', { phone: ana.phone });
		await visit.simulator.resumeListening();
		await visit.bubble('while away').waitFor();
		await visit.page.getByText('The simulator does not answer').waitFor({ state: 'hidden' });
	});
});

describe('the gateway beside it', () => {
	it('lists deliveries with their id, attempts and answers', async () => {
		await visit.open();
		visit.receiver.answerWith((_, response) => response.writeHead(401).end('no'));
		const { id } = visit.simulator.write('denied');
		const line = visit.page.locator('#deliveries details', { hasText: 'MESSAGE.RECEIVED' });
		await line.locator('summary').click();
		const inside = await line.innerText();
		expect(inside).toMatch(/Given up[^]*1 attempt · answered 401/);
		expect(inside).toMatch(new RegExp(`Sent to ${visit.receiver.url}[^]*"text": "denied"`));
		expect(inside).toMatch(
			new RegExp(`webhook-id: ${id}[^]*webhook-signature: v1,[^]*Answered[^]*401 after[^]*no`),
		);
	});

	it.each([
		['Deliver twice', { duplicate: 2 }],
		['Deliver late', { delayMs: 5000 }],
		['Out of order', { shuffle: true }],
		['Forge signatures', { forge: true }],
		['Hold deliveries', { pause: true }],
	])('switches trouble: %s', async (name, mode) => {
		await visit.open();
		const readMode = async () =>
			(await (await fetch(`${visit.simulator.pageUrl}/simulator/delivery`)).json()) as object;
		const toggle = visit.page.getByRole('switch', { name });
		const before = await readMode();
		const answered = visit.page.waitForResponse(/delivery$/);
		await toggle.focus();
		await visit.page.keyboard.press('Space');
		await answered;
		expect(await readMode()).toMatchObject(mode);
		visit.simulator.reset();
		await waitFor('the switch to be off', async () => !(await toggle.isChecked()));
		expect(await readMode()).toEqual(before);
	});

	it('makes sends fail, and work again', async () => {
		await visit.open();
		const choice = visit.page.getByLabel('Sends');
		const planned = async (label: string) => {
			const answered = visit.page.waitForResponse(/faults/);
			await choice.selectOption(label);
			await answered;
		};
		await planned('fail with 502');
		expect(await visit.send(ana.phone, 'x')).toBe(502);
		await planned('work');
		await waitFor('the fault to go', () => visit.simulator.faults.list().length === 0);
		expect(await visit.send(ana.phone, 'x')).toBe(202);
		await visit.page.locator('#requests summary', { hasText: '502' }).waitFor();
	});

	it('tells what each connection means, and pairs only a number that was logged out', async () => {
		await visit.open();
		const press = async (name: string) =>
			await visit.page.getByRole('button', { name, exact: true }).click();
		const newCode = visit.page.getByRole('button', { name: 'New code' });
		const code = visit.page.getByText(/^\d{4} \d{4}$/);
		const notice = visit.page.locator('#notice');
		for (const [name, about] of [
			['Disconnected', /link has dropped/],
			['Banned', /banned the number for 60 minutes\. Reason: Too many messages/],
			['Logged out', /has to be paired again/],
		] as const) {
			await press(name);
			await visit.page.locator('#pill', { hasText: name }).waitFor();
			expect(await notice.innerText()).toMatch(about);
			expect(await newCode.isVisible()).toBe(name === 'Logged out');
		}
		await press('New code');
		await code.waitFor();
		await press('Let it expire');
		await visit.page.getByText('No pairing code').waitFor();
		await press('New code');
		await code.waitFor();
		await press('Banned');
		await code.waitFor({ state: 'hidden' });
		await press('Connected');
		await visit.page.locator('#pill', { hasText: 'Connected' }).waitFor();
		expect(await notice.isVisible()).toBe(false);
		expect(await newCode.isVisible()).toBe(false);
		await visit.simulator.drained();
		expect(
			visit.simulator.deliveries.map(
				({ body }) => (JSON.parse(body) as { data: { status: string } }).data.status,
			),
		).toEqual(
			expect.arrayContaining([
				'BANNED',
				'CONNECTED',
				'DISCONNECTED',
				'EXPIRED',
				'GENERATED',
				'LOGGED_OUT',
			]),
		);
	});

	it('starts over with the sample chats', async () => {
		await visit.open();
		await visit.chat('Ana Souza');
		await visit.page.keyboard.type('forget me');
		await visit.page.keyboard.press('Enter');
		await visit.send(bruno.phone, 'forget me too');
		await visit.entry(/Bruno Carvalho.*1 unread/s).waitFor();
		visit.page.once('dialog', (dialog) => void dialog.accept());
		await visit.page.getByRole('button', { name: 'Start over' }).click();
		await visit.bubble('forget me').waitFor({ state: 'detached' });
		await visit.bubble('We do, fresh at nine.').waitFor();
		await visit.entry('Bruno Carvalho').filter({ hasText: 'Your order is ready' }).waitFor();
		expect(await visit.page.getByText('unread').count()).toBe(0);
	});

	it('shows of each request what was sent and what was answered', async () => {
		await visit.open();
		await visit.send(ana.phone, 'look inside');
		const [{ messageId }] = visit.simulator.acceptedSends();
		const line = visit.page.locator('#requests details', { hasText: 'send-text' });
		await line.locator('summary').click();
		const inside = await line.innerText();
		expect(inside).toMatch(/Sent with the instance token[^]*"text": "look inside"/);
		expect(inside).toMatch(new RegExp(`Answered 202[^]*"messageId": "${messageId}"`));
	});
});
