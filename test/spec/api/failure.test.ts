import { inspect } from 'node:util';
import { freeClosedPort, startSimulator, type Fault } from '../../../simulator';
import { documentedCalls, to, webhookCalls } from '../../contract/document';
import { runOperation, type OperationResult, type OperationRun } from '../../support/runOperation';
import { engine, gateway } from '../../support/stage';
import { untrustedCertificate } from '../../support/untrustedCertificate';

/** What n8n's guidelines ask not to say to a person. */
const DISCOURAGED = /\b(error|problem|failure|mistake)s?\b/i;

const SEND: OperationRun = {
	resource: 'message',
	operation: 'sendText',
	parameters: { to: to('phone', '5511987654321'), text: 'Hello' },
};
const CHANGE: OperationRun = {
	resource: 'chat',
	operation: 'mute',
	parameters: { to: to('phone', '5511987654321') },
};
const READ: OperationRun = { resource: 'group', operation: 'getAll' };

const NOT_SENT = 'The message was not sent.';
const PERHAPS_SENT = 'The message may have been sent. Check the chat before you send it again.';

/** The same, with no more patience than needed where the answer never comes. */
const sendUnder = (fault: Fault): OperationRun =>
	fault === 'hang'
		? { ...SEND, parameters: { ...SEND.parameters, options: { timeout: 3 } } }
		: SEND;

const strike = async (
	fault: Fault,
	what: OperationRun = sendUnder(fault),
): Promise<OperationResult> => {
	gateway.faults.add({ fault, times: 'always' });
	return await runOperation(engine, gateway, what);
};

