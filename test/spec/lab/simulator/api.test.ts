import { startSimulator, type Simulator } from '../../../../lab/simulator';
import {
	answerOf,
	documentedCalls,
	webhookCalls,
	type DocumentedAnswer,
	type DocumentedRequest,
} from '../../../contract/document';
import { callGateway } from '../../../support/callGateway';

// The calls retyped from docs/api.md, made without any node: what the gateway answers, and what it refuses.

let simulator: Simulator;
/** Of the webhook that the path names; stands for itself elsewhere. */
let webhookId: string;

beforeAll(async () => {
	simulator = await startSimulator();
});
afterAll(async () => await simulator.stop());

interface Exchange {
	request: DocumentedRequest;
	answer: DocumentedAnswer;
}

/** The documented requests by their endpoints, each with its answer; of several in one call, the last. */
function gatherExchanges(id: string): Map<string, Exchange[]> {
	const exchanges = new Map<string, Exchange[]>();
	for (const call of [...documentedCalls, ...webhookCalls(id)]) {
		const request = call.requests.at(-1);
		// What a person puts together alone goes to the same endpoints.
		if (request === undefined || call.resource === 'api') continue;
		const endpoint = `${request.method} ${request.path.replace(id, '{id}')}`;
		const known = exchanges.get(endpoint) ?? [];
		exchanges.set(endpoint, [...known, { request, answer: answerOf(call) }]);
	}
	return exchanges;
}

const ERROR = { error: expect.stringMatching(/./) };
const documented = gatherExchanges('{id}');

describe.each([...documented])('%s', (endpoint, exchanges) => {
	const [{ request: first }] = exchanges;

	beforeEach(() => {
		simulator.reset({ webhooks: true });
		const webhook = { url: 'https://example.com/receiver', events: ['MESSAGE.SENT'] };
		webhookId = endpoint.endsWith('{id}') ? simulator.createWebhook(webhook).id : '{id}';
	});

	const call = async (
		{ method, path, query = {}, body, token }: DocumentedRequest,
		kind: 'instance' | 'account' | 'unknown' | null = token,
	) => {
		const tokens = {
			instance: simulator.instanceToken,
			account: simulator.accountToken,
			unknown: 'svc_inst_x',
		};
		const search = new URLSearchParams(query).toString();
		const address = path.replace('{id}', webhookId) + (search && `?${search}`);
		return await callGateway(simulator, method, address, { body, token: kind && tokens[kind] });
	};

	it('the simulator answers as documented', async () => {
		for (const index of exchanges.keys()) {
			const { request, answer } = gatherExchanges(webhookId).get(endpoint)![index];
			expect(await call(request)).toMatchObject(answer);
		}
	});

	it('the simulator refuses a missing or unknown token with 401, and the other kind with 403', async () => {
		expect(await call(first, null)).toMatchObject({ status: 401, body: ERROR });
		expect(await call(first, 'unknown')).toMatchObject({ status: 401, body: ERROR });
		const other = first.token === 'instance' ? 'account' : 'instance';
		expect(await call(first, other)).toMatchObject({ status: 403, body: ERROR });
	});

	it('the simulator refuses a field and a query parameter that are not documented', async () => {
		if (first.method !== 'GET') {
			const body = { ...(first.body ?? {}), stranger: 1 };
			expect(await call({ ...first, body })).toMatchObject({ status: 400, body: ERROR });
		}
		const query = { ...first.query, limit: '1' };
		expect(await call({ ...first, query })).toMatchObject({ status: 400, body: ERROR });
	});
});
