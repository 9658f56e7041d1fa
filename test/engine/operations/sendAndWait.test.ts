import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import type { IDataObject, INodeParameters, IRun } from 'n8n-workflow';
import { to } from '../../oracle/document';
import { execute, outputOf, type BuiltWorkflow } from '../engine';
import { credentialsOf } from '../runOperation';
import { engine, gateway } from '../stage';

const DAY = 24 * 60 * 60_000;

const build = (parameters: INodeParameters = {}): BuiltWorkflow =>
	engine.build({
		nodes: [
			{
				type: 'messagingGateway',
				name: 'Ask',
				parameters: {
					resource: 'message',
					operation: 'sendAndWait',
					to: to('phone', '5511900000001'),
					message: 'Shall we?',
					...parameters,
				} as never,
			},
		],
		credentials: credentialsOf(gateway, {
			furtherNumbers: `${gateway.instanceId}, ${gateway.instanceToken}`,
		}),
	});

const ask = async (built: BuiltWorkflow, json: IDataObject = {}): Promise<IRun> =>
	await execute(built, built.node(), [{ json, pairedItem: 0 }], 'trigger');

/** What n8n does when the time is up. */
async function goOn({ workflow, additionalData }: BuiltWorkflow, { data }: IRun): Promise<IRun> {
	const hooks = new ExecutionLifecycleHooks('trigger', '1', {
		nodes: [],
		connections: {},
	} as never);
	return await new WorkflowExecute(
		{ ...additionalData, hooks },
		'trigger',
		data,
	).processRunExecutionData(workflow);
}

const openUntil = () =>
	gateway.webhooks().map(({ url }) => Number(new URL(url).searchParams.get('until')));

it.each<[string, INodeParameters, number]>([
	['a day unless it is told', {}, DAY],
	[
		'as long as it is told',
		{ limitWaitTime: { values: { resumeAmount: 2, resumeUnit: 'days' } } },
		2 * DAY,
	],
])('waits %s', async (_what, options, time) => {
	const from = Date.now();
	const { waitTill } = await ask(build({ options }));
	const to = Date.now();
	for (const until of [Number(waitTill), ...openUntil()]) {
		expect(until).toBeGreaterThanOrEqual(from + time);
		expect(until).toBeLessThanOrEqual(to + time);
	}
	expect(openUntil()).toHaveLength(1);
});

it.each<[string, INodeParameters, number]>([
	['twenty unless it is told', {}, 20],
	['as many as it is told', { maxOpenQuestions: 2 }, 2],
])('opens %s', async (_what, options, most) => {
	for (let open = 0; open < most; open++)
		expect((await ask(build({ options }))).data.resultData.error).toBeUndefined();
	const { data } = await ask(build({ options }));
	expect(data.resultData.error?.message).toContain(`${most} questions are open`);
	expect(gateway.webhooks()).toHaveLength(most);
});

/** What is kept of the question, with the execution that waits. */
const keptOf = ({ data }: IRun) => data.executionData?.contextData['node:Ask'].question;

it('keeps of the question what nobody has chosen', async () => {
	const from = Date.now();
	const question = keptOf(await ask(build()));
	expect(question).toMatchObject({ type: 'reply', labels: [], requireQuote: false });
	for (const name of ['person', 'instanceId', 'askAgain', 'perMinute'])
		expect(question).not.toHaveProperty(name, expect.anything());
	const { sentAt } = question as { sentAt: number };
	expect(sentAt).toBeGreaterThanOrEqual(from);
	expect(sentAt).toBeLessThanOrEqual(Date.now());
});

it('keeps of the question what a person has chosen', async () => {
	const options = {
		requireQuotedReply: true,
		person: '+55 11 90000-0002',
		instanceId: gateway.instanceId,
		messagesPerMinute: 6000,
		askAgain: { values: { text: 'Again?', maxAttempts: 3 } },
	};
	const choices = 'Red\nBlue';
	const question = keptOf(await ask(build({ options, responseType: 'choice', choices })));
	expect(question).toMatchObject({
		to: '5511900000001',
		type: 'choice',
		labels: ['Red', 'Blue'],
		requireQuote: true,
		person: '5511900000002',
		instanceId: gateway.instanceId,
		perMinute: 6000,
		askAgain: { text: 'Again?', maxAttempts: 3 },
	});
});

it('hands on what came in when nobody has answered, without what would pass for an answer', async () => {
	const built = build();
	const asked = await ask(built, {
		answered: true,
		choice: 'Red',
		approved: true,
		order: 42,
	});
	const run = await goOn(built, asked);
	expect(outputOf(run, 'Ask')).toEqual([{ json: { order: 42 }, pairedItem: expect.anything() }]);
	// The workflow is the one that others use too.
	expect(built.node().disabled).toBeUndefined();
});

it('says that typing could not be shown, and asks all the same', async () => {
	gateway.faults.add({ match: { path: '/v1/messages/presence' }, fault: { status: 403 } });
	const { data, waitTill } = await ask(build({ options: { typingSeconds: 0.05 } }));
	expect(data.resultData.runData.Ask[0].hints?.map(({ message }) => message)).toEqual([
		expect.stringMatching(/^Typing could not be shown: /),
	]);
	expect(waitTill).toBeDefined();
	expect(gateway.acceptedSends()).toMatchObject([{ text: 'Shall we?' }]);
});
