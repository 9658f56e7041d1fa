import { randomUUID } from 'node:crypto';
import { chain, makeEntrance } from '../../../host/drafts/nodes';
import { createTriggerWorkflow, publish, startPublished } from '../../../host/drafts/workflows';
import { startHost, type Host } from '../../../host/host';
import { waitFor } from '../../../host/waiting';
import { PEOPLE, type GatewayEvent } from '../../../simulator';
import { to } from '../../oracle/document';
import { ANA, BRUNO, FAMILY, makeAsk, publishAsk, type OpenQuestion } from '../drafts/asking';

let host: Host;

beforeAll(async () => {
	host = await startHost();
});

beforeEach(() => {
	host.gateway.reset();
});

afterEach(() => {
	expect(host.gateway.webhooks()).toEqual([]);
});

afterAll(async () => {
	await host?.stop();
});

const asAna = { phone: ANA };

/** Waits until everything was delivered that is on its way. */
async function settle(): Promise<void> {
	await host.gateway.drained();
	await waitFor('the webhooks of answered questions to go', async () => {
		const open = await host.api.request<{ results: unknown[] }>(
			'GET',
			`/executions?filter=${encodeURIComponent('{"status":["waiting"]}')}`,
		);
		return host.gateway.webhooks().length === open.results.length;
	});
}

/** What was answered to each delivery of an event; all are in the end 200. */
async function deliver(event: GatewayEvent): Promise<void> {
	await host.gateway.drained();
	const made = host.gateway.deliveries.filter(({ eventId }) => eventId === event.id);
	expect(made.at(-1)?.status).toBe(200);
}

describe('a reply', () => {
	it('is whatever the person writes next, and nothing else', async () => {
		const { gateway } = host;
		const workflow = await publishAsk(host);
		const question = await workflow.ask('order 42');
		expect(question.sent).toMatchObject({ to: ANA, text: 'Shall we?' });

		const reply = (data: object, others: object = {}) =>
			gateway.emit({
				type: 'MESSAGE.RECEIVED',
				data: {
					messageId: randomUUID(),
					chat: { id: PEOPLE[0].id, type: 'CONTACT', phone: ANA },
					sender: { id: PEOPLE[0].id, phone: ANA },
					fromMe: false,
					text: 'Yes',
					messageType: 'TEXT',
					...data,
				},
				...others,
			});
		await settle();
		await deliver(gateway.write('Yes', { phone: BRUNO }));
		await deliver(gateway.write('Yes', { chatId: FAMILY, phone: ANA }));
		await deliver(gateway.write('Yes', { chatId: PEOPLE[0].id, isStatus: true }));
		await deliver(reply({ fromMe: true, sender: undefined }));
		await deliver(reply({}, { timestamp: new Date(Date.now() - 60_000).toISOString() }));
		await deliver(reply({}, { instanceId: 'another number of the account' }));
		gateway.writeAsOwner('Yes', asAna);
		gateway.setConnection('DISCONNECTED');
		gateway.setConnection('CONNECTED');
		await gateway.drained();
		expect(await question.isOpen()).toBe(true);

		const event = gateway.write('At eight 👋', asAna);
		expect(await question.answer()).toEqual({
			answered: true,
			text: 'At eight 👋',
			chatInput: 'At eight 👋',
			event: JSON.parse(JSON.stringify(event)) as object,
			note: 'order 42',
		});
		await settle();
	});

	it('comes from a person whose number the network hides, whichever way they were asked', async () => {
		const { gateway } = host;
		const davi = PEOPLE[3].id;
		const byId = await (await publishAsk(host, { to: to('id', davi) })).ask();
		const byPhone = await (await publishAsk(host)).ask();
		await gateway.drained();
		gateway.write('From Davi', { chatId: davi });
		expect(await byId.answer()).toMatchObject({ text: 'From Davi' });

		expect(await byPhone.isOpen()).toBe(true);
		gateway.emit({
			type: 'MESSAGE.RECEIVED',
			data: {
				messageId: 'M1',
				chat: { id: PEOPLE[0].id, type: 'CONTACT' },
				sender: { id: PEOPLE[0].id },
				fromMe: false,
				text: 'From Ana',
			},
		});
		expect(await byPhone.answer()).toMatchObject({ text: 'From Ana' });
		await settle();
	});

	it('resumes once, however many come at the same time', async () => {
		const { api, gateway, n8n } = host;
		const path = randomUUID();
		const pass = { operation: 'sendText', to: to('phone', BRUNO), text: '={{ $json.text }}' };
		const nodes = [
			...makeEntrance(path),
			makeAsk(host.credentials),
			makeAsk(host.credentials, pass, { name: 'Pass On' }),
		];
		const id = await publish(api, { name: path, nodes, connections: chain(nodes) });
		await startPublished(n8n.url, path, { items: [{}] });
		await waitFor(
			'the question',
			async () => (await api.listExecutions(id, ['waiting'])).length === 1,
		);
		await gateway.drained();
		gateway.setDelivery({ duplicate: 3 });
		for (const text of ['one', 'two', 'three']) gateway.write(text, asAna);
		await api.waitForExecutions(id, 1);
		await settle();
		const [, ...passed] = gateway.acceptedSends();
		expect(passed).toMatchObject([{ to: BRUNO, text: expect.stringMatching(/one|two|three/) }]);
	});

	it('must quote the question where that is wanted', async () => {
		const { gateway } = host;
		const question = await (
			await publishAsk(host, { options: { requireQuotedReply: true } })
		).ask();
		await gateway.drained();
		await deliver(gateway.write('No quote', asAna));
		await deliver(gateway.write('Another quote', { ...asAna, quotedMessageId: 'ANOTHER' }));
		expect(await question.isOpen()).toBe(true);
		gateway.write('The quote', { ...asAna, quotedMessageId: question.sent.messageId });
		expect(await question.answer()).toMatchObject({ text: 'The quote' });
		await settle();
	});
});