function expectWords(
	{ error }: OperationResult,
	message: RegExp | string,
	...advice: Array<RegExp | string>
): void {
	expect(error?.message).toMatch(message);
	for (const part of advice) expect(error?.description).toMatch(part);
	expect(`${error?.message} ${error?.description}`).not.toMatch(/undefined|\[object|null/);
	expect(error?.description).not.toMatch(DISCOURAGED);
}

describe('an answer with a status', () => {
	it.each<[number, Array<RegExp | string>]>([
		[400, ['check the values of this node', 'Outcome: rejected']],
		[401, ['instance token (svc_inst_…)', 'Instance Token in the credential', 'Outcome: rejected']],
		[403, ['instance token (svc_inst_…)', 'does not allow this', 'Outcome: rejected']],
		[404, ['nothing there', 'base URL', 'Outcome: rejected']],
		[429, ['Send more slowly', 'Outcome: rejected']],
		[500, ['could not process the request', 'Outcome: unknown']],
		[502, ['messaging network', 'Outcome: unknown', 'MESSAGE.SENT']],
		[503, ['could not process the request', 'Outcome: unknown']],
	])(
		'%i gives the gateway’s own words, the status, the operation and what to do',
		async (status, advice) => {
			const result = await strike({ status, body: { error: 'The baker is asleep' } });
			expectWords(
				result,
				status < 500 ? `The baker is asleep. ${NOT_SENT}` : `The baker is asleep. ${PERHAPS_SENT}`,
				`HTTP ${status} from POST /v1/messages/send-text (Send Text)`,
				...advice,
			);
			expect(gateway.requests).toHaveLength(1);
		},
	);

	it('names the account token where the operation uses that one', async () => {
		const result = await strike({ status: 401 }, { resource: 'webhook', operation: 'getAll' });
		expectWords(result, /./, 'account token (svc_acct_…)', 'Account Token in the credential');
	});

	it.each<[string, OperationRun['parameters'], boolean]>([
		['create', { url: 'https://example.com/receiver' }, false],
		['getAll', {}, false],
		['update', { webhookId: 'wh_1', options: { url: 'https://example.com/receiver' } }, true],
		['delete', { webhookId: 'wh_1' }, true],
	])(
		'404 names the path of webhooks to %s, and the ID only if there is one',
		async (operation, parameters, hasId) => {
			const what = {
				resource: 'webhook',
				operation,
				parameters,
				credential: { webhooksPath: '/v1/hooks' },
			};
			const result = await strike({ status: 404 }, what);
			expectWords(
				result,
				/./,
				/looks for webhooks at \/v1\/hooks\./,
				'set Webhooks Path in the credential of this node',
			);
			expect(result.error?.description).not.toContain('assume');
			expect(result.error?.description.includes('no webhook with this ID')).toBe(hasId);
		},
	);

	it('404 names the path of instances, whoever set it', async () => {
		const what = {
			resource: 'instance',
			operation: 'getAll',
			credential: { instancesPath: '/v1/numbers' },
		};
		const result = await strike({ status: 404 }, what);
		expectWords(
			result,
			/./,
			/looks for instances at \/v1\/numbers\./,
			'set Instances Path in the account credential',
		);
		expect(result.error?.description).not.toContain('assume');
	});

	it.each<[string, string, OperationRun['parameters']]>([
		['sendPresence', 'Presence Field', { to: to('phone', '5511987654321') }],
		['getPollResults', 'Poll Parameter', { messageId: 'POLL0000000000000001' }],
	])(
		'400 of %s names the option for what the API document does not show',
		async (operation, option, parameters) => {
			const result = await strike({ status: 400 }, { resource: 'message', operation, parameters });
			expectWords(result, /./, 'check the values of this node', `option ${option}`);
		},
	);

	it('says of a change, not of a message, what became of it', async () => {
		expectWords(await strike({ status: 403 }, CHANGE), 'The change was not made.');
		gateway.faults.clear();
		expectWords(await strike({ status: 502 }, CHANGE), 'The change may have been made. Check');
	});

	it('advises on too many requests as the operation has it', async () => {
		expectWords(await strike({ status: 429 }, CHANGE), /./, 'Try again a little later');
	});

	it('says nothing of an outcome where nothing was to change', async () => {
		const { error } = await strike({ status: 502 }, READ);
		expect(error?.message).toBe('The network did not answer');
		expect(error?.description).toContain('Try again later');
		expect(error?.description).not.toContain('Outcome');
	});

	it.each(['connect ECONNREFUSED 10.0.0.7:443', 'read ECONNRESET', 'ETIMEDOUT!'])(
		'keeps the gateway’s words where n8n has others for them: %s',
		async (words) => {
			const { error } = await strike({ status: 502, body: { error: words } });
			expect(error?.message).toBe(`${words.endsWith('!') ? words : `${words}.`} ${PERHAPS_SENT}`);
		},
	);

	it('says of settings that could not be read that they were not changed', async () => {
		const update: OperationRun = {
			resource: 'instance',
			operation: 'updateSettings',
			parameters: { settings: { readMessages: true } },
		};
		const result = await strike({ status: 502 }, update);
		expectWords(result, /The change was not made\.$/, 'Outcome: rejected');
	});

	it('does not say the same in the description once more', async () => {
		for (const status of [400, 502]) {
			gateway.reset();
			const { error } = await strike({ status });
			expect(error?.description).not.toMatch(/not sent|may have been|was not made/);
		}
	});

	it.each([301, 302, 307, 308])(
		'%i is not followed: the message must not go elsewhere',
		async (status) => {
			const elsewhere = await startSimulator();
			const location = `${elsewhere.url}/v1/messages/send-text`;
			const result = await strike({ status, headers: { location }, body: {} });
			expectWords(result, /./, 'points to another address', location, 'base URL');
			expect([gateway.requests.length, elsewhere.requests.length]).toEqual([1, 0]);
			await elsewhere.stop();
		},
	);
});

describe('an answer that cannot be read', () => {
	it.each<[Fault, RegExp]>([
		[
			{ kind: 'html', status: 200 },
			/^A web page came back instead of the gateway’s answer \(status 200\)\. The message may/,
		],
		[
			{ kind: 'html', status: 502 },
			/^A web page came back instead of the gateway’s answer \(status 502\)\. The message may/,
		],
		[{ kind: 'empty', status: 202 }, /^The gateway answered with status 202 and nothing else\. /],
		[{ kind: 'empty', status: 401 }, /^The gateway answered with status 401 and nothing else\. /],
		[
			{ kind: 'invalidJson', status: 200 },
			/^The gateway’s answer is not valid JSON \(status 200\)\. The message may/,
		],
		[{ status: 200, body: { data: { success: true } } }, /has no messageId \(status 200\)/],
		[{ status: 202, body: [] }, /has no messageId \(status 202\)/],
		[{ status: 400, body: { error: 7 } }, /did not accept the request \(status 400\)/],
		[{ status: 400, body: 'No.' }, /did not accept the request \(status 400\)/],
	])('%j is no success, and says so', async (fault, message) => {
		const result = await strike(fault);
		expectWords(result, message, /HTTP \d+ from POST/, /Outcome: (rejected|unknown)/);
		expect(gateway.requests).toHaveLength(1);
	});

	it('is never taken for a success, whatever the operation', async () => {
		const silent: string[] = [];
		for (const call of [...documentedCalls, ...webhookCalls('wh_1')]) {
			if (call.requests.length === 0) continue;
			gateway.reset();
			const { error } = await strike({ kind: 'html', status: 200 }, call);
			if (error === undefined) silent.push(`${call.resource}.${call.operation}: ${call.title}`);
		}
		expect(silent).toEqual([]);
	});

	it('shows an answer that says success: false, for the person to judge', async () => {
		const { items, hints } = await strike(
			{ status: 200, body: { data: { success: false } } },
			CHANGE,
		);
		expect(items[0].json).toEqual({ success: false });
		expect(hints).toEqual([
			expect.objectContaining({ message: expect.stringContaining('did not succeed') }),
		]);
	});
});

describe('an answer that does not come', () => {
	it.each<[Fault, RegExp, RegExp]>([
		['hang', /did not answer in time/, /set a longer Timeout/],
		['cutBefore', /broke off before its answer arrived/, /closed the connection/],
		['cutAfter', /broke off before its answer arrived/, /closed the connection/],
	])('%s: the message may have been sent', async (fault, message, advice) => {
		const result = await strike(fault);
		expect(result.error?.message).toContain(PERHAPS_SENT);
		expect(result.error?.description).not.toMatch(/try again/i);
		expectWords(result, message, advice, 'Outcome: unknown', 'MESSAGE.SENT', gateway.url);
		expect(gateway.requests).toHaveLength(1);
	});

	it('says that nothing was sent when nobody listens', async () => {
		const baseUrl = `http://127.0.0.1:${await freeClosedPort()}`;
		const result = await runOperation(engine, gateway, { ...SEND, credential: { baseUrl } });
		expectWords(
			result,
			`The gateway cannot be reached. ${NOT_SENT}`,
			baseUrl,
			'ECONNREFUSED',
			'Outcome: rejected',
		);
	});

	it('says that nothing was sent when the name is not known', async () => {
		const baseUrl = 'http://gateway.invalid';
		const result = await runOperation(engine, gateway, { ...SEND, credential: { baseUrl } });
		expectWords(
			result,
			`The gateway cannot be reached. ${NOT_SENT}`,
			baseUrl,
			/ENOTFOUND|EAI_AGAIN/,
			'Outcome: rejected',
		);
	});

	it('says that nothing was sent when the certificate is not trusted', async () => {
		const secured = await startSimulator({ tls: untrustedCertificate });
		const result = await runOperation(engine, secured, SEND);
		expectWords(
			result,
			`certificate is not trusted. ${NOT_SENT}`,
			'valid certificate',
			'Outcome: rejected',
		);
		expect(secured.requests).toEqual([]);
		await secured.stop();
	});

	it('says that nothing was sent when plain HTTP listens where HTTPS is asked for', async () => {
		const baseUrl = gateway.url.replace('http:', 'https:');
		const result = await runOperation(engine, gateway, { ...SEND, credential: { baseUrl } });
		expectWords(result, `cannot be reached. ${NOT_SENT}`, 'Outcome: rejected');
	});
});

describe('every operation', () => {
	const calls = [...documentedCalls, ...webhookCalls('wh_1')].filter(
		({ requests }) => requests.length === 1,
	);

	it.each(
		calls.map((call) => [`${call.resource}.${call.operation}: ${call.title}`, call] as const),
	)('%s makes one request, also when it is answered 401', async (_name, call) => {
		const { error } = await strike({ status: 401 }, call);
		expect(error).toBeDefined();
		expect(gateway.requests).toHaveLength(1);
	});

	it.each(
		calls
			.filter(({ requests: [{ method }] }) => method !== 'GET')
			.map((call) => [`${call.resource}.${call.operation}: ${call.title}`, call] as const),
	)('%s says in its message what became of it', async (_name, call) => {
		const [sent, made] =
			call.answer?.status === 202 ? ['message', 'sent'] : (['change', 'made'] as const);
		const refused = await strike({ status: 400 }, call);
		expect(refused.error?.message).toContain(`The ${sent} was not ${made}.`);
		gateway.faults.clear();
		const lost = await strike('cutBefore', call);
		expect(lost.error?.message).toContain(`The ${sent} may have been ${made}. Check `);
	});
});

describe('several items', () => {
	const texts = (onError?: OperationRun['onError']): OperationRun => ({
		...SEND,
		parameters: {
			to: to('phone', '={{ $json.to }}'),
			text: '={{ $json.text }}',
			options: { concurrency: 5 },
		},
		items: ['a', 'b', 'c'].map((text, index) => ({ text, to: `551198765400${index}` })),
		onError,
	});

	it('of which one may have been sent say so, whichever failed first', async () => {
		gateway.faults.add({ match: { text: 'a' }, fault: { status: 400 } });
		gateway.faults.add({ match: { text: 'b' }, fault: 'cutAfter' });
		gateway.faults.add({ times: 'always', fault: { kind: 'slow', delayMs: 100 } });
		const { error } = await runOperation(engine, gateway, texts());
		expect(error?.message).toContain(PERHAPS_SENT);
		expect(error?.itemIndex).toBe(1);
		expect(error?.description).toContain('2 did not (the first is item 1)');
	});

	it('of which some were sent say so', async () => {
		gateway.faults.add({ match: { text: 'c' }, fault: { status: 400 } });
		const { error } = await runOperation(engine, gateway, texts());
		expect(error?.message).toBe(`The request is not valid. ${NOT_SENT} 2 of 3 items succeeded.`);
	});
});

describe('credentials', () => {
	it.each([
		['', /instance token is empty/],
		['svc_acct_0123456789', /This is an account token.*"Messaging Gateway Account API"/],
		['0123456789', /not an instance token.*begins with svc_inst_/],
		['svc_inst_', /not an instance token/],
		['svc_inst_01234 56789', /contains a space/],
	])('refuse the token %j before any request', async (instanceToken, words) => {
		const { error } = await runOperation(engine, gateway, {
			...SEND,
			credential: { instanceToken },
		});
		expect(error?.message).toMatch(words);
		expect(error?.description).toMatch(/^Nothing was sent\. Open the credential/);
		expect(gateway.requests).toEqual([]);
	});

	it('refuse an instance token in the account credential', async () => {
		const { error } = await runOperation(engine, gateway, {
			resource: 'webhook',
			operation: 'getAll',
			credential: { accountToken: gateway.instanceToken },
		});
		expect(error?.message).toMatch(/This is an instance token.*"Messaging Gateway Instance API"/);
		expect(gateway.requests).toEqual([]);
	});

	it.each(['', '/', '///', '/v1', '/v1/'])('take the base URL with %j at its end', async (end) => {
		const { error } = await runOperation(engine, gateway, {
			...SEND,
			credential: { baseUrl: `  ${gateway.url}${end} ` },
		});
		expect(error).toBeUndefined();
		expect(gateway.requests.map(({ path }) => path)).toEqual(['/v1/messages/send-text']);
	});

	it.each(['', '/', '/v1', '/v1/'])(
		'keep the path of a base URL behind a proxy, with %j at its end',
		async (end) => {
			const proxied = await startSimulator({ basePath: '/tools/gateway' });
			const { error } = await runOperation(engine, proxied, {
				...SEND,
				credential: { baseUrl: proxied.url + end },
			});
			expect(error).toBeUndefined();
			expect(proxied.requests.map(({ path }) => path)).toEqual(['/v1/messages/send-text']);
			await proxied.stop();
		},
	);

	it.each([
		['', /base URL is empty/],
		['gateway.example.com', /is not a web address.*https:\/\//],
		['ftp://gateway.example.com', /is not a web address/],
		['https://user:word@gateway.example.com', /user name or password/],
		['https://gateway.example.com/?key=1', /contains a "\?"/],
		['https://', /is not a web address/],
	])('refuse the base URL %j before any request', async (baseUrl, words) => {
		const { error } = await runOperation(engine, gateway, { ...SEND, credential: { baseUrl } });
		expect(error?.message).toMatch(words);
		expect(error?.description).toMatch(/^Nothing was sent\. Open the credential/);
	});
});

describe('tokens', () => {
	afterEach(() => jest.restoreAllMocks());

	it.each<[string, Fault]>([
		[
			'a refusal that quotes it',
			{ status: 401, body: { error: 'Bearer svc_inst_secret0123 is not known' } },
		],
		['a page that quotes it', { kind: 'html', status: 403, body: 'svc_inst_secret0123' }],
		[
			'an answer that holds it',
			{ status: 202, body: { data: { messageId: 'm1', token: 'svc_inst_secret0123' } } },
		],
		['no answer', 'cutBefore'],
		['no answer in time', 'hang'],
	])('appear nowhere in what n8n keeps of %s', async (_what, fault) => {
		const written: string[] = [];
		const streams = [process.stdout, process.stderr] as const;
		for (const stream of streams)
			jest.spyOn(stream, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0);
		gateway.faults.add({ fault, times: 'always' });
		const credential = { instanceToken: 'svc_inst_secret0123' };
		const kept: unknown[] = [];
		for (const onError of [
			'stopWorkflow',
			'continueRegularOutput',
			'continueErrorOutput',
		] as const) {
			const { run, items, failedItems, error } = await runOperation(engine, gateway, {
				...sendUnder(fault),
				onError,
				credential,
			});
			kept.push(run.data.resultData, items, failedItems, error);
		}
		expect(gateway.requests[0].headers.authorization).toBe('Bearer svc_inst_secret0123');
		const everything = inspect(kept, {
			depth: Infinity,
			maxArrayLength: null,
			maxStringLength: null,
			showHidden: true,
		});
		expect(everything).not.toContain('secret0123');
		expect(JSON.stringify(kept)).not.toContain('secret0123');
		if (typeof fault === 'object' && 'status' in fault && !('kind' in fault))
			expect(everything).toContain('[hidden]');
		expect(written.join('')).not.toContain('secret0123');
	});
});
