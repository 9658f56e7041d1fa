import { DEMO_POLL, groupIdAt, type Simulator, startSimulator } from '../simulator';
import { callGateway } from '../simulator/client';

// Cases retyped from the API document: Endpoints, Resources and their fields, Authentication, Errors.

let simulator: Simulator;

beforeAll(async () => {
	simulator = await startSimulator();
});
afterAll(async () => await simulator.stop());
beforeEach(() => simulator.reset({ webhooks: true }));

const COMMUNITY = '120363900000000001@g.us';
const TO = '5511900000001';
const SETTINGS = {
	rejectCall: true,
	msgRejectCall: '',
	readMessages: false,
	ignoreGroups: true,
	ignoreStatus: false,
};

interface Endpoint {
	request: string;
	token: 'instance' | 'account';
	body?: Record<string, unknown>;
	required?: string[];
	status?: number;
	answer: unknown;
}

const SUCCESS = { data: { success: true } };
const versionedText = (text: string) => ({ text, id: expect.any(String), updateTime: expect.stringMatching(/^\d{10}$/) });

const ENDPOINTS: Endpoint[] = [
	{
		request: 'POST /v1/messages/send-text',
		token: 'instance',
		body: { to: TO, text: 'Bom dia' },
		required: ['to', 'text'],
		status: 202,
		answer: { data: { messageId: expect.any(String) } },
	},
	{
		request: 'POST /v1/messages/presence',
		token: 'instance',
		body: { to: TO, presence: 'COMPOSING', isAudio: true },
		required: ['to'],
		answer: SUCCESS,
	},
	{ request: `GET /v1/messages/poll-results?messageId=${DEMO_POLL.messageId}`, token: 'instance', answer: { data: DEMO_POLL } },
	{ request: 'POST /v1/chats/archive', token: 'instance', body: { to: TO }, required: ['to'], answer: SUCCESS },
	{ request: 'POST /v1/chats/mute', token: 'instance', body: { to: TO }, required: ['to'], answer: SUCCESS },
	...['assign', 'unassign'].map((action): Endpoint => ({
		request: `POST /v1/labels/${action}-message`,
		token: 'instance',
		body: { to: TO, labelId: '3', messageId: 'A1' },
		required: ['to', 'labelId', 'messageId'],
		answer: SUCCESS,
	})),
	{ request: 'POST /v1/profile/update-status', token: 'instance', body: { status: '' }, required: ['status'], answer: SUCCESS },
	{
		request: 'POST /v1/communities/create',
		token: 'instance',
		body: { name: 'Bairro' },
		required: ['name'],
		answer: { data: { id: expect.stringMatching(/@g\.us$/), name: 'Bairro' } },
	},
	{
		request: 'POST /v1/communities/add-groups',
		token: 'instance',
		body: { id: COMMUNITY, groups: [groupIdAt(0), 'unknown@g.us', groupIdAt(2)] },
		required: ['id', 'groups'],
		answer: { data: { added: [groupIdAt(0), groupIdAt(2)], failed: ['unknown@g.us'] } },
	},
	{
		request: 'POST /v1/newsletters/create',
		token: 'instance',
		body: { name: 'Novidades', description: 'Toda semana' },
		required: ['name'],
		answer: {
			data: {
				id: expect.stringMatching(/@newsletter$/),
				state: { type: 'ACTIVE' },
				threadMetadata: {
					creationTime: expect.stringMatching(/^\d{10}$/),
					inviteCode: expect.any(String),
					name: versionedText('Novidades'),
					description: versionedText('Toda semana'),
					subscribersCount: 0,
					verification: 'UNVERIFIED',
					picture: null,
					preview: null,
					settings: { reactionCodes: { value: 'ALL' } },
				},
				viewerMetadata: { mute: 'OFF', role: 'OWNER' },
			},
		},
	},
	{ request: 'POST /v1/instance/disconnect', token: 'instance', answer: SUCCESS },
	{ request: 'POST /v1/instance/reconnect', token: 'instance', answer: SUCCESS },
	{
		request: 'POST /v1/instance/settings',
		token: 'instance',
		body: SETTINGS,
		required: Object.keys(SETTINGS),
		answer: { data: SETTINGS },
	},
	{
		request: 'GET /v1/instance/settings',
		token: 'instance',
		answer: { data: { ...SETTINGS, rejectCall: false, ignoreGroups: false } },
	},
	{ request: 'GET /v1/groups', token: 'instance', answer: { data: expect.arrayContaining([expect.objectContaining({ id: groupIdAt(0) })]) } },
	{ request: 'GET /v1/communities', token: 'instance', answer: { data: [expect.objectContaining({ id: COMMUNITY })] } },
	{ request: 'GET /v1/newsletters', token: 'instance', answer: { data: [expect.objectContaining({ state: { type: 'ACTIVE' } })] } },
	{ request: 'GET /v1/instances', token: 'account', answer: { data: [expect.objectContaining({ status: 'CONNECTED' })] } },
	{ request: 'GET /v1/webhooks', token: 'account', answer: { data: [] } },
	{
		request: 'POST /v1/webhooks',
		token: 'account',
		body: { url: 'https://n8n.example.com/webhook/1', events: ['MESSAGE.RECEIVED'] },
		required: ['url', 'events'],
		answer: {
			data: {
				id: expect.any(String),
				url: 'https://n8n.example.com/webhook/1',
				events: ['MESSAGE.RECEIVED'],
				enabled: true,
				secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
				createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
			},
		},
	},
];

