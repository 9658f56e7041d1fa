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
		[400, NOT_SENT, /probably does not accept a value.* Outcome: rejected\.$/],
		[
			401,
			NOT_SENT,
			/probably does not accept the token in 'Instance Token' of.* Outcome: rejected\.$/,
		],
		[403, NOT_SENT, /with the token in 'Instance Token'.* right number\. Outcome: rejected\.$/],
		[404, NOT_SENT, /nothing at \/v1\/.*every ID and path.* Outcome: rejected\.$/],
		[418, NOT_SENT, /the fields of this node, and its credential\. Outcome: rejected\.$/],
		[429, NOT_SENT, /Send more slowly\. Outcome: rejected\.$/],
		[500, MAYBE_SENT, /could not process the request\. Outcome: unknown\.$/],
		[502, MAYBE_SENT, /network behind the gateway probably did not.* Outcome: unknown\.$/],
	])('%i gives the gateway’s words, the request and advice', async (status, told, advice) => {
		const headers = { 'retry-after': status === 429 ? '300' : '0' };
		const error = await runUnder({ status, headers, body: { error: 'The baker is asleep' } });
		expect(error?.message).toBe(`The baker is asleep. ${told}`);
		expect(error?.description).toContain(`HTTP ${status} from POST /v1/messages/send-text. `);
		expect(error?.description).toMatch(advice);
	});

	it.each([301, 302, 303, 307, 308])('%i is not followed', async (status) => {
		const elsewhere = await startSimulator();
		const location = `${elsewhere.url}/v1/groups`;
		const words = `The gateway responded with status ${status}`;
		const cases = [[SEND, `${words}. ${NOT_SENT}`] as const, [READ, words] as const];
		for (const [operation, told] of cases) {
			gateway.reset();
			const error = await runUnder({ status, headers: { location }, body: {} }, operation);
			expect(error?.message).toBe(told);
			expect(error?.description).toContain(`another address (${location})`);
			const isSamePath = operation === READ;
			expect(error?.description).toMatch(
				isSamePath ? /Enter the final address/ : /probably a login/,
			);
		}
		expect(elsewhere.requests).toEqual([]);
		await elsewhere.stop();
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

describe('a success that says "success": false', () => {
	const LABEL = { labelId: '3', messageId: 'm1' };
	const PERSON = { to: to('phone', '5511987654321') };
	const NO_SUCCESS: Fault = { status: 200, body: { data: { success: false } } };
	/** Each operation whose response holds `success` (API 6.1). */
	const OPERATIONS: OperationRun[] = [
		{ resource: 'message', operation: 'sendPresence', parameters: PERSON },
		{ resource: 'chat', operation: 'archive', parameters: PERSON },
		{ resource: 'chat', operation: 'mute', parameters: PERSON },
		{ resource: 'label', operation: 'assign', parameters: { ...PERSON, ...LABEL } },
		{ resource: 'label', operation: 'unassign', parameters: { ...PERSON, ...LABEL } },
		{ resource: 'profile', operation: 'updateStatus', parameters: { status: 'Open' } },
		{ resource: 'instance', operation: 'disconnect' },
		{ resource: 'instance', operation: 'reconnect' },
	];

	it.each(OPERATIONS)('is an error of $resource → $operation', async (operation) => {
		const error = await runUnder(NO_SUCCESS, operation);
		expect(error?.message).toBe(
			'The gateway says that it did not succeed, and not why. The change was not made.',
		);
		expect(error?.description).toMatch(/^HTTP 200 from POST \/v1\/.*Outcome: rejected\.$/);
	});

	it.each([
		[{ success: false }],
		[{ success: false, data: {} }],
		[{ data: { success: false, error: 'The chat is gone' } }],
	])('is an error in the wrapper %j', async (body) => {
		const error = await runUnder({ status: 200, body }, OPERATIONS[1]);
		const words = 'data' in body && 'error' in body.data ? 'The chat is gone' : 'The gateway says';
		expect(error?.message.startsWith(words)).toBe(true);
		expect(error?.message).toContain('The change was not made.');
	});

	it('lets the workflow go on with the error if On Error is Continue', async () => {
		gateway.faults.add({ fault: NO_SUCCESS });
		const { items } = await run({ ...OPERATIONS[1], onError: 'continueRegularOutput' });
		expect(items).toEqual([
			expect.objectContaining({
				json: { error: expect.objectContaining({ outcome: 'rejected', status: '200' }) },
			}),
		]);
	});

	it('is the output of a read, and of a send that has its messageId', async () => {
		gateway.faults.add({ fault: NO_SUCCESS });
		const { items } = await run(makeRequest({ method: 'GET' }));
		expect(items.map(({ json }) => json)).toEqual([{ success: false }]);

		const body = { data: { success: false, messageId: 'm1' } };
		gateway.faults.add({ fault: { status: 202, body } });
		expect((await run(SEND)).error).toBeUndefined();
	});
});

describe('half an emoji', () => {
	const HALF = 'Hola 🎉'.slice(0, 6);

	it('leaves each text of a body, and a whole one stays', async () => {
		const text = `${HALF} 🥖👨‍👩‍👧 \u{dc00}`;
		await run({ ...SEND, parameters: { ...SEND.parameters, text } });
		expect(gateway.requests.map(({ body }) => body)).toEqual([
			{ to: '5511987654321', text: 'Hola  🥖👨‍👩‍👧 ' },
		]);
	});

	it('leaves the texts inside the body of a free request', async () => {
		const body = JSON.stringify({ list: [{ title: HALF }] });
		await run(makeRequest({ options: { body } }));
		expect(gateway.requests.map((request) => request.body)).toEqual([
			{ list: [{ title: 'Hola ' }] },
		]);
	});

	it('leaves the texts of a form', async () => {
		await run({
			...makeRequest({
				sendFile: true,
				requestFieldName: 'picture',
				options: { body: JSON.stringify({ caption: HALF, more: [HALF] }) },
			}),
			files: [{ data: { data: 'QQ==', mimeType: 'text/plain', fileName: 'a.txt' } }],
		});
		const [{ rawBody }] = gateway.requests;
		expect(rawBody).toContain('\r\n\r\nHola \r\n');
		expect(rawBody).toContain('["Hola "]');
		expect(rawBody).not.toContain('\ufffd');
	});
});
