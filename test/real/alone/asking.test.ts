import { setTimeout as pause } from 'node:timers/promises';
import { publishAsk } from '../../host/drafts/asking';
import { startHost, type Host } from '../../host/host';
import { to } from '../../oracle/document';
import { layOut, print } from '../queue/table';
import { percentile } from '../tally';

// What many open questions cost while many messages come, and whether each gets its own answer.

jest.setTimeout(3_600_000);

const SECONDS = Number(process.env.ASKING_SECONDS ?? 60);
const LOADS = [
	{ questions: 20, perSecond: 1 },
	{ questions: 50, perSecond: 1 },
];

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
	'$questions open questions and $perSecond messages a second: each answer resumes its own, once',
	async ({ questions, perSecond }) => {
		host = await startHost({
			gateway: {
				deliveryConcurrency: 200,
				retryDelaysMs: [500, 1_000, 2_000, 4_000, ...Array<number>(1_000).fill(5_000)],
				statusDelaysMs: { sent: null, delivered: null, read: null },
			},
		});
		const { gateway, n8n } = host;
		const workflow = await publishAsk(host, {
			to: to('phone', '={{ $json.note }}'),
			options: { mostOpenQuestions: questions },
		});
		const open = [];
		for (let index = 0; index < questions; index++) open.push(await workflow.ask(phoneOf(index)));
		await gateway.drained();

		const { length: before } = gateway.deliveries;
		const [computed, began] = [n8n.computing(), Date.now()];
		const messages = SECONDS * perSecond;
		const answersAt = new Map(
			open.map((_, index) => [Math.floor(((index + 0.5) * messages) / questions), index]),
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
			`${questions} open, ${perSecond} a second`,
			messages,
			deliveries.length,
			deliveries.filter(({ attempt }) => attempt > 1).length,
			answers.length,
			strange.length,
			percentile(waits, 50).toFixed(1),
			Math.max(...waits).toFixed(1),
			(computing / took).toFixed(2),
			(computing / deliveries.length).toFixed(1),
			(took / 1_000).toFixed(0),
		]);
		expect(strange).toEqual([]);
		expect(await host.api.listExecutions(workflow.id)).toHaveLength(questions);
		expect(gateway.webhooks()).toEqual([]);
	},
);