const ERROR = { error: expect.stringMatching(/./) };

describe.each(ENDPOINTS)('$request', ({ request, token, body, required = [], status = 200, answer }) => {
	const [method, path] = request.split(' ');
	const call = async (given: unknown, kind: 'instance' | 'account' | 'unknown' | null = token) => {
		const tokens = { instance: simulator.instanceToken, account: simulator.accountToken, unknown: 'svc_inst_x' };
		return await callGateway(simulator, method, path, { body: given, token: kind && tokens[kind] });
	};

	it('answers as documented', async () => {
		expect(await call(body)).toMatchObject({ status, body: answer });
	});

	it('refuses a missing or unknown token with 401, and the other kind with 403', async () => {
		expect(await call(body, null)).toMatchObject({ status: 401, body: ERROR });
		expect(await call(body, 'unknown')).toMatchObject({ status: 401, body: ERROR });
		const other = token === 'instance' ? 'account' : 'instance';
		expect(await call(body, other)).toMatchObject({ status: 403, body: ERROR });
	});

	it('refuses a field and a query parameter that are not documented', async () => {
		const stranger = method === 'GET' ? undefined : { ...body, stranger: 1 };
		if (stranger) expect(await call(stranger)).toMatchObject({ status: 400, body: ERROR });
		const separator = path.includes('?') ? '&' : '?';
		const answered = await callGateway(simulator, method, `${path}${separator}limit=1`, {
			body,
			token: token === 'instance' ? simulator.instanceToken : simulator.accountToken,
		});
		expect(answered).toMatchObject({ status: 400, body: ERROR });
	});

	for (const field of required) {
		it(`needs ${field}, and of its own type`, async () => {
			const { [field]: _, ...rest } = body ?? {};
			expect(await call(rest)).toMatchObject({ status: 400, body: ERROR });
			for (const wrong of [null, 7, { a: 1 }]) {
				expect(await call({ ...body, [field]: wrong })).toMatchObject({ status: 400, body: ERROR });
			}
		});
	}
});

