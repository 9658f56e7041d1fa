import { setTimeout as pause } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { startHost, type Host } from '../../host/host';
import { waitFor } from '../../host/waiting';
import { to } from '../contract/document';
import { publishAsk } from '../support/drafts/asking';
import { layOut, print } from '../support/table';
import { percentile } from '../support/tally';

// What many open questions cost while many messages come, and whether each gets its own answer.

jest.setTimeout(3_600_000);

const SECONDS = Number(process.env.ASKING_SECONDS ?? 60);
const MOST_OPEN = Number(process.env.ASKING_MOST ?? Infinity);
const LOADS = [20, 50].filter((open) => open <= MOST_OPEN);

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
		'median answer (s)',
		'slowest (s)',
		'cores taken',
		'ms a delivery',
	];
	print(layOut([`${SECONDS} seconds`, ...head], rows));
});

const phoneOf = (question: number) => `55119${10_000_000 + question}`;

it.each(LOADS)(
	'%i open questions, one message a second: each answer resumes its own, once, and one more is refused',
	async (count) => {
		host = await startHost({ n8n: {}, gateway: { deliveryConcurrency: 200 } });
		const { gateway, n8n } = host;
		const workflow = await publishAsk(host, {
			to: to('phone', '={{ $json.note }}'),
			options: { maxOpenQuestions: count },
		});
		const open = [];
		for (let index = 0; index < count; index++) open.push(await workflow.ask(phoneOf(index)));
		const { message } = await workflow.askInVain([{ note: phoneOf(count) }]);
		expect(message).toMatch(new RegExp(`^${count} questions are open, and at most ${count} `));
		await gateway.drained();

		const { length: before } = gateway.deliveries;
		const [computed, began] = [n8n.computing(), Date.now()];
		const answersAt = new Map(
			open.map((_, index) => [Math.floor(((index + 0.5) * SECONDS) / count), index]),
		);
		const writtenAt: number[] = [];
		for (let second = 0; second < SECONDS; second++) {
			await pause(Math.max(0, began + 1_000 * second - Date.now()));
			const question = answersAt.get(second);
			if (question === undefined) {
				gateway.write(`chatter ${second}`, { phone: `55219${10_000_000 + second}` });
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
		rows.push([
			`${count} open`,
			SECONDS,
			deliveries.length,
			deliveries.filter(({ attempt }) => attempt > 1).length,
			percentile(waits, 50).toFixed(2),
			Math.max(...waits).toFixed(2),
			(computing / took).toFixed(2),
			(computing / deliveries.length).toFixed(1),
		]);
		const strange = answers.filter(
			({ data, note }, index) =>
				(data as IDataObject).text !== `answer ${index}` || note !== phoneOf(index),
		);
		expect(strange).toEqual([]);
		expect(await host.api.listExecutions(workflow.id)).toHaveLength(count + 1);
		await waitFor('the webhooks to go', () => gateway.webhooks().length === 0);
	},
);
