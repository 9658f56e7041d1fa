import { compare, type CompareOptions } from '../../../lab/compare/findings';
import {
	freeClosedPort,
	startSimulator,
	type FaultPlan,
	type SimulatorOptions,
} from '../../../lab/simulator';

const POLL = 'POLL0000000000000001';

type Given = Partial<CompareOptions> & { fault?: FaultPlan; types?: string[] };

async function run(options: SimulatorOptions = {}, { fault, types, ...given }: Given = {}) {
	const gateway = await startSimulator(options);
	const { url, accountToken, instanceToken } = gateway;
	if (fault) gateway.faults.add({ times: 'always', ...fault });
	if (types) gateway.createWebhook({ url: 'https://n8n.example.com/hook', events: types });
	const findings = await compare({ url, accountToken, instanceToken, ...given });
	expect(gateway.webhooks()).toHaveLength(types ? 1 : 0);
	expect(JSON.stringify(findings)).not.toContain(accountToken);
	expect(JSON.stringify(findings)).not.toContain(instanceToken);
	return findings;
}

async function writes(): Promise<Partial<CompareOptions>> {
	const listen = await freeClosedPort();
	const webhook = `http://127.0.0.1:${listen}/hook`;
	return { poll: POLL, to: '+55 11 90000-0001', webhook, listen };
}

const body = (path: string, answer: object, status = 200): { fault: FaultPlan } => ({
	fault: { match: { path }, fault: { status, body: answer } },
});

const cut = (path: string): { fault: FaultPlan } => ({
	fault: { match: { path }, fault: 'cutBefore' },
});

it('finds the simulator as documented and as assumed, and sends nothing without a number', async () => {
	const all = await run({}, { ...(await writes()), types: ['MESSAGE.SENT'] });
	expect(all.filter(([, verdict]) => !/^as (documented|assumed)$/.test(verdict))).toEqual([]);
	expect(all).toHaveLength(18);
	expect((await run()).filter(([, verdict]) => verdict === 'not tried')).toHaveLength(8);
});

it.each<[string, RegExp, SimulatorOptions, Parameters<typeof run>[1]]>([
	['A1', /Webhooks Path/, { webhooksPath: '/v1/hooks' }, {}],
	['A2', /Instances Path/, { instancesPath: '/v1/numbers' }, {}],
	['A3', /Presence Field/, { presenceField: 'state' }, {}],
	['A4', /Poll Parameter/, { pollParameter: 'poll' }, {}],
	['A5', /By ID/, {}, body('/v1/groups', { data: { of: 'x@g.us' } })],
	[
		'A6',
		/outcome/,
		{},
		{
			...body('/v1/messages/send-text', { result: { id: 'x' } }, 202),
			webhook: undefined,
		},
	],
	['A1', /questions/, {}, { fault: { match: { method: 'PATCH' }, fault: { status: 405 } } }],
	['A7', /Custom Events.*GROUP\.UPDATED/, {}, { types: ['GROUP.UPDATED'] }],
	['A8', /Chat Types/, { personType: 'GROUP' }, {}],
	[
		'A9',
		/may have been sent/,
		{},
		{ ...body('/v1/messages/poll-results', { error: 'broken' }, 500), poll: undefined },
	],
	['A10', /Combine Messages/, { deliveryConcurrency: 1 }, {}],
])('names the field if %s is wrong', async (number, field, options, given) => {
	const all = await run(options, { ...(await writes()), ...given });
	const different = all.filter(([, verdict]) => verdict === 'different');
	const row = [expect.stringContaining(`${number}:`), 'different', expect.stringMatching(field)];
	expect(different).toEqual([row]);
});

const WEBHOOK_ROWS = ['signed', 'A1: create', 'A1: change', 'A8', 'A10'];

it.each<[string, string[], Parameters<typeof run>[1]]>([
	['an empty list', ['A5: list of groups'], body('/v1/groups', { data: [] })],
	['a request without an answer', ['A2: list', 'A2: ID'], cut('/v1/instances')],
	['sends without events', ['A6', 'signed', 'A8', 'A10'], cut('/v1/messages/send-text')],
	['no list of webhooks', ['A1: list', ...WEBHOOK_ROWS, 'A7'], cut('/v1/webhooks')],
])('says after %s which rows it has not seen', async (_what, rows, given) => {
	const all = await run({}, { ...(await writes()), types: ['MESSAGE.SENT'], ...given });
	const unseen = all.filter(([, verdict]) => verdict === 'not seen').map(([row]) => row);
	expect(all.filter(([, verdict]) => verdict === 'different')).toEqual([]);
	expect(unseen).toHaveLength(rows.length);
	for (const row of rows) expect(unseen).toContainEqual(expect.stringContaining(row));
});

it.each([
	['the address', { url: 'http://127.0.0.1:9' }, 'does not answer'],
	['the token', { instanceToken: 'svc_inst_wrong' }, 'instance token is refused'],
])('says at once that %s is wrong', async (_what, given, words) => {
	await expect(run({}, given)).rejects.toThrow(words);
});