describe('beyond the shape', () => {
	const post = async (path: string, body: unknown) =>
		await callGateway(simulator, 'POST', path, { body, token: simulator.instanceToken });

	it.each(['+55 (11) 90000-0001', '5511900000001', '55 11 9.0000.0001', '551190000001@lid', groupIdAt(1)])(
		'takes %s as a recipient',
		async (to) => expect((await post('/v1/messages/send-text', { to, text: 'x' })).status).toBe(202),
	);

	it.each(['Ana', '12', '+55119000000012345', '', '@g.us', 'a b@g.us', '0800-123-4567'])(
		'refuses %p as a recipient',
		async (to) => expect((await post('/v1/messages/send-text', { to, text: 'x' })).status).toBe(400),
	);

	it('sends to one conversation for both spellings of a Brazilian mobile number', async () => {
		await post('/v1/messages/send-text', { to: '+55 31 99000-0003', text: 'new form' });
		await post('/v1/messages/send-text', { to: '553190000003', text: 'old form' });
		const carla = simulator.chats().find(({ name }) => name === 'Carla Mendes');
		expect(carla?.messages.map(({ text }) => text)).toEqual(['new form', 'old form']);
	});

	it('refuses a presence that is none of the two, and an empty list of groups', async () => {
		expect((await post('/v1/messages/presence', { to: TO, presence: 'TYPING' })).status).toBe(400);
		expect((await post('/v1/communities/add-groups', { id: COMMUNITY, groups: [] })).status).toBe(400);
	});

	it('refuses what is not JSON', async () => {
		const token = simulator.instanceToken;
		const path = '/v1/messages/send-text';
		expect(await callGateway(simulator, 'POST', path, { token, body: '{"to":' })).toMatchObject({ status: 400, body: ERROR });
		const form = { token, body: 'to=1&text=2', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
		expect(await callGateway(simulator, 'POST', path, form)).toMatchObject({ status: 400, body: ERROR });
	});

	it('keeps settings, and replaces them as a whole', async () => {
		await post('/v1/instance/settings', SETTINGS);
		const read = await callGateway(simulator, 'GET', '/v1/instance/settings', { token: simulator.instanceToken });
		expect(read.body).toEqual({ data: SETTINGS });
	});

	it('shows a webhook secret once only, edits records and forgets them', async () => {
		const token = simulator.accountToken;
		const made = await callGateway(simulator, 'POST', '/v1/webhooks', {
			token,
			body: { url: 'http://127.0.0.1/a', events: ['MESSAGE.SENT'] },
		});
		const { secret, ...record } = (made.body as { data: { id: string; secret: string } }).data;
		const path = `/v1/webhooks/${record.id}`;

		expect((await callGateway(simulator, 'GET', '/v1/webhooks', { token })).body).toEqual({ data: [record] });
		const edited = await callGateway(simulator, 'PATCH', path, { token, body: { events: ['QRCODE.UPDATED'] } });
		expect(edited.body).toEqual({ data: { ...record, events: ['QRCODE.UPDATED'] } });
		expect(simulator.webhooks()[0].secret).toBe(secret);

		expect(await callGateway(simulator, 'DELETE', path, { token })).toMatchObject({ status: 200, body: SUCCESS });
		expect(await callGateway(simulator, 'DELETE', path, { token })).toMatchObject({ status: 404, body: ERROR });
		expect(await callGateway(simulator, 'PATCH', path, { token, body: { enabled: false } })).toMatchObject({ status: 404 });
	});

	it('answers an unknown path with 404 for those who have a token, and 401 for others', async () => {
		const { instanceToken: token } = simulator;
		expect(await callGateway(simulator, 'GET', '/v1/hooks', { token })).toMatchObject({ status: 404, body: ERROR });
		expect(await callGateway(simulator, 'GET', '/v1/hooks', { token: null })).toMatchObject({ status: 401, body: ERROR });
	});

	it('cannot send while the number is not connected, nor reconnect without a saved session', async () => {
		simulator.setConnection('LOGGED_OUT');
		expect((await post('/v1/messages/send-text', { to: TO, text: 'x' })).status).toBe(502);
		expect((await post('/v1/instance/reconnect', undefined)).status).toBe(400);
		expect(simulator.acceptedSends()).toEqual([]);
	});
});

describe('recorded requests', () => {
	it('hold what came in and what was answered', async () => {
		const body = { to: '+55 11 90000-0001', text: 'olá' };
		await callGateway(simulator, 'POST', '/v1/messages/send-text', { token: simulator.instanceToken, body });
		await callGateway(simulator, 'POST', '/v1/messages/send-text', { token: null, body: { to: 1 } });
		const [accepted, refused] = simulator.requests;
		expect(accepted).toMatchObject({
			method: 'POST',
			path: '/v1/messages/send-text',
			query: {},
			body,
			rawBody: JSON.stringify(body),
			status: 202,
			token: 'instance',
			accepted: true,
		});
		expect(accepted.finishedAt).toBeGreaterThanOrEqual(accepted.startedAt);
		expect(refused).toMatchObject({ body: { to: 1 }, status: 401, token: 'none', accepted: false });
		expect(simulator.acceptedSends()).toEqual([{ ...body, messageId: expect.any(String), at: expect.any(Number) }]);
	});

	it('can be left out', async () => {
		const silent = await startSimulator({ record: false });
		await callGateway(silent, 'GET', '/v1/groups', { token: silent.instanceToken });
		expect(silent.requests).toEqual([]);
		await silent.stop();
	});
});

describe('the gaps', () => {
	it('can each be filled differently', async () => {
		const other = await startSimulator({
			basePath: '/gateway',
			webhooksPath: '/v1/hooks',
			instancesPath: '/v1/numbers',
			presenceField: 'state',
			pollParameter: 'id',
			wrapSendAnswer: false,
			wrapSettingsAnswer: false,
			nestLists: true,
			groupNameField: 'subject',
			groups: 5000,
		});
		const account = { token: other.accountToken };
		const instance = { token: other.instanceToken };
		const presence = { ...instance, body: { to: TO, state: 'PAUSED' } };
		const send = { ...instance, body: { to: TO, text: 'x' } };

		expect(other.url).toMatch(/\/gateway$/);
		expect((await callGateway(other, 'GET', '/v1/hooks', account)).body).toEqual({ data: { webhooks: [] } });
		expect((await callGateway(other, 'GET', '/v1/webhooks', account)).status).toBe(404);
		expect((await callGateway(other, 'GET', '/v1/numbers', account)).status).toBe(200);
		expect((await callGateway(other, 'POST', '/v1/messages/presence', presence)).status).toBe(200);
		expect((await callGateway(other, 'GET', `/v1/messages/poll-results?id=${DEMO_POLL.messageId}`, instance)).status).toBe(200);
		expect((await callGateway(other, 'POST', '/v1/messages/send-text', send)).body).toEqual({ messageId: expect.any(String) });
		expect((await callGateway(other, 'GET', '/v1/instance/settings', instance)).body).toHaveProperty('ignoreGroups', false);
		const { body } = await callGateway(other, 'GET', '/v1/groups', instance);
		const { groups } = (body as { data: { groups: Array<{ id: string; subject: string }> } }).data;
		expect(new Set(groups.map(({ id }) => id)).size).toBe(5000);
		expect(groups[4999].subject).toMatch(/5000$/);
		await other.stop();
	});
});
