import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outputOf } from '../../../host/executions';
import { findFreePort } from '../../../host/ports';
import { waitFor } from '../../../host/waiting';
import { openStage, type Stage } from '../../../tools/demo/stage';
import { ANA, publishAsk } from '../drafts/asking';

// A question that somebody has asked in the demo, and the demo's next start on other ports.

const data = mkdtempSync(join(tmpdir(), 'demo-question-'));
let stage: Stage | undefined;

afterAll(async () => {
	await stage?.stop();
	rmSync(data, { recursive: true, force: true });
});

async function startOnOtherPorts(): Promise<Stage> {
	await stage?.stop();
	stage = undefined;
	const [n8n, gateway, standIns, smtp, redis] = await Promise.all(
		Array.from({ length: 5 }, async () => await findFreePort()),
	);
	stage = await openStage({ folder: data, ports: { n8n, gateway, standIns, smtp, redis } });
	return stage;
}

async function findCredentials({ api }: Stage) {
	const stored = await api.listCredentials();
	const find = (kind: string) => stored.find(({ type }) => type === `messagingGateway${kind}Api`)!;
	return { account: find('Account'), instance: find('Instance') };
}

it('gets its answer at the new address', async () => {
	const before = await startOnOtherPorts();
	const asking = await publishAsk({ ...before, credentials: await findCredentials(before) });
	const question = await asking.ask();
	const isParked = () => !question.webhook().events.includes('MESSAGE.RECEIVED');
	// The trigger of the demo's own workflow forwards from then on.
	await waitFor('the question to be parked', isParked, 60_000);
	await before.gateway.drained();

	const { api, gateway, n8n, move } = await startOnOtherPorts();
	expect(move).toMatchObject({ failed: [], moved: 1, removed: 1 });
	for (const { url } of gateway.webhooks()) expect(url).toContain(`${n8n.url}/`);
	gateway.write('Here I am', { phone: ANA });
	const execution = await api.waitForEnd(question.executionId, 120_000);
	expect(outputOf(execution, 'Next')[0]?.[0]?.json).toMatchObject({ text: 'Here I am' });
}, 240_000);
