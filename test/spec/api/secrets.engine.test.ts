import { inspect } from 'node:util';
import { findLeak } from '../../contract/leaks';
import { askForLists, liveTrigger, testCredentials } from '../../support/asking';
import { everyCall } from '../../support/everyCall';
import { runOperation } from '../../support/runOperation';
import { engine, gateway } from '../../support/stage';

// What a gateway gives back of the token that it was sent must be nowhere in what n8n keeps, shows or logs.

const written: string[] = [];

beforeEach(() => {
	written.length = 0;
	for (const stream of [process.stdout, process.stderr])
		jest.spyOn(stream, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0);
	for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const)
		jest.spyOn(console, method).mockImplementation((...texts) => void written.push(inspect(texts)));
});

afterEach(() => jest.restoreAllMocks());

/** Of a success, an acceptance, a redirection, a refusal and a breakdown. */
const STATUSES = [200, 202, 302, 403, 502];

/** Lets the gateway answer with the token of the request, as values and as names, wherever an operation reads. */
function echo(status: number): void {
	for (const token of ['account', 'instance'] as const) {
		const raw = gateway[`${token}Token`];
		const settings = { rejectCall: true, readMessages: true, ignoreGroups: true };
		const element = { id: '1@g.us', name: raw, [raw]: { deep: [raw] } };
		const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
		const data = {
			...{ messageId: 'm1', success: true, secret, rows: [element] },
			...{ ...settings, ignoreStatus: true, msgRejectCall: raw, ...element, [raw]: raw },
		};
		const body = status >= 400 ? { error: raw } : { data };
		const fault = { status, body, headers: { location: `/?token=${raw}` } };
		gateway.faults.add({ match: { token }, times: 'always', fault });
	}
}

/** Everything in it, and everything that was logged. */
const everythingIn = (kept: unknown): string =>
	inspect(kept, { depth: Infinity, maxArrayLength: null, maxStringLength: null }) +
	written.join('');

function expectNoToken(kept: unknown): void {
	const everything = everythingIn(kept);
	for (const token of [gateway.accountToken, gateway.instanceToken])
		expect(findLeak(everything, token)).toBeUndefined();
}

describe('an echo', () => {
	it.each([...everyCall])('is in nothing that %s puts out, says or logs', async (_name, call) => {
		for (const [status, onError] of [
			[200, 'stopWorkflow'],
			[403, 'stopWorkflow'],
			[502, 'continueRegularOutput'],
		] as const) {
			gateway.reset();
			echo(status);
			const { run } = await runOperation(engine, gateway, { ...call, onError });
			expect(gateway.requests.at(-1)?.fault).toBe('status');
			expectNoToken(run.data);
			// Otherwise there was nothing to hide. These two put out nothing of a successful answer.
			if (status !== 200 || !['delete', 'sendAndWait'].includes(call.operation))
				expect(everythingIn(run.data)).toContain('[hidden]');
		}
	});

	it('is in no list, nor in what is said where there is none', async () => {
		for (const status of STATUSES) {
			echo(status);
			expectNoToken(await askForLists());
			gateway.reset();
		}
	});

	it('is in nothing that the test of a credential says', async () => {
		for (const status of STATUSES) {
			echo(status);
			expectNoToken(await testCredentials());
			gateway.reset();
		}
	});

	it('is in nothing that the trigger stores, says or logs in its life', async () => {
		for (const status of STATUSES) {
			echo(status);
			expectNoToken(await liveTrigger());
			gateway.reset();
		}
	});
});

it('an echo is in nothing that is said of a redirection', async () => {
	echo(302);
	const { run, error } = await runOperation(engine, gateway, {
		resource: 'group',
		operation: 'getAll',
	});
	expectNoToken(run.data);
	expect(error?.description).toContain('[hidden]');
});

it.each([
	['300 kB', 300, 'POST'],
	['1 MB', 1_000, 'GET'],
] as const)(
	'an answer of %s that is nearly the token again and again holds up nothing',
	async (_size, kilobytes, method) => {
		const instanceToken = `svc_inst_${'a'.repeat(400)}`;
		// Of a part of the token that is shorter, nobody can tell that it is one.
		const text = `${'a'.repeat(199)} `.repeat(kilobytes * 5);
		const ask = async (body: string) => {
			gateway.reset();
			gateway.faults.add({ fault: { status: 200, body: { data: { text: body } } } });
			const from = performance.now();
			const { items } = await runOperation(engine, gateway, {
				resource: 'api',
				operation: 'request',
				parameters: { method, path: '/v1/groups' },
				credential: { instanceToken },
			});
			expect(items[0].json.text).toBe(body);
			return performance.now() - from;
		};
		let [harmless, attack] = [Infinity, Infinity];
		for (let round = 0; round < 3; round++) {
			harmless = Math.min(harmless, await ask('b'.repeat(text.length)));
			attack = Math.min(attack, await ask(text));
		}
		expect(attack / harmless).toBeLessThan(10);
	},
);

it('an echo in the name of a file is in nothing that is put out', async () => {
	const split = [...gateway.instanceToken].map((character) => `${character}%01`).join('');
	for (const name of [gateway.instanceToken, split]) {
		const headers = {
			'content-type': 'image/png',
			'content-disposition': `attachment; filename*=UTF-8''${name}`,
		};
		gateway.faults.add({ fault: { status: 200, body: {}, headers } });
		const { run, items } = await runOperation(engine, gateway, {
			resource: 'api',
			operation: 'request',
			parameters: { path: '/v1/media' },
		});
		expect(items[0].json.fileName).toBe('svc_inst_[hidden]');
		expectNoToken(run.data);
	}
});

it('an echo in the headers is in nothing that is put out or said', async () => {
	for (const status of [200, 429, 503]) {
		const token = gateway.instanceToken;
		const headers = {
			'retry-after': token,
			'content-type': `application/${token}`,
			'content-disposition': `attachment; filename="${token}.png"`,
			'x-request-id': token,
		};
		gateway.faults.add({ fault: { status, body: { messageId: '1' }, headers } });
		const { run } = await runOperation(engine, gateway, {
			resource: 'api',
			operation: 'request',
			parameters: { path: '/v1/groups' },
		});
		expectNoToken(run.data);
		gateway.reset();
	}
});

it.each([...everyCall])(
	'a token leaves %s in the Authorization header alone',
	async (_name, call) => {
		await runOperation(engine, gateway, call);
		expect(gateway.requests).not.toEqual([]);
		for (const { headers, method, path, query, rawBody } of gateway.requests) {
			const { authorization, ...others } = headers;
			expect(
				[gateway.accountToken, gateway.instanceToken].map((token) => `Bearer ${token}`),
			).toContain(authorization);
			expectNoToken([others, method, path, query, rawBody]);
		}
	},
);
