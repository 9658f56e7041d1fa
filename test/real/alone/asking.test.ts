import { setTimeout as pause } from 'node:timers/promises';
import { createTriggerWorkflow } from '../../../host/drafts/workflows';
import { startHost, type Host } from '../../../host/host';
import { waitFor } from '../../../host/waiting';
import { to } from '../../oracle/document';
import { layOut, print } from '../../support/table';
import { publishAsk, type AskWorkflow } from '../drafts/asking';
import { percentile } from '../tally';

// What many open questions cost while many messages come, and whether each gets its own answer.

jest.setTimeout(3_600_000);

const SECONDS = Number(process.env.ASKING_SECONDS ?? 60);
const MOST_OPEN = Number(process.env.ASKING_MOST ?? Infinity);
/** Beside a trigger, the questions that nobody answers come on top. */
const LOADS = [
	{ answered: 20, unanswered: 0, perSecond: 1, beside: 'no trigger' },
	{ answered: 50, unanswered: 0, perSecond: 1, beside: 'no trigger' },
	{ answered: 0, unanswered: 0, perSecond: 20, beside: 'a trigger' },
	{ answered: 50, unanswered: 0, perSecond: 20, beside: 'a trigger' },
	{ answered: 50, unanswered: 950, perSecond: 20, beside: 'a trigger' },
].filter(({ answered, unanswered }) => answered + unanswered <= MOST_OPEN);
/** When the gateway tells that a message has left the number: so a trigger can take its question over. */
const SENT_AFTER_MS = 50;

let host: Host;
const rows: Array<Array<string | number>> = [];

afterEach(async () => {
	await host?.stop();
});

afterAll(() => {
	const head = [
		'messages',
		'deliveries',
		'repeats',
		'answered',
		'in another’s place',
		'median answer (s)',
		'slowest (s)',
		'cores taken',
		'ms a delivery',
		'until all was quiet (s)',
	];
	print(layOut([`${SECONDS} seconds`, ...head], rows));
});

const phoneOf = (question: number) => `55119${10_000_000 + question}`;

it.each(LOADS)(
	'$answered answered and $unanswered unanswered questions, $perSecond messages a second, beside $beside: each answer resumes its own, once',
	async ({ answered, unanswered, perSecond, beside }) => {
		const hasTrigger = beside === 'a trigger';
		host = await startHost({
			n8n: {},
			gateway: {
				deliveryConcurrency: 200,
				retryDelaysMs: [500, 1_000, 2_000, 4_000, ...Array<number>(1_000).fill(5_000)],
				statusDelaysMs: { sent: hasTrigger ? SENT_AFTER_MS : null, delivered: null, read: null },
			},
		});
		const { gateway, n8n } = host;
		if (hasTrigger) await publishTrigger();
		const asking = {
			to: to('phone', '={{ $json.note }}'),
			options: hasTrigger ? {} : { maxOpenQuestions: answered },
		};
		if (unanswered > 0) await askAll(await publishAsk(host, asking), unanswered);
		const workflow = await publishAsk(host, asking);
		const open = [];
		for (let index = 0; index < answered; index++) open.push(await workflow.ask(phoneOf(index)));
		await gateway.drained();
		if (hasTrigger) {
			const gettingMessages = () =>
				gateway.webhooks().filter(({ events }) => events.includes('MESSAGE.RECEIVED')).length;
			await waitFor('the webhooks of the questions to rest', () => gettingMessages() === 1);
		}

		const { length: before } = gateway.deliveries;
		const [computed, began] = [n8n.computing(), Date.now()];
		const messages = SECONDS * perSecond;
		const answersAt = new Map(
			open.map((_, index) => [Math.floor(((index + 0.5) * messages) / answered), index]),
		);
		const writtenAt: number[] = [];
		for (let index = 0; index < messages; index++) {
			await pause(Math.max(0, began + (1_000 * index) / perSecond - Date.now()));
			const question = answersAt.get(index);
			if (question === undefined) {
				gateway.write(`chatter ${index}`, { phone: `55219${10_000_000 + index}` });
			} else {
				gateway.write(`answer ${question}`, { phone: phoneOf(question) });
				writtenAt[question] = Date.now();
			}
		}
		await gateway.drained();
		const took = Date.now() - began;
		const computing = n8n.computing() - computed;

		const answers = await Promise.all(open.map(async (question) => await question.answer()));
		const waits = await Promise.all(
			open.map(async ({ executionId }, index) => {
				const { stoppedAt = '' } = await host.api.getExecution(executionId);
				return (Date.parse(stoppedAt) - writtenAt[index]) / 1_000;
			}),
		);
		const deliveries = gateway.deliveries.slice(before);
		const strange = answers.filter(
			({ text, note }, index) => text !== `answer ${index}` || note !== phoneOf(index),
		);
		rows.push([
			`${answered + unanswered} open beside ${beside}, ${perSecond} a second`,
			messages,
			deliveries.length,
			deliveries.filter(({ attempt }) => attempt > 1).length,
			answers.length,
			strange.length,
			waits.length > 0 ? percentile(waits, 50).toFixed(1) : '',
			waits.length > 0 ? Math.max(...waits).toFixed(1) : '',
			(computing / took).toFixed(2),
			(computing / deliveries.length).toFixed(1),
			(took / 1_000).toFixed(0),
		]);
		expect(strange).toEqual([]);
		expect(await host.api.listExecutions(workflow.id)).toHaveLength(answered);
		await waitFor(
			'the webhooks of what was answered to go',
			() => gateway.webhooks().length === unanswered + (hasTrigger ? 1 : 0),
		);
	},
);

/** Publishes a trigger for received messages, and waits until it hands them on. */
async function publishTrigger(): Promise<void> {
	const { id } = await createTriggerWorkflow(host, {
		parameters: { options: { ignoreAnswers: true } },
	});
	await host.api.publish(id);
	const { length } = host.gateway.requests;
	await waitFor('the trigger to look after questions', () => host.gateway.requests.length > length);
}

/** Asks people who never answer. */
async function askAll(workflow: AskWorkflow, count: number): Promise<void> {
	const { gateway } = host;
	for (let index = 0; index < count; index++) {
		const { length } = gateway.acceptedSends();
		await workflow.start([{ note: `55319${10_000_000 + index}` }]);
		await waitFor('the question', () => gateway.acceptedSends().length > length);
	}
}
