import type { Fault } from '../../../lab/simulator';
import { to } from '../../contract/document';
import { engine, gateway } from '../../support/engineAndGateway';
import { runOperation, type OperationRun } from '../../support/runOperation';

const SEND: OperationRun = {
	resource: 'message',
	operation: 'sendText',
	parameters: { to: to('phone', '5511987654321'), text: 'Hello' },
};
const LIST: OperationRun = { resource: 'group', operation: 'getAll' };
const REMOVAL: OperationRun = {
	resource: 'webhook',
	operation: 'delete',
	parameters: { webhookId: 'wh_1' },
};
const FREE: OperationRun = {
	resource: 'api',
	operation: 'request',
	parameters: { path: '/v1/any' },
};

const LOGIN = 'https://team.cloudflareaccess.com/cdn-cgi/access/login/gateway';

/** What a firewall, a login or a proxy puts in place of the gateway's response. */
const PAGES = [
	{
		name: 'a challenge',
		status: 403,
		outcome: 'rejected',
		advice: /firewall or a login.*probably/,
	},
	{ name: 'a block', status: 401, outcome: 'rejected', advice: /firewall or a login.*probably/ },
	{ name: 'a rate limit', status: 429, outcome: 'rejected', advice: /probably limits.*slowly/ },
	{ name: 'a login', status: 200, outcome: 'unknown', advice: /probably a login.*'Base URL'/ },
	{ name: 'a size limit', status: 413, outcome: 'rejected', advice: /probably refuses.*size/ },
	{
		name: 'another server',
		status: 404,
		outcome: 'rejected',
		advice: /nothing at \/v1\/.*'Base URL'/,
	},
	{ name: 'a proxy', status: 502, outcome: 'unknown', advice: /proxy.*probably.*down or too slow/ },
	{ name: 'Cloudflare 520', status: 520, outcome: 'unknown', advice: /proxy.*probably/ },
	{ name: 'Cloudflare 522', status: 522, outcome: 'unknown', advice: /proxy.*probably/ },
	{ name: 'Cloudflare 530', status: 530, outcome: 'unknown', advice: /proxy.*probably/ },
];

async function runUnder(fault: Fault, operation: OperationRun) {
	gateway.faults.add({ fault, times: 'always' });
	const { error, items } = await runOperation(engine, gateway, operation);
	expect([gateway.requests.length, items]).toEqual([1, []]);
	return error;
}

describe.each(PAGES)('a page of $name, with status $status', ({ status, outcome, advice }) => {
	const fault: Fault = { kind: 'html', status };
	const words = `A web page came in place of the gateway's response (status ${status})`;

	it('is told as a page to who sends, with the outcome as of any other body', async () => {
		const error = await runUnder(fault, SEND);
		const told = outcome === 'unknown' ? 'may have been sent' : 'was not sent';
		expect(error?.message).toContain(`${words}. The message ${told}.`);
		expect(error?.description).toMatch(advice);
		expect(error?.description).toContain(`Outcome: ${outcome}.`);
	});

	it('is told as a page to who lists', async () => {
		const error = await runUnder(fault, LIST);
		expect(error?.message).toBe(words);
		expect(error?.description).toMatch(advice);
	});
});

it.each([
	['a change that expects nothing', REMOVAL],
	['a free request', FREE],
])('is no success of %s', async (_what, operation) => {
	const error = await runUnder({ kind: 'html', status: 200 }, operation);
	expect(error?.message).toMatch(/^A web page came in place of the gateway's response/);
});

it('comes out as a file if one was wanted', async () => {
	gateway.faults.add({ fault: { kind: 'html', status: 200 } });
	const options = { responseFormat: 'file' };
	const parameters = { ...FREE.parameters, options };
	const { items } = await runOperation(engine, gateway, { ...FREE, parameters });
	expect(items.map(({ json }) => json.mimeType)).toEqual(['text/html']);
});

describe('a redirect', () => {
	it.each([
		['with a page', { kind: 'html', status: 302, headers: { location: LOGIN } } as Fault],
		['without a page', { status: 302, headers: { location: LOGIN }, body: {} } as Fault],
		['to a path', { status: 303, headers: { location: '/login?next=/v1' }, body: {} } as Fault],
	])('to a login, %s, is told as one', async (_how, fault) => {
		const error = await runUnder(fault, SEND);
		expect(error?.message).toContain('The message was not sent.');
		expect(error?.description).toMatch(/another address \(.*login.*probably a login, a web page/);
	});

	it.each(['https://new.example.com/v1/groups', 'https://new.example.com/api/v1/groups/'])(
		'to %s is told as the moved gateway, also if it has a page',
		async (location) => {
			const error = await runUnder({ kind: 'html', status: 301, headers: { location } }, LIST);
			expect(error?.message).toBe('The gateway responded with status 301');
			expect(error?.description).toContain(`(${location}). Enter the final address`);
		},
	);
});

it.each([
	['JSON of a gateway that names it HTML', { status: 403, body: { error: 'Not this number' } }],
	['a text without a tag', { status: 403, body: 'Not this number' }],
	['an empty body', { kind: 'empty', status: 403 }],
] as const)('%s is no page', async (_what, fault) => {
	const headers = { 'content-type': 'text/html; charset=utf-8' };
	const error = await runUnder({ ...fault, headers } as Fault, LIST);
	expect(error?.message).not.toContain('web page');
});
