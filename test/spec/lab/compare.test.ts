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

it('the comparison finds the simulator as documented and as assumed, and sends nothing without a number', async () => {
	const all = await run({}, { ...(await writes()), types: ['MESSAGE.SENT'] });
	expect(all.filter(([, verdict]) => !/^as (documented|assumed)$/.test(verdict))).toEqual([]);
	expect(all).toHaveLength(18);
	expect((await run()).filter(([, verdict]) => verdict === 'not tried')).toHaveLength(8);
});

interface Difference {
	/** The row of docs/gaps.md. */
	row: string;
	/** What the comparison says to do. */
	says: RegExp;
	options?: SimulatorOptions;
	given?: Given;
}

const differences: Difference[] = [
	{ row: 'A1', says: /Webhooks Path/, options: { webhooksPath: '/v1/hooks' } },
	{
		row: 'A1',
		says: /questions/,
		given: { fault: { match: { method: 'PATCH' }, fault: { status: 405 } } },
	},
	{ row: 'A2', says: /Instances Path/, options: { instancesPath: '/v1/numbers' } },
	{ row: 'A3', says: /Presence Field/, options: { presenceField: 'state' } },
	{ row: 'A4', says: /Poll Parameter/, options: { pollParameter: 'poll' } },
	{ row: 'A5', says: /By ID/, given: body('/v1/groups', { data: { of: 'x@g.us' } }) },
	{
		row: 'A6',
		says: /outcome/,
		given: {
			...body('/v1/messages/send-text', { result: { id: 'x' } }, 202),
			webhook: undefined,
		},
	},
	{ row: 'A7', says: /Custom Events.*GROUP\.UPDATED/, given: { types: ['GROUP.UPDATED'] } },
	{ row: 'A8', says: /Chat Types/, options: { personType: 'GROUP' } },
	{
		row: 'A9',
		says: /may have been sent/,
		given: {
			...body('/v1/messages/poll-results', { error: 'broken' }, 500),
			poll: undefined,
		},
	},
	{ row: 'A10', says: /Combine Messages/, options: { deliveryConcurrency: 1 } },
];

it.each(differences)(
	'the comparison says what to do ($says) if $row is wrong',
	async ({ row, says, options, given }) => {
		const all = await run(options, { ...(await writes()), ...given });

		const different = all.filter(([, verdict]) => verdict === 'different');
		const expected = [expect.stringContaining(`${row}:`), 'different', expect.stringMatching(says)];
		expect(different).toEqual([expected]);
	},
);

const WEBHOOK_ROWS = ['signed', 'A1: create', 'A1: change', 'A8', 'A10'];

it.each<[string, string[], Parameters<typeof run>[1]]>([
	['an empty list', ['A5: list of groups'], body('/v1/groups', { data: [] })],
	['a request without an answer', ['A2: list', 'A2: ID'], cut('/v1/instances')],
	['sends without events', ['A6', 'signed', 'A8', 'A10'], cut('/v1/messages/send-text')],
	['no list of webhooks', ['A1: list', ...WEBHOOK_ROWS, 'A7'], cut('/v1/webhooks')],
])('after %s, the comparison says which rows it has not seen', async (_what, rows, given) => {
	const all = await run({}, { ...(await writes()), types: ['MESSAGE.SENT'], ...given });

	const unseen = all.filter(([, verdict]) => verdict === 'not seen').map(([row]) => row);
	expect(all.filter(([, verdict]) => verdict === 'different')).toEqual([]);
	expect(unseen).toHaveLength(rows.length);
	for (const row of rows) expect(unseen).toContainEqual(expect.stringContaining(row));
});

it.each([
	['the address', { url: 'http://127.0.0.1:9' }, 'does not answer'],
	['the token', { instanceToken: 'svc_inst_wrong' }, 'instance token is refused'],
])('if %s is wrong, the comparison says so at once', async (_what, given, words) => {
	await expect(run({}, given)).rejects.toThrow(words);
});
