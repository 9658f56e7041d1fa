import { type SendWorkflow } from '../../../host/drafts/workflows';
import { startHost, type Host } from '../../../host/host';
import {
	LATENCY_MS,
	measureBulk,
	publishBulk,
	type BulkFigures,
	type BulkOptions,
	type Sender,
} from '../../../tools/bench/bulk';

const SENDERS: Sender[] = ['Messaging Gateway', 'HTTP Request'];

let host: Host;

beforeAll(async () => {
	const statusDelaysMs = { sent: null, delivered: null, read: null };
	host = await startHost({ gateway: { latencyMs: LATENCY_MS, statusDelaysMs } });
});

afterAll(async () => {
	await host?.stop();
});

const median = (numbers: number[]) =>
	[...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)];

function tell(sender: Sender, { time, accepted, overlaps, swaps, memory }: BulkFigures): void {
	const megabytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`;
	console.log(
		`${sender}: ${accepted} messages in ${time} ms, ${overlaps} overlapping and ${swaps} in the wrong order for one recipient, memory ${megabytes(memory.before)} → ${megabytes(memory.peak)}`,
	);
}

it('sends 1,000 messages as fast as the HTTP Request node, and unlike it one after another for each recipient', async () => {
	const options: BulkOptions = { messages: 1_000, recipients: 200, concurrency: 20 };
	const workflows = new Map<Sender, SendWorkflow>();
	for (const sender of SENDERS) workflows.set(sender, await publishBulk(host, sender, options));
	const times: Record<Sender, number[]> = { 'Messaging Gateway': [], 'HTTP Request': [] };
	for (let round = 0; round < 3; round++) {
		for (const [sender, workflow] of workflows) {
			const figures = await measureBulk(host, workflow, options);
			tell(sender, figures);
			times[sender].push(figures.time);
			expect(figures.accepted).toBe(1_000);
			if (sender === 'Messaging Gateway') expect(figures).toMatchObject({ overlaps: 0, swaps: 0 });
		}
	}
	const ratio = median(times['Messaging Gateway']) / median(times['HTTP Request']);
	console.log(`Time beside the HTTP Request node: ${ratio.toFixed(2)}`);
	expect(ratio).toBeLessThan(1.1);
}, 600_000);

it('takes no more memory for 10,000 messages than the HTTP Request node', async () => {
	const options: BulkOptions = { messages: 10_000, recipients: 2_000, concurrency: 20 };
	const peaks: number[] = [];
	for (const sender of SENDERS) {
		// Each begins in an n8n that has done nothing yet.
		await host.n8n.restart();
		const workflow = await publishBulk(host, sender, options);
		const figures = await measureBulk(host, workflow, options);
		tell(sender, figures);
		expect(figures.accepted).toBe(10_000);
		peaks.push(figures.memory.peak);
	}
	const ratio = peaks[0] / peaks[1];
	console.log(`Memory beside the HTTP Request node: ${ratio.toFixed(2)}`);
	expect(ratio).toBeLessThan(1.3);
}, 900_000);
