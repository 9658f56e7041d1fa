import { freeClosedPort, startSimulator, type Fault } from '../../../lab/simulator';
import { to } from '../../contract/document';
import { engine, gateway } from '../../support/engineAndGateway';
import { runOperation, type OperationRun } from '../../support/runOperation';
import { untrustedCertificate } from '../../support/untrustedCertificate';

const SEND: OperationRun = {
	resource: 'message',
	operation: 'sendText',
	parameters: { to: to('phone', '5511987654321'), text: 'Hello', options: { timeout: 2 } },
};
const READ: OperationRun = { resource: 'group', operation: 'getAll' };

const NOT_SENT = 'The message was not sent.';
const MAYBE_SENT = 'The message may have been sent. Check the chat before you send it again.';
const MAYBE_MADE = 'The change may have been made. Check at the gateway before you repeat it.';
const UNREACHED = 'The gateway cannot be reached';

const run = async (operation: OperationRun) => await runOperation(engine, gateway, operation);

async function runUnder(fault: Fault, operation = SEND) {
	gateway.faults.add({ fault, times: 'always' });
	const { error } = await run(operation);
	expect(gateway.requests).toHaveLength(1);
	return error;
}

const makeRequest = (parameters: OperationRun['parameters']): OperationRun => ({
	resource: 'api',
	operation: 'request',
	parameters: { method: 'POST', path: '/v1/anything', ...parameters },
});

it('carries the query of its fields', async () => {
	const operation = 'getPollResults';
	await run({ resource: 'message', operation, parameters: { messageId: 'a&b=c ç' } });
	expect(gateway.requests.map(({ query }) => query)).toEqual([{ messageId: 'a&b=c ç' }]);
});

it('shows no token of its path, also in an item with which the workflow goes on', async () => {
	gateway.faults.add({ fault: { status: 404 }, times: 'always' });
	const path = '/v1/anything?token=svc_inst_abcdef';
	const { items } = await run({ ...makeRequest({ path }), onError: 'continueRegularOutput' });
	const shown = JSON.stringify(items.map(({ json }) => json));
	expect([shown.includes('token=svc_inst_…'), shown.includes('abcdef')]).toEqual([true, false]);
});

describe('an answer without success', () => {
	it.each([
		[400, NOT_SENT, /does not accept the values.* Outcome: rejected\.$/],
		[401, NOT_SENT, /not accept the token in 'Instance Token' of.* Outcome: rejected\.$/],
		[403, NOT_SENT, /with the token in 'Instance Token'.* right number\. Outcome: rejected\.$/],
		[404, NOT_SENT, /nothing at \/v1\/.*every ID and path.* Outcome: rejected\.$/],
		[407, NOT_SENT, /A proxy.*HTTPS_PROXY.* Outcome: rejected\.$/],
		[418, NOT_SENT, /the fields of this node, and its credential\. Outcome: rejected\.$/],
		[429, NOT_SENT, /Send more slowly\. Outcome: rejected\.$/],
		[500, MAYBE_SENT, /could not process the request\. Outcome: unknown\.$/],
		[502, MAYBE_SENT, /network behind the gateway did not.* Outcome: unknown\.$/],
	])('%i gives the gateway’s words, the request and advice', async (status, told, advice) => {
		const headers = { 'retry-after': status === 429 ? '300' : '0' };
		const error = await runUnder({ status, headers, body: { error: 'The baker is asleep' } });
		expect(error?.message).toBe(`The baker is asleep. ${told}`);
		expect(error?.description).toContain(`HTTP ${status} from POST /v1/messages/send-text. `);
		expect(error?.description).toMatch(advice);
	});

	it.each([301, 302, 307, 308])('%i is not followed', async (status) => {
		const elsewhere = await startSimulator();
		const location = `${elsewhere.url}/v1/groups`;
		const words = `The gateway responded with status ${status}`;
		const cases = [[SEND, `${words}. ${NOT_SENT}`] as const, [READ, words] as const];
		for (const [operation, told] of cases) {
			gateway.reset();
			const error = await runUnder({ status, headers: { location }, body: {} }, operation);
			expect(error?.message).toBe(told);
			expect(error?.description).toContain(`another address (${location})`);
		}
		expect(elsewhere.requests).toEqual([]);
		await elsewhere.stop();
	});

	it('303 points to the result of a message that may have been sent', async () => {
		expect((await runUnder({ status: 303, body: {} }))?.message).toContain(MAYBE_SENT);
	});

	it.each<[Fault]>([
		[{ kind: 'empty', status: 202 }],
		[{ kind: 'invalidJson', status: 200 }],
		[{ status: 200, body: { data: { success: true } } }],
	])('%j is no success of a send', async (fault) => {
		const error = await runUnder(fault);
		expect(error?.message).toMatch(/^The gateway's response \(status 20\d\) lacks the result\. /);
		expect(error?.message).toContain(MAYBE_SENT);
		expect(error?.description).toContain("Check 'Base URL' in the credential");
	});

	it('never shows a token or HTML that it repeats', async () => {
		const { instanceToken } = gateway;
		gateway.faults.add({
			fault: { status: 401, body: { error: `<img src=x> Bearer ${instanceToken} is unknown` } },
			times: 'always',
		});
		for (const onError of ['stopWorkflow', 'continueErrorOutput'] as const) {
			const { run: kept, error, failedItems } = await run({ ...SEND, onError });
			const texts = JSON.stringify([error, failedItems, kept.data.resultData]);
			expect(texts).toContain('‹img src=x> Bearer svc_inst_… is unknown.');
			expect(texts).not.toContain(instanceToken.slice(9));
		}
	});
});

describe('no answer', () => {
	const status = { resource: 'profile', operation: 'updateStatus', parameters: { status: 'Open' } };
	const removal = { resource: 'webhook', operation: 'delete', parameters: { webhookId: 'wh_1' } };
	it.each<[OperationRun, string]>([
		[SEND, MAYBE_SENT],
		[status, MAYBE_MADE],
		[removal, MAYBE_MADE],
		...['POST', 'PUT', 'PATCH', 'DELETE', '={{ "DELETE" }}'].map(
			(method): [OperationRun, string] => [makeRequest({ method }), MAYBE_MADE],
		),
		[makeRequest({ sendsMessage: true }), MAYBE_SENT],
		[makeRequest({ method: 'GET' }), ''],
		[READ, ''],
	])('after a broken connection means for %j: %s', async (operation, words) => {
		const error = await runUnder('cutAfter', operation);
		const outcome = words && `. ${words}`;
		expect(error?.message).toBe(`The connection broke before the response arrived${outcome}`);
	});

	it.each<[string, () => Promise<string> | string, string]>([
		['a refused port', async () => `http://127.0.0.1:${await freeClosedPort()}`, UNREACHED],
		['an unknown name', () => 'http://gateway.invalid', UNREACHED],
		['plain HTTP behind https', () => gateway.url.replace('http:', 'https:'), UNREACHED],
		[
			'a certificate signed by itself',
			async () => (await startSimulator({ tls: untrustedCertificate })).url,
			'n8n does not trust the certificate of the gateway',
		],
	])('from %s means that nothing was sent', async (_what, listen, message) => {
		const baseUrl = await listen();
		const { error } = await run({ ...SEND, credential: { baseUrl } });
		expect(error?.message).toBe(`${message}. ${NOT_SENT}`);
		expect(error?.description).toContain(baseUrl);
		expect(error?.description).toMatch(/Outcome: rejected\.$/);
	});
});
