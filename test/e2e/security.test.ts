import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	catalogue,
	deliver,
	makeEvent,
	postEvenIfTooLarge,
	type Kit,
} from '../contract/deliveries';
import { createTriggerWorkflow, type TriggerWorkflow } from '../support/drafts/trigger';
import { host, useHost } from '../support/host';

// The lines of SECURITY.md that only a whole n8n can show.

useHost();

let workflow: TriggerWorkflow;
let kit: () => Kit;

beforeAll(async () => {
	workflow = await publishTrigger();
	const other = await publishTrigger();
	const secret = secretOf(workflow);
	const otherSecret = secretOf(other);
	const oldSecret = `whsec_${Buffer.alloc(32, 'old').toString('base64')}`;
	kit = () => ({ secret, oldSecret, otherSecret, now: Math.floor(Date.now() / 1000) });
});

async function publishTrigger(): Promise<TriggerWorkflow> {
	const created = await createTriggerWorkflow(host);
	await host.api.publish(created.id);
	return created;
}

const secretOf = ({ url }: TriggerWorkflow) =>
	host.gateway.webhooks().find((webhook) => webhook.url === url)!.secret;
const tokens = () => [host.gateway.accountToken, host.gateway.instanceToken];
const count = async () => (await host.api.listExecutions(workflow.id)).length;

it('the trigger refuses each bad delivery of the catalogue, and leaves no execution and no line in the log', async () => {
	const bad = catalogue.filter(({ holds, before }) => !holds && !before);
	const lines = host.n8n.log().split('\n').length;
	const wrong: string[] = [];
	for (const { group, name, answers, make } of bad) {
		const answer = await postEvenIfTooLarge(workflow.url, make(kit()));
		if (answer && !answers.includes(answer.status))
			wrong.push(`${group}, ${name}: ${answer.status}`);
		if (answer?.status === 401) expect(answer.text).toBe('{"error":"Unauthorized"}');
	}

	expect(wrong).toEqual([]);
	expect(bad.length).toBeGreaterThan(50);
	expect(await count()).toBe(0);

	const added = host.n8n.log().split('\n').slice(lines);
	// The trigger says once why a genuine delivery is too old. n8n drops insights of workflows that are deleted.
	const expected = /^$|time stamp is -?\d{3,9} seconds old|Dropped insights/;
	expect(added.filter((line) => !expected.test(line))).toEqual([]);
});

it('the trigger drops a recorded delivery that is sent again, and shows neither tokens nor the secret of its webhook', async () => {
	const recorded = deliver(kit(), { event: makeEvent() });
	for (let sent = 0; sent < 2; sent++)
		expect((await postEvenIfTooLarge(workflow.url, recorded))?.status).toBe(200);

	const [{ id }] = await host.api.waitForExecutions(workflow.id, 1);
	expect(await count()).toBe(1);

	const saved = JSON.stringify(await host.api.request('GET', `/executions/${id}`));
	expect(saved).toContain('evt_');
	for (const text of [...tokens(), secretOf(workflow)]) {
		expect(saved).not.toContain(text);
		expect(host.n8n.log()).not.toContain(text);
	}
});

it('n8n’s database has the tokens encrypted, and the secret of the webhook readable', () => {
	const folder = join(host.n8n.folder, '.n8n');
	const files = ['database.sqlite', 'database.sqlite-wal'];
	const database = Buffer.concat(files.map((file) => readFileSync(join(folder, file))));
	expect(database.includes(secretOf(workflow))).toBe(true);
	for (const token of tokens()) expect(database.includes(token)).toBe(false);
});
