import { randomBytes, randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import {
	catalogue,
	deliver,
	post,
	SHORT_SECRET,
	type BadDelivery,
	type Kit,
} from '../../../contract/deliveries';
import { engine } from '../../../support/engineAndGateway';
import type { WebhookReceiver } from '../../../support/webhookReceiver';

const makeSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

let receivers: Record<'secret' | NonNullable<BadDelivery['holds']>, WebhookReceiver>;
const secrets = { secret: makeSecret(), oldSecret: makeSecret(), otherSecret: makeSecret() };

beforeAll(async () => {
	// A process younger than five minutes defers what it cannot verify.
	const now = Date.now.bind(Date);
	jest.spyOn(Date, 'now').mockImplementation(() => now() + 6 * 60_000);
	receivers = {
		secret: await listen({ secret: secrets.secret }),
		nothing: await listen({}),
		'a malformed secret': await listen({ secret: 'whsec_not base64!' }),
		'a short secret': await listen({ secret: SHORT_SECRET }),
	};
});

afterAll(async () => {
	for (const receiver of Object.values(receivers)) await receiver.stop();
});

async function listen(record: IDataObject): Promise<WebhookReceiver> {
	return await engine.receive({
		id: randomUUID(),
		nodes: [{ type: 'messagingGatewayTrigger', name: 'Trigger', webhookId: randomUUID() }],
		staticData: { 'node:Trigger': record },
	});
}

function makeKit(): Kit {
	return { ...secrets, now: Math.floor(Date.now() / 1000) };
}

const groups = [...new Set(catalogue.map(({ group }) => group))];

describe.each(groups)('%s', (group) => {
	const entries = catalogue.filter((entry) => entry.group === group);
	it.each(entries.map((entry): [string, BadDelivery] => [entry.name, entry]))(
		'%s',
		async (_name, entry) => {
			const receiver = receivers[entry.holds ?? 'secret'];
			const kit = makeKit();
			for (const genuine of entry.before?.(kit) ?? []) {
				expect((await post(receiver.url, genuine)).status).toBe(200);
			}
			const before = receiver.executions.length;
			const { status, text } = await post(receiver.url, entry.make(kit));

			expect(entry.answers).toContain(status);
			expect(receiver.executions.length).toBe(before);
			expect(receiver.violations).toEqual([]);
			if (status === 401) expect(text).toBe('{"error":"Unauthorized"}');

			if (entry.holds) return;
			expect((await post(receiver.url, deliver(makeKit()))).status).toBe(200);
			expect(receiver.executions.length).toBe(before + 1);
		},
	);
});
