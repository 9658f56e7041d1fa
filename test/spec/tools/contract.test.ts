import {
	freeClosedPort,
	startSimulator,
	type FaultPlan,
	type SimulatorOptions,
} from '../../../simulator';
import { compare, type ContractOptions } from '../../../tools/contract/compare';

const POLL = 'POLL0000000000000001';

async function run(
	options: SimulatorOptions = {},
	{
		fault,
		types,
		...given
	}: Partial<ContractOptions> & { fault?: FaultPlan; types?: string[] } = {},
): Promise<string[][]> {
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

async function writes(): Promise<Partial<ContractOptions>> {
	const listen = await freeClosedPort();
	const webhook = `http://127.0.0.1:${listen}/hook`;
	return { poll: POLL, to: '+55 11 90000-0001', webhook, listen };
}

const body = (path: string, answer: object, status = 200): { fault: FaultPlan } => ({
	fault: { match: { path }, fault: { status, body: answer } },
});

it('finds the simulator as documented and as assumed, and sends nothing without a number', async () => {
	const all = await run({}, await writes());
	expect(all.filter(([, verdict]) => !/^as (documented|assumed)$/.test(verdict))).toEqual([]);
	expect(all).toHaveLength(17);
	expect((await run()).filter(([, verdict]) => verdict === 'not tried')).toHaveLength(7);
});

it.each<[string, RegExp, SimulatorOptions, Parameters<typeof run>[1]]>([
	['A1', /Webhooks Path/, { webhooksPath: '/v1/hooks' }, {}],
	['A2', /Instances Path/, { instancesPath: '/v1/numbers' }, {}],
	['A2', /Number \(Instance\).* uid/, {}, body('/v1/instances', { data: [{ uid: 'x' }] })],
	['A3', /Presence Field/, { presenceField: 'state' }, {}],
	['A4', /Poll Parameter/, { pollParameter: 'poll' }, {}],
	['A5', /By ID/, {}, body('/v1/groups', { data: { of: 'x@g.us' } })],
	[
		'A6',
		/outcome/,
		{},
		{
			...body('/v1/messages/send-text', { result: { messageId: 'x' } }, 202),
			webhook: undefined,
		},
	],
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

it.each([
	['the address', { url: 'http://127.0.0.1:9' }, 'does not answer'],
	['the token', { instanceToken: 'svc_inst_wrong' }, 'instance token is refused'],
	['the account token', { accountToken: 'svc_acct_wrong' }, 'account token is refused'],
])('says at once that %s is wrong', async (_what, given, words) => {
	await expect(run({}, given)).rejects.toThrow(words);
});
