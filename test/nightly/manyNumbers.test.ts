import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import type { Page } from 'playwright-core';
import type { StoredCredential } from '../../host/api';
import { findInDatabase } from '../../host/database';
import { chain, makeSend, makeTrigger } from '../../host/drafts/nodes';
import { publishSendWorkflow } from '../../host/drafts/workflows';
import { openEditor } from '../../host/editor';
import { outputOf, type Execution } from '../../host/executions';
import { credentialData, startHost, type Host } from '../../host/host';
import { drag } from '../../host/newcomer';
import { findPlace } from '../../host/places';
import { waitFor } from '../../host/waiting';
import { makeNumbers, type RecordedRequest } from '../../simulator';
import { ANA, publishAsk } from '../support/drafts/asking';

// One credential holds fifty numbers. A gateway that tells of no message that has left a number is the hardest case.

const ANY = '={{ $json.instanceId }}';
const TYPE = 'messagingGatewayInstanceApi';

let host: Host;

beforeAll(async () => {
	host = await startHost({
		n8n: {},
		gateway: {
			furtherNumbers: makeNumbers(49),
			statusDelaysMs: { sent: null, delivered: null, read: null },
		},
	});
});

afterEach(() => host.gateway.reset({ webhooks: true }));

afterAll(async () => {
	await host?.stop();
});

const ids = () => [
	host.gateway.instanceId,
	...host.gateway.furtherNumbers.map(({ instanceId }) => instanceId),
];
const tokens = () => [
	host.gateway.accountToken,
	host.gateway.instanceToken,
	...host.gateway.furtherNumbers.map(({ instanceToken }) => instanceToken),
];

/** How many requests the gateway had before it at one time. */
const mostUnderWay = (requests: RecordedRequest[]) =>
	Math.max(
		...requests.map(
			({ startedAt }) =>
				requests.filter((other) => other.startedAt <= startedAt && other.finishedAt > startedAt)
					.length,
		),
	);

/** Expects that no token stands in what n8n keeps and says. */
async function expectNoToken({ id }: Execution, others: string[] = []): Promise<void> {
	const saved = JSON.stringify(await host.api.request('GET', `/executions/${id}`));
	for (const token of [...tokens(), ...others]) {
		const core = token.slice('svc_inst_'.length);
		expect(saved).not.toContain(core);
		expect(host.n8n.log()).not.toContain(core);
	}
	// n8n's database is read whole each time.
	for (const token of [...tokens().slice(0, 4), ...others])
		expect(findInDatabase(host.n8n, token.slice('svc_inst_'.length))).toEqual([]);
}

const create = async (changes: { [field: string]: string }): Promise<StoredCredential> =>
	await host.api.createCredential(TYPE, 'Shops', {
		...credentialData(host.gateway).instance,
		...changes,
	});

it('sends 1,000 messages in random order, 20 at once, each from its own number', async () => {
	const lines = host.gateway.numberLines.split('\n');
	const broken = [10, 20, 30].map((at) => ({ at, token: `svc_inst_${'0'.repeat(38)}${at}` }));
	for (const { at, token } of broken) lines[at] = `${ids()[at]}, ${token}`;
	const items = [...Array(1_000).keys()].map((index) => {
		const number = Math.floor(Math.random() * 53);
		const instanceId = ids()[number] ?? `inst_unknown_${number}`;
		const to = `551198765001${Math.floor(Math.random() * 4)}`;
		return { instanceId, text: `m${index}`, to };
	});
	// The first take so long that all twenty places are taken; of the others some, so that others would overtake them.
	for (const [index, { text }] of items.entries())
		if (index < 60 || index % 7 === 0)
			host.gateway.faults.add({
				match: { text },
				fault: { kind: 'slow', delayMs: index < 60 ? 1_000 : 100 },
			});
	const workflow = await publishSendWorkflow(host, {
		options: { instanceId: ANY, concurrency: 20 },
		settings: { onError: 'continueRegularOutput' },
		credential: await create({ furtherNumbers: lines.join('\n') }),
	});
	await workflow.start(items);
	const [execution] = await host.api.waitForExecutions(workflow.id, 1);
	expect(execution.status).toBe('success');

	const accepted = new Map(host.gateway.acceptedSends().map((each) => [each.text, each]));
	const [put] = outputOf(execution, 'Send');
	const unaccepted = broken.map(({ at }) => ids()[at]);
	for (const [index, { instanceId, text }] of items.entries()) {
		const isKnown = ids().includes(instanceId);
		const error = put[index].json.error as IDataObject | undefined;
		const expected = isKnown && !unaccepted.includes(instanceId) ? instanceId : undefined;
		expect(accepted.get(text)?.instanceId).toBe(expected);
		expect(error?.outcome).toBe(expected === undefined ? 'rejected' : undefined);
		expect(error?.status).toBe(expected ? undefined : isKnown ? '401' : '');
	}
	const most = mostUnderWay(host.gateway.requests);
	expect(most).toBeGreaterThan(1);
	expect(most).toBeLessThanOrEqual(20);
	const latest = new Map<string, number>();
	for (const { instanceId, to, text } of host.gateway.acceptedSends()) {
		const lane = `${instanceId} ${to}`;
		expect(Number(text.slice(1))).toBeGreaterThan(latest.get(lane) ?? -1);
		latest.set(lane, Number(text.slice(1)));
	}
	await expectNoToken(
		execution,
		broken.map(({ token }) => token),
	);
});

