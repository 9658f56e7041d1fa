import type { INodeParameters } from 'n8n-workflow';
import type { StoredCredential } from '../../host/api';
import { createTriggerWorkflow } from '../../host/drafts/workflows';
import { startHost, type Host } from '../../host/host';
import { waitFor } from '../../host/waiting';
import {
	catalogue,
	deliver,
	post,
	postEvenIfTooLarge,
	SHORT_SECRET,
	type BadDelivery,
	type Kit,
} from '../contract/deliveries';
import { untilForgedAreRefused } from '../support/settled';

const HOLDS_SECRET = 'the secret';
const UNUSABLE = {
	nothing: '',
	'a malformed secret': 'whsec_not base64!',
	'a short secret': SHORT_SECRET,
};

interface Target {
	workflowId: string;
	url: string;
	/** Executions that there should be. */
	expected: number;
}

let host: Host;
let secrets: Omit<Kit, 'now'>;
const targets = new Map<string, Target>();

const makeKit = (): Kit => ({ ...secrets, now: Math.floor(Date.now() / 1000) });

beforeAll(async () => {
	host = await startHost({ n8n: {} });
	const attacked = await createWorkflow(host.credentials.account);
	const other = await createWorkflow(host.credentials.account);
	await host.api.publish(attacked.workflowId);
	const oldSecret = secretFor(attacked.url);
	await host.api.unpublish(attacked.workflowId);
	await host.api.publish(attacked.workflowId);
	await host.api.publish(other.workflowId);
	secrets = { secret: secretFor(attacked.url), oldSecret, otherSecret: secretFor(other.url) };
	targets.set(HOLDS_SECRET, attacked);
	await untilForgedAreRefused(attacked.url);

	for (const [holds, webhookSecret] of Object.entries(UNUSABLE)) {
		const data = { baseUrl: host.gateway.url, accountToken: host.gateway.accountToken };
		const credential = await host.api.createCredential('messagingGatewayAccountApi', holds, {
			...data,
			webhookSecret: secrets.secret,
		});
		const target = await createWorkflow(credential, { webhookSetup: 'manual' });
		await host.api.publish(target.workflowId);
		await host.api.updateCredential(credential, { ...data, webhookSecret });
		targets.set(holds, target);
	}
});

afterAll(async () => {
	await host?.stop();
});

async function createWorkflow(
	credential: StoredCredential,
	parameters: INodeParameters = {},
): Promise<Target> {
	const { id, url } = await createTriggerWorkflow(host, { credential, parameters });
	return { workflowId: id, url, expected: 0 };
}

function secretFor(url: string): string {
	const webhook = host.gateway.webhooks().find((each) => each.url === url);
	if (!webhook) throw new Error(`There is no webhook for ${url}`);
	return webhook.secret;
}

function targetOf({ holds }: BadDelivery): Target {
	const target = targets.get(holds ?? HOLDS_SECRET);
	if (!target) throw new Error(`Nothing holds ${holds}`);
	return target;
}

/** As many as there should be, once they are listed; or more. */
async function countExecutions({ workflowId, expected }: Target): Promise<number> {
	return await waitFor(`${expected} executions`, async () => {
		const { length } = await host.api.listExecutions(workflowId);
		return length >= expected && { length };
	}).then(({ length }) => length);
}

describe.each([...new Set(catalogue.map(({ group }) => group))])('%s', (group) => {
	const entries = catalogue.filter((entry) => entry.group === group);
	it.each(entries.map((entry): [string, BadDelivery] => [entry.name, entry]))(
		'%s',
		async (_name, entry) => {
			const target = targetOf(entry);
			const kit = makeKit();
			for (const genuine of entry.before?.(kit) ?? []) {
				expect((await post(target.url, genuine)).status).toBe(200);
				target.expected++;
			}
			const answer = await postEvenIfTooLarge(target.url, entry.make(kit));
			if (answer) expect(entry.answers).toContain(answer.status);
			if (entry.answeredBy === 'trigger' && answer?.status === 401)
				expect(answer.text).toBe('{"error":"Unauthorized"}');

			// The genuine one that follows shows that the bad one had its chance, and that it broke nothing.
			if (!entry.holds) {
				expect((await post(target.url, deliver(makeKit()))).status).toBe(200);
				target.expected++;
			}
			expect(await countExecutions(target)).toBe(target.expected);
		},
	);
});

describe('in the end', () => {
	it('no execution has failed', async () => {
		for (const target of targets.values()) {
			expect(await host.api.listExecutions(target.workflowId, ['error', 'crashed'])).toEqual([]);
			const ended = await host.api.waitForExecutions(target.workflowId, target.expected);
			expect(new Set(ended.map(({ status }) => status)).size).toBeLessThanOrEqual(1);
		}
	});

	it('10,000 forged deliveries leave n8n’s memory as it was', async () => {
		const target = targets.get(HOLDS_SECRET);
		if (!target) throw new Error('Nothing is attacked');
		const attack = async (count: number) => {
			for (let sent = 0; sent < count; sent += 50) {
				const forged = Array.from({ length: 50 }, async () => {
					const kit = makeKit();
					return (await post(target.url, deliver(kit, { secret: kit.otherSecret }))).status;
				});
				expect(new Set(await Promise.all(forged))).toEqual(new Set([401]));
			}
		};
		await attack(5_000);
		const before = host.n8n.memory();
		await attack(10_000);

		expect(host.n8n.memory() / before).toBeLessThan(1.15);
		expect(await countExecutions(target)).toBe(target.expected);
	}, 300_000);
});
