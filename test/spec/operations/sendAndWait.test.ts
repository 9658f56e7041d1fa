import {
	NodeConnectionTypes,
	type IDataObject,
	type INodeParameters,
	type IRun,
} from 'n8n-workflow';
import { PEOPLE, type Fault } from '../../../lab/simulator';
import { to } from '../../contract/document';
import { execute, outputOf, type TestNode } from '../../support/engine';
import { engine, gateway } from '../../support/engineAndGateway';
import { credentialsOf } from '../../support/runOperation';

const ANA = PEOPLE[0].phone!;
const QUESTION: INodeParameters = {
	resource: 'message',
	operation: 'sendAndWait',
	to: to('phone', ANA),
	message: 'Shall we?',
	responseType: 'approval',
};
const INPUT: IDataObject = { order: 42, data: { approved: true } };
const NOBODY_SAYS_YES = { status: 400, body: { error: 'There is no such number' } };

const refuseSends = (fault: Fault = NOBODY_SAYS_YES): void => {
	gateway.faults.add({ match: { path: '/v1/messages/send-text' }, times: 'always', fault });
};

/** Runs the node alone, in a workflow that n8n has started. */
async function ask(node: Partial<TestNode>, parameters: INodeParameters = {}): Promise<IRun> {
	const built = engine.build({
		nodes: [
			{
				type: 'messagingGateway',
				name: 'Ask',
				parameters: { ...QUESTION, ...parameters } as never,
				...node,
			},
		],
		credentials: credentialsOf(gateway),
	});
	const asking = built.node();
	if (asking.type.endsWith('Tool')) asking.rewireOutputLogTo = NodeConnectionTypes.AiTool;
	return await execute(built, asking, [{ json: INPUT, pairedItem: 0 }], 'trigger');
}

/** What an agent is given of its tool, or of the review of a call. */
function toldTo(run: IRun): IDataObject {
	const [{ data }] = run.data.resultData.runData.Ask;
	return data?.ai_tool[0]?.[0].json ?? {};
}

describe('a question that could not be asked', () => {
	it('goes on with its input and without data, if its node continues', async () => {
		refuseSends();
		const run = await ask({ onError: 'continueRegularOutput' });

		const [{ json }] = outputOf(run, 'Ask');
		expect(json).toEqual({
			order: 42,
			error: expect.objectContaining({
				message: 'There is no such number. The message was not sent.',
				outcome: 'rejected',
			}),
		});
		expect(run.waitTill).toBeUndefined();
	});

	it('goes on the same way if a parameter cannot be read', async () => {
		const run = await ask({ onError: 'continueRegularOutput' }, { to: to('phone', 'Ana') });

		const [{ json }] = outputOf(run, 'Ask');
		expect(json).toEqual({ order: 42, error: expect.objectContaining({ outcome: 'rejected' }) });
		expect(gateway.requests).toEqual([]);
	});

	it('is asked again by Retry On Fail, and goes on without an answer after the last try', async () => {
		refuseSends({ status: 429, headers: { 'retry-after': '3600' } });
		const run = await ask({
			onError: 'continueRegularOutput',
			retryOnFail: true,
			maxTries: 2,
			waitBetweenTries: 0,
		});

		const [{ json }] = outputOf(run, 'Ask');
		expect(json).toMatchObject({ order: 42, error: { outcome: 'rejected' } });
		expect(json).not.toHaveProperty('data');
		const sends = gateway.requests.filter(({ path }) => path === '/v1/messages/send-text');
		expect(sends).toHaveLength(2);
	});

	it('leaves by the error output, if its node has one', async () => {
		refuseSends();
		const run = await ask({ onError: 'continueErrorOutput' });

		expect(outputOf(run, 'Ask', 0)).toEqual([]);
		expect(outputOf(run, 'Ask', 1)[0].json).toMatchObject({ error: { outcome: 'rejected' } });
	});

	it('stops a workflow that does not continue', async () => {
		refuseSends();
		const { data } = await ask({});

		expect(data.resultData.error?.message).toContain('The message was not sent.');
	});
});

/** What n8n passes on if nobody answers in time. */
function inputPassedOn({ data }: IRun): IDataObject | undefined {
	const [waiting] = data.executionData?.nodeExecutionStack ?? [];
	return waiting.data.main[0]?.[0].json;
}

describe('a question that nobody answers in time', () => {
	const NOBODY = 'Nobody has answered in time, so nothing is decided, and nothing was done.';

	it.each([
		{ what: 'a node passes its input on, but for its data', suffix: '', output: { order: 42 } },
		{ what: 'a review tells the agent so', suffix: 'HitlTool', output: { chatInput: NOBODY } },
		{ what: 'a tool tells the agent so', suffix: 'Tool', output: { message: NOBODY } },
	])('$what', async ({ suffix, output }) => {
		const run = await ask({ type: `messagingGateway${suffix}` });

		expect(run.waitTill).toBeInstanceOf(Date);
		expect(inputPassedOn(run)).toEqual(output);
	});
});

describe('a review that nobody could be asked for', () => {
	const type = 'messagingGatewayHitlTool';
	const SAYS_WHY =
		'No review took place, so nothing is decided, and nothing was done. The reason: There is no such number. The message was not sent.';

	it.each<{ how: string; node: Partial<TestNode> }>([
		{ how: 'as it is', node: {} },
		{ how: 'with On Error → Continue', node: { onError: 'continueRegularOutput' } },
		{
			how: 'with Retry On Fail',
			node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
		},
	])('tells the agent why, $how', async ({ node }) => {
		refuseSends();
		const run = await ask({ type, ...node });

		expect(toldTo(run)).toMatchObject({ chatInput: SAYS_WHY });
		expect(toldTo(run)).not.toHaveProperty('data');
		const [{ hints = [] }] = run.data.resultData.runData.Ask;
		expect(hints).toEqual([expect.objectContaining({ message: SAYS_WHY, type: 'warning' })]);
		expect(run.data.resultData.error).toBeUndefined();
	});

	it('tells the agent that an error output hides what its tool has done', async () => {
		const run = await ask({ type, onError: 'continueErrorOutput' });

		expect(JSON.stringify(run.data.resultData)).toContain('No review took place');
		expect(gateway.requests).toEqual([]);
	});

	it('stops a workflow whose reviewer is set to stop it', async () => {
		refuseSends();
		const { data } = await ask({ type, onError: 'stopWorkflow' });

		expect(data.resultData.error?.message).toContain('The message was not sent.');
	});
});