it('hides the tokens of all numbers in what a hostile gateway says', async () => {
	host.gateway.faults.add({
		match: { text: 'refused' },
		fault: { status: 400, body: { error: tokens().join(' and ') } },
	});
	host.gateway.faults.add({
		match: { text: 'accepted' },
		fault: { status: 202, body: { data: { messageId: 'M1', seen: tokens(), [tokens()[7]]: 1 } } },
	});
	const workflow = await publishSendWorkflow(host, {
		options: { instanceId: ANY },
		settings: { onError: 'continueRegularOutput' },
	});
	const to = ANA;
	await workflow.start([
		{ instanceId: ids()[3], text: 'refused', to },
		{ instanceId: ids()[4], text: 'accepted', to },
		{ instanceId: tokens()[5], text: 'a token for an ID', to },
	]);
	const [execution] = await host.api.waitForExecutions(workflow.id, 1);
	const saved = JSON.stringify(outputOf(execution, 'Send'));
	expect(saved).toContain('[hidden]');
	expect(saved).toContain('does not know the number');
	// What a person maps into the option stands in the input as that person has put it there.
	for (const token of tokens()) expect(saved).not.toContain(token.slice('svc_inst_'.length));
});

it('says in a hint where events are answered by the first number', async () => {
	const workflow = await publishSendWorkflow(host, {});
	await workflow.start([{ instanceId: ids()[2], text: 'Hello', to: ANA }]);
	const [{ data }] = await host.api.waitForExecutions(workflow.id, 1);
	expect(data.resultData.runData.Send[0].hints).toEqual([
		{
			message: expect.stringMatching(/^The node used the number of Instance Token/) as string,
			location: 'outputPane',
		},
	]);
});

describe('a question', () => {
	it('is not asked by a number that the credential does not know', async () => {
		const workflow = await publishAsk(host, { options: { instanceId: 'inst_nobody' } });
		const { message } = await workflow.askInVain();
		expect(message).toMatch(/does not know the number "inst_nobody"/);
		expect(host.gateway.requests).toEqual([]);
	});
});
describe('in the editor', () => {
	const screenshots = join(findPlace('cache'), 'screenshots');
	mkdirSync(screenshots, { recursive: true });
	it.each(['light', 'dark'] as const)(
		'fifty lines are pasted, masked and tested (%s)',
		async (theme) => {
			const editor = await openEditor(host, theme);
			const { page } = editor;
			const { id } = await create({ furtherNumbers: '' });
			await page.goto(`${host.n8n.url}/home/credentials/${id}`);
			const field = page.getByTestId('parameter-input-furtherNumbers').locator('textarea');
			// Opened, the credential was tested already: only what fails first shows that it is tested with the list.
			const save = async (lines: string) => {
				await field.fill(lines);
				await page.getByTestId('credential-save-button').click();
			};
			await save(host.gateway.numberLines.replace(/$/, '0'));
			const shown = await field.evaluate((element) =>
				getComputedStyle(element).getPropertyValue('-webkit-text-security'),
			);
			expect(shown).toBe('disc');
			await page.getByText('More details').click();
			await page.getByText('Further Numbers, line 50: The gateway does not accept').waitFor();
			await shoot(page, `numbers-refused-${theme}`);
			await save(host.gateway.numberLines);
			await page.getByTestId('credentials-config-container-test-success').waitFor();
			await shoot(page, `numbers-tested-${theme}`);
			await editor.close();
			const tested = await host.api.testCredential(
				{ id, name: 'Shops', type: TYPE } as StoredCredential,
				await host.api.readCredential(id),
			);
			expect(tested).toMatchObject({ status: 'OK' });
			expect(JSON.stringify(await host.api.readCredential(id))).not.toContain(
				host.gateway.furtherNumbers[0].instanceToken,
			);
		},
	);

	it.each(['light', 'dark'] as const)(
		'the option is filled in by dragging instanceId (%s)',
		async (theme) => {
			const trigger = makeTrigger(host.credentials.account);
			const send = makeSend(host.credentials.instance, { instanceId: '' });
			const { id } = await host.api.createWorkflow({
				name: 'Dragging',
				nodes: [trigger, { ...send, position: [300, 0] }],
				connections: chain([trigger, send]),
				pinData: { Trigger: [{ json: { instanceId: ids()[1], replyTo: ANA, text: 'Hi' } }] },
			});
			const editor = await openEditor(host, theme);
			const { page } = editor;
			await page.goto(`${host.n8n.url}/workflow/${id}/${send.id}`);
			const target = page.getByTestId('parameter-input-instanceId');
			await target.waitFor();
			await drag(page, 'instanceId', target);
			await shoot(page, `numbers-dragged-${theme}`);
			const chosen = await waitFor('the workflow to be saved', async () => {
				const { nodes } = await host.api.getWorkflow(id);
				const { options } = nodes.find(({ name }) => name === 'Send')!.parameters;
				return (options as IDataObject).instanceId !== '' && (options as IDataObject).instanceId;
			});
			expect(chosen).toBe('={{ $json.instanceId }}');
			await editor.close();
		},
	);

	async function shoot(page: Page, name: string): Promise<void> {
		await page.screenshot({ path: join(screenshots, `${name}.png`) });
	}
});
