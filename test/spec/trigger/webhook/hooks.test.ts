import { randomUUID } from 'node:crypto';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	NodeParameterValueType,
	WorkflowActivateMode,
} from 'n8n-workflow';
import type { Fault } from '../../../../lab/simulator';
import type { BuiltWorkflow } from '../../../support/engine';
import { engine, gateway } from '../../../support/engineAndGateway';
import { failuresOf } from '../../../support/receiving';
import { credentialsOf } from '../../../support/runOperation';

const PRODUCTION = 'https://n8n.example.com/webhook';
const SOMEBODY_ELSE = 'https://somebody.example.com/hook';

interface Draft {
	parameters?: Record<string, NodeParameterValueType>;
	credential?: ICredentialDataDecryptedObject;
	staticData?: IDataObject;
	webhookId?: string;
	name?: string;
	production?: string;
	id?: string;
}

function build(draft: Draft = {}): BuiltWorkflow {
	const {
		name = 'Trigger',
		webhookId = 'hook-1',
		parameters,
		staticData,
		production = PRODUCTION,
	} = draft;
	return engine.build(
		{
			id: draft.id ?? randomUUID(),
			nodes: [{ type: 'messagingGatewayTrigger', name, webhookId, parameters }],
			credentials: credentialsOf(gateway, draft.credential),
			staticData: staticData ?? {},
		},
		{ production, test: `${production}-test` },
	);
}

const recordOf = ({ staticData }: BuiltWorkflow, name = 'Trigger') =>
	staticData[`node:${name}`] as IDataObject;
const urls = () => gateway.webhooks().map(({ url }) => url);

describe('publishing', () => {
	it('creates one webhook and keeps exactly what is needed of it', async () => {
		const options = { customEvents: 'MESSAGE.EDITED, MESSAGE.RECEIVED' };
		const workflow = build({ parameters: { events: ['MESSAGE.RECEIVED'], options } });
		await engine.publish(workflow);

		const [webhook] = gateway.webhooks();
		expect(webhook).toMatchObject({
			url: `${PRODUCTION}/hook-1/webhook`,
			events: ['MESSAGE.EDITED', 'MESSAGE.RECEIVED'],
		});
		expect(recordOf(workflow)).toEqual({
			webhookId: webhook.id,
			secret: webhook.secret,
			url: webhook.url,
			gateway: gateway.url,
			events: webhook.events,
		});
	});

	it.each([
		{ what: 'has had another address', change: { url: 'https://old.example.com' } },
		{ what: 'has had another gateway', change: { gateway: 'https://old.example.com' } },
		{ what: 'has lost the secret', change: { secret: undefined } },
		{ what: 'has half of the secret', change: { secret: 'whsec_half' } },
	])('makes the webhook anew if n8n $what between two starts', async ({ change }) => {
		const workflow = build();
		await engine.publish(workflow);
		const [{ id: before }] = gateway.webhooks();
		await (await engine.trigger(workflow)).close();
		Object.assign(recordOf(workflow), change);
		const foreign = gateway.createWebhook({ url: SOMEBODY_ELSE, events: ['MESSAGE.RECEIVED'] });

		await engine.publish(workflow);
		const ours = gateway.webhooks().filter(({ url }) => url !== SOMEBODY_ELSE);
		expect(ours).toHaveLength(1);
		expect(ours[0].id).not.toBe(before);
		expect(recordOf(workflow)).toMatchObject({ webhookId: ours[0].id, secret: ours[0].secret });
		expect(gateway.webhooks()).toContainEqual(foreign);
	});

	it('puts back what somebody has written over since, without a new webhook', async () => {
		const workflow = build();
		await engine.publish(workflow);
		const [webhook] = gateway.webhooks();
		const record = { ...recordOf(workflow) };
		Object.assign(recordOf(workflow), { webhookId: 'wh_old', secret: 'whsec_old' });

		await engine.publish(workflow);
		expect(gateway.webhooks()).toEqual([webhook]);
		expect(recordOf(workflow)).toEqual(record);
	});

	it('leaves the original’s webhook alone when a copy on another n8n brings its record along', async () => {
		const original = build();
		await engine.publish(original);
		const [webhook] = gateway.webhooks();
		const staging = 'https://staging.example.com/webhook';
		const copy = build({
			production: staging,
			staticData: JSON.parse(JSON.stringify(original.staticData)) as IDataObject,
		});

		await engine.publish(copy);
		expect(urls()).toEqual([webhook.url, `${staging}/hook-1/webhook`]);
		await engine.hook('delete', copy);
		expect(gateway.webhooks()).toEqual([webhook]);
	});
});