interface Writing {
	buttonReplyId?: string;
	/** Whether the question is quoted. */
	isQuoting?: boolean;
}

describe('a choice', () => {
	const parameters = {
		responseType: 'choice',
		choices: 'Hoje de manhã\nAmanhã à tarde',
		options: { askAgain: { values: { text: 'Um número, por favor.', maxAttempts: 2 } } },
	};

	it('is asked for again as often as allowed, and made by its words', async () => {
		const { gateway } = host;
		const question = await (await publishAsk(host, parameters)).ask();
		expect(question.sent.text).toBe('Shall we?\n\n1. Hoje de manhã\n2. Amanhã à tarde');
		await gateway.drained();
		gateway.setDelivery({ duplicate: 3 });
		for (const text of ['Quando?', 'Hoje', 'Ontem']) {
			gateway.write(text, asAna);
			await gateway.drained();
		}
		await waitFor('the second time', () => gateway.acceptedSends().length === 3);
		await gateway.drained();
		expect(
			gateway
				.acceptedSends()
				.slice(1)
				.map(({ to: chat, text }) => [chat, text]),
		).toEqual(Array(2).fill([PEOPLE[0].id, 'Um número, por favor.']));
		gateway.write('amanha a TARDE', asAna);
		expect(await question.answer()).toMatchObject({
			answered: true,
			text: 'amanha a TARDE',
			choice: 'Amanhã à tarde',
		});
		await settle();
	});

	it.each([
		['its number', '1', {}],
		['a button', 'Press here', { buttonReplyId: '1' }],
		['the words of a button', 'Press here', { buttonReplyId: 'hoje_de_manha' }],
		['a quoting message', '1.', { isQuoting: true }],
	])('is made by %s', async (_how, text, { isQuoting, ...writing }: Writing) => {
		const question = await (await publishAsk(host, parameters)).ask();
		await host.gateway.drained();
		const quotedMessageId = isQuoting ? question.sent.messageId : undefined;
		host.gateway.write(text, { ...asAna, ...writing, quotedMessageId });
		expect(await question.answer()).toMatchObject({ choice: 'Hoje de manhã' });
		await settle();
	});
});

describe('an approval', () => {
	const approvalOptions = { values: { approveLabel: 'Reembolsar', disapproveLabel: 'Recusar' } };

	it.each([
		['Sim, por favor', true],
		['2', false],
		['recusar', false],
	])('is read from %j', async (text, approved) => {
		const parameters = { responseType: 'approval', approvalOptions };
		const question = await (await publishAsk(host, parameters)).ask();
		await host.gateway.drained();
		await deliver(host.gateway.write('Sim, mas só metade', asAna));
		await deliver(host.gateway.write('Press here', { ...asAna, buttonReplyId: 'reembolsar' }));
		expect(await question.isOpen()).toBe(true);
		host.gateway.write(text, asAna);
		expect(await question.answer()).toMatchObject({ answered: true, approved, text });
		await settle();
	});
});

