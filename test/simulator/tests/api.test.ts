import { DEMO_POLL, groupIdAt, startSimulator, type Simulator } from '..';
import { callGateway } from '../client';

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
const versionedText = (text: string) => ({
	text,
	id: expect.any(String),
	updateTime: expect.stringMatching(/^\d{10}$/),
});

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
	{
		request: `GET /v1/messages/poll-results?messageId=${DEMO_POLL.messageId}`,
		token: 'instance',
		answer: { data: DEMO_POLL },
	},
	{
		request: 'POST /v1/chats/archive',
		token: 'instance',
		body: { to: TO },
		required: ['to'],
		answer: SUCCESS,
	},
	{
		request: 'POST /v1/chats/mute',
		token: 'instance',
		body: { to: TO },
		required: ['to'],
		answer: SUCCESS,
	},
	...['assign', 'unassign'].map((action): Endpoint => ({
		request: `POST /v1/labels/${action}-message`,
		token: 'instance',
		body: { to: TO, labelId: '3', messageId: 'A1' },
		required: ['to', 'labelId', 'messageId'],
		answer: SUCCESS,
	})),
	{
		request: 'POST /v1/profile/update-status',
		token: 'instance',
		body: { status: '' },
		required: ['status'],
		answer: SUCCESS,
	},
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
	{
		request: 'GET /v1/groups',
		token: 'instance',
		answer: { data: expect.arrayContaining([expect.objectContaining({ id: groupIdAt(0) })]) },
	},
	{
		request: 'GET /v1/communities',
		token: 'instance',
		answer: { data: [expect.objectContaining({ id: COMMUNITY })] },
	},
	{
		request: 'GET /v1/newsletters',
		token: 'instance',
		answer: {
			data: [
				{ state: { type: 'ACTIVE' }, viewerMetadata: { mute: 'ON' } },
				{ state: { type: 'SUSPENDED' }, viewerMetadata: null },
			],
		},
	},
	{
		request: 'GET /v1/instances',
		token: 'account',
		answer: { data: [expect.objectContaining({ status: 'CONNECTED' })] },
	},
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

describe.each(ENDPOINTS)(
	'$request',
	({ request, token, body, required = [], status = 200, answer }) => {
		const [method, path] = request.split(' ');
		const call = async (
			given: unknown,
			kind: 'instance' | 'account' | 'unknown' | null = token,
		) => {
			const tokens = {
				instance: simulator.instanceToken,
				account: simulator.accountToken,
				unknown: 'svc_inst_x',
			};
			return await callGateway(simulator, method, path, {
				body: given,
				token: kind && tokens[kind],
			});
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
					expect(await call({ ...body, [field]: wrong })).toMatchObject({
						status: 400,
						body: ERROR,
					});
				}
			});
		}
	},
);