const FAULTS: Fault[] = ['cutBefore', 'acceptThenStatus', { status: 403 }, { status: 404 }];

it.each<[method: string, fault: Fault]>([
	...FAULTS.map((fault): [string, Fault] => ['GET', fault]),
	...FAULTS.map((fault): [string, Fault] => ['DELETE', fault]),
	...FAULTS.map((fault): [string, Fault] => ['POST', fault]),
	['GET', 'html'],
	['POST', 'html'],
])(
	'a publication whose %s meets %j fails; the next one leaves one live record, with its secret',
	async (method, fault) => {
		const before = build({ parameters: { events: ['MESSAGE.RECEIVED', 'MESSAGE.SENT'] } });
		await engine.publish(before);
		const { staticData } = before;
		const workflow = build({ staticData, parameters: { events: ['MESSAGE.SENT'] } });
		gateway.faults.add({ match: { method }, fault });
		await expect(engine.publish(workflow)).rejects.toThrow();
		expect(gateway.webhooks().length).toBeLessThanOrEqual(1);
		await engine.publish(workflow);

		expect(gateway.webhooks()).toMatchObject([{ events: ['MESSAGE.SENT'] }]);
		expect(recordOf(workflow)).toMatchObject({ secret: gateway.webhooks()[0].secret });
	},
);

describe('unpublishing', () => {
	it('removes the webhook and what was kept, and nobody else’s', async () => {
		const workflow = build();
		await engine.publish(workflow);
		gateway.createWebhook({ url: SOMEBODY_ELSE, events: ['MESSAGE.RECEIVED'] });
		gateway.createWebhook({
			url: `${PRODUCTION}/hook-1/webhook/deeper`,
			events: ['MESSAGE.RECEIVED'],
		});

		await engine.hook('delete', workflow);
		expect(urls()).toEqual([SOMEBODY_ELSE, `${PRODUCTION}/hook-1/webhook/deeper`]);
		expect(recordOf(workflow)).toEqual({});
	});

	it('leaves a webhook that the gateway does not delete to the next publication, without an error', async () => {
		const workflow = build();
		await engine.publish(workflow);
		const [{ id: leftId }] = gateway.webhooks();

		gateway.faults.add({ match: { method: 'DELETE' }, fault: { status: 502 } });
		expect(await engine.hook('delete', workflow)).toBe(true);
		expect(gateway.webhooks()).toMatchObject([{ id: leftId }]);

		await engine.publish(workflow);
		expect(gateway.webhooks()).toHaveLength(1);
		expect(recordOf(workflow).webhookId).toBe(gateway.webhooks()[0].id);
	});
});

describe('an activation that cannot work says why', () => {
	const failure = async (draft: Draft, activation?: WorkflowActivateMode) =>
		await engine.publish(build(draft), { activation }).then(
			() => {
				throw new Error('It was published');
			},
			(error: Error) => error.message,
		);

	it.each([
		['http://localhost:5678/webhook', 'only this machine'],
		['http://n8n:5678/webhook', 'in a private network'],
		['n8n.example.com/webhook', 'no web address'],
	])('a webhook URL like %s that a distant gateway cannot reach', async (production, reason) => {
		const credential = { baseUrl: 'https://gateway.example.com' };
		const message = await failure({ production, credential });

		expect(message).toContain(production);
		expect(message).toContain(reason);
		expect(message).toContain('N8N_WEBHOOK_URL');
	});

	it.each([
		['Message Received', /does not serve.*"Message Received".*Rename.*webhookId/],
		['Café', /does not serve.*"Café"/],
		['Message-Received_1.(2)', undefined],
	])(
		'knows whether n8n serves the URL of a trigger named %s without a webhookId',
		async (name, words) => {
			const workflow = build({ name });
			delete workflow.node().webhookId;
			const published = expect(engine.publish(workflow));
			await (words ? published.rejects.toThrow(words) : published.resolves.toBeUndefined());
			expect(gateway.webhooks()).toHaveLength(words ? 0 : 1);
		},
	);

	it.each(['activate', 'update', 'manual'] as const)(
		'says at %s that the gateway does not accept a token',
		async (activation) => {
			const published = failure({ credential: { accountToken: 'svc_acct_no' } }, activation);
			expect(await published).toMatch(
				/HTTP 401 .*does not accept the token in 'Account Token' of the credential/,
			);
			expect(await published).not.toContain('svc_acct_no');
		},
	);

	it('refuses no event, one in small letters, and an unknown type of chats', async () => {
		expect(await failure({ parameters: { events: [] } })).toContain('at least one event');
		const events = await failure({ parameters: { events: ['message.received'] } });
		expect(events).toMatch(/"message.received" cannot be one of .*in capitals/);
		const chatTypes = await failure({ parameters: { chatTypes: ['groups'] } });
		expect(chatTypes).toMatch(/"groups" cannot be one of Chat Types.*group/);
	});

	it('says that the secret of the gateway is too short', async () => {
		const data = { id: 'wh_1', secret: 'whsec_c2hvcnQ=' };
		gateway.faults.add({ match: { method: 'POST' }, fault: { status: 201, body: { data } } });
		expect(await failure({})).toMatch(/its secret is not safe: its key is shorter than 24 bytes/);
	});
});