describe('in a group', () => {
	const ask = async (options: object): Promise<OpenQuestion> => {
		const question = await (await publishAsk(host, { to: to('list', FAMILY), options })).ask();
		await host.gateway.drained();
		return question;
	};

	it('the first who answers counts', async () => {
		const question = await ask({});
		await deliver(host.gateway.write('In her own chat', asAna));
		host.gateway.write('Bruno', { chatId: FAMILY, phone: BRUNO });
		expect(await question.answer()).toMatchObject({ text: 'Bruno' });
		await settle();
	});

	it('the person asked counts', async () => {
		const question = await ask({ person: ANA });
		await deliver(host.gateway.write('Bruno', { chatId: FAMILY, phone: BRUNO }));
		expect(await question.isOpen()).toBe(true);
		host.gateway.write('Ana', { chatId: FAMILY, phone: ANA });
		expect(await question.answer()).toMatchObject({ text: 'Ana' });
		await settle();
	});
});

describe('before anything is sent', () => {
	it('several items are refused, with what to do', async () => {
		const error = await (await publishAsk(host)).askInVain([{}, {}]);
		expect(error.message).toMatch(/one answer only/);
		expect(error.description).toMatch(/Nothing was sent.*Execute Sub-Workflow.*Loop Over Items/);
		expect(host.gateway.requests).toEqual([]);
	});

	it.each(['={{ $json.manager }}', '={{ null }}', ''])(
		'a group is not asked where Person Asked names nobody: %j',
		async (person) => {
			const group = { to: to('list', FAMILY), responseType: 'approval', options: { person } };
			const error = await (await publishAsk(host, group)).askInVain();
			expect(error.message).toMatch(/^Person Asked is empty\./);
			expect(error.description).toMatch(/Nothing was sent/);
			expect(host.gateway.requests).toEqual([]);
		},
	);

	it('one question more than may be open is refused, and asked when there is room', async () => {
		const { gateway } = host;
		const workflow = await publishAsk(host, { options: { maxOpenQuestions: 2 } });
		const first = await workflow.ask();
		const second = await workflow.ask();
		const error = await workflow.askInVain();
		expect(error.message).toMatch(/^2 questions are open/);
		expect(error.description).toMatch(/Nothing was sent.*Max Open Questions/);
		expect(gateway.acceptedSends()).toHaveLength(2);

		await host.api.stopExecution(second.executionId);
		const third = await workflow.ask();
		await gateway.drained();
		gateway.write('Both', asAna);
		for (const question of [first, third])
			expect(await question.answer()).toMatchObject({ text: 'Both' });
		await settle();
	});
});

describe('the option Ignore Answers to Questions', () => {
	it('keeps what answers a question from starting a workflow too, and nothing else', async () => {
		const { api, gateway } = host;
		const trigger = await createTriggerWorkflow(host, {
			parameters: { options: { ignoreAnswers: true } },
		});
		const other = await createTriggerWorkflow(host);
		for (const { id } of [trigger, other]) await api.publish(id);
		const workflow = await publishAsk(host, {
			responseType: 'choice',
			choices: 'Red\nBlue',
		});
		const question = await workflow.ask();
		await gateway.drained();
		for (const [text, phone] of [
			['Hello', BRUNO],
			['Which blue?', ANA],
			['Blue', ANA],
		]) {
			gateway.write(text, { phone });
			await gateway.drained();
		}
		expect(await question.answer()).toMatchObject({ choice: 'Blue' });
		gateway.write('Thank you', asAna);
		await gateway.drained();

		const textsOf = async (id: string, count: number) =>
			(await api.waitForExecutions(id, count)).map(
				({ data }) => (data.resultData.runData.Next[0].data?.main[0]?.[0].json ?? {}).text,
			);
		expect(await textsOf(other.id, 4)).toEqual(['Hello', 'Which blue?', 'Blue', 'Thank you']);
		expect(await textsOf(trigger.id, 3)).toEqual(['Hello', 'Which blue?', 'Thank you']);
		for (const { id } of [trigger, other]) await api.unpublish(id);
		await settle();
	});
});