describe('manual webhook setup', () => {
	const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
	const parameters = { webhookSetup: 'manual' };

	it.each([
		['no secret', '', /cannot be right: it is empty.*enter the whole secret/],
		['a malformed one', 'whsec_not base64!', /cannot be right.*not base64/],
	])(
		'refuses %s, and says what to do in the one sentence that n8n shows',
		async (_case, webhookSecret, words) => {
			await expect(
				engine.publish(build({ parameters, credential: { webhookSecret } })),
			).rejects.toThrow(words);
		},
	);

	it.each([
		['maxPerExecution', 5_000, /"5000" cannot be 'Max per Execution'.*1 to 1000/],
		['combineMessages', { values: { quietSeconds: 7 } }, /'Quiet Time .* at most 6, or 60 with/],
		['combineMessages', { values: { maxWaitSeconds: 1 } }, /cannot be 'Max Wait.*5 to 60/],
		['oneTurnAtATime', { values: { maxTurnMinutes: 90 } }, /cannot be 'Max Turn.*0.1 to 60/],
		['senders', '+5511987654321, Ana', /"Ana" cannot be one of Only From/],
		['senders', 'status@broadcast', /cannot be one of Only From/],
		['senders', '1@broadcast', /cannot be one of Only From/],
		['senders', '1@g.us', /cannot be one of Only From/],
		['senders', '1@newsletter', /cannot be one of Only From/],
		['senders', '1@', /cannot be one of Only From/],
		['senders', '={{ undefined }}', /'Only From' is empty/],
	])('refuses to be published with a %s of %j', async (name, value, words) => {
		const credential = { webhookSecret: SECRET };
		for (const webhookSetup of ['automatic', 'manual']) {
			for (const confirmWhen of ['started', 'succeeded']) {
				const options = { [name]: value, confirmWhen };
				const draft = { parameters: { webhookSetup, options }, credential };
				await expect(engine.publish(build(draft))).rejects.toThrow(words);
			}
		}
		expect(gateway.requests).toEqual([]);
	});

	it('makes no request, receives with the secret of the credential, and raises alarms', async () => {
		const maxStartsPerConversation = { values: { maxStarts: 1, minutes: 10 } };
		const secret = gateway.createWebhook({
			url: SOMEBODY_ELSE,
			events: ['MESSAGE.RECEIVED'],
		}).secret;
		const receiver = await engine.receive({
			id: randomUUID(),
			nodes: [
				{
					type: 'messagingGatewayTrigger',
					webhookId: 'hook',
					parameters: { ...parameters, options: { maxStartsPerConversation } },
				},
			],
			credentials: credentialsOf(gateway, { webhookSecret: ` ${secret}\n` }),
			// Of the time before, when the setup was automatic.
			staticData: { 'node:Messaging Gateway Trigger': { secret: SECRET } },
		});
		gateway.deleteWebhook(gateway.webhooks()[0].id);
		gateway.createWebhook({ url: receiver.url, events: ['MESSAGE.RECEIVED'] });
		gateway.webhooks()[0].secret = secret;
		await engine.publish(receiver.built);
		for (const words of ['Hello', 'Hello?']) gateway.write(words);
		await gateway.drained();
		await engine.hook('delete', receiver.built);

		expect([...gateway.requests, ...receiver.violations]).toEqual([]);
		const reached = { message: expect.stringMatching(/has reached/) };
		expect(await failuresOf(receiver)).toMatchObject([reached]);
		expect(receiver.executions).toHaveLength(2);
		await receiver.stop();
	});
});
