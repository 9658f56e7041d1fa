import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startHost, type Host } from '../../host/host';
import { LATENCY_MS } from './bulk';
import type { Length } from './race';
import { measureNodes, measureReceiving, measureSharing, measureSizes } from './receiving';
import { compose, type Figure, type Section } from './report';
import { measureSending } from './sending';
import { measureStartUp } from './startUp';
import { measureVerification } from './verification';

const { values } = parseArgs({
	options: {
		/** A fifth of the time, the biggest sizes left out: for trying. Nothing is written. */
		quick: { type: 'boolean', default: false },
		/** Only the sections whose titles hold this text. */
		only: { type: 'string', default: '' },
	},
});

const quick = values.quick;
const length: Length = quick ? { measure: 1_500, warmUp: 500 } : { measure: 10_000, warmUp: 2_000 };
const sends = quick ? [10, 100] : [10, 100, 1_000, 10_000];
const resultsFile = join(__dirname, 'RESULTS.md');

interface Plan {
	title: string;
	how: string;
	measure(): Promise<Figure[]>;
}

const onHost = (measure: (host: Host) => Promise<Figure[]>, lazyExpressions = true) => {
	return async () => {
		const statusDelaysMs = { sent: null, delivered: null, read: null };
		const host = await startHost({
			n8n: { lazyExpressions },
			gateway: { latencyMs: LATENCY_MS, statusDelaysMs },
		});
		try {
			return await measure(host);
		} finally {
			await host.stop();
		}
	};
};

const RECEIVING =
	'A real n8n with one workflow each: the way in and one node that does nothing. 10 connections that deliver 1 kB as fast as the answers come.';

const plans: Plan[] = [
	{
		title: 'Receiving, as recommended',
		how: `${RECEIVING} \`N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true\`.`,
		measure: onHost(async (host) => await measureReceiving(host, length, true)),
	},
	{
		title: "Receiving, n8n's default settings",
		how: RECEIVING,
		measure: onHost(async (host) => await measureReceiving(host, length, false), false),
	},
	{
		title: 'Many at once',
		how: '100 connections, the option Max per Execution at 1, 10 and 100.',
		measure: onHost(async (host) => await measureSharing(host, length)),
	},
	{
		title: 'Long workflows',
		how: 'Workflows of 5 and of 200 nodes, 10 connections.',
		measure: onHost(async (host) => await measureNodes(host, length)),
	},
	{
		title: 'Big deliveries',
		how: 'One delivery after the other, the median time until it is answered and its execution has started.',
		measure: onHost(async (host) => await measureSizes(host, length)),
	},
	{
		title: 'Verification',
		how: "The check alone, without n8n: from the raw headers to the parsed event. Beside the reference library, and Node's own HMAC-SHA256.",
		measure: async () => measureVerification(quick ? 400 : 2_000),
	},
	{
		title: 'Sending',
		how: `One execution that sends the messages to 1,000 recipients through a gateway that answers after ${LATENCY_MS} ms.`,
		measure: onHost(async (host) => await measureSending(host, sends)),
	},
	{
		title: 'Start-up',
		how: 'Loading the package in a fresh process through the loader of n8n, the median of five; beside it the start of a whole n8n on existing data.',
		measure: async () => await measureStartUp(quick ? 1 : 3),
	},
];

async function main(): Promise<void> {
	const [load] = loadavg();
	if (load > 0.5)
		console.log(`The machine is not idle (load ${load.toFixed(1)}): figures will vary.`);
	const sections: Section[] = [];
	const chosen = plans.filter(({ title }) =>
		title.toLowerCase().includes(values.only.toLowerCase()),
	);
	for (const { title, how, measure } of chosen) {
		const started = Date.now();
		process.stdout.write(`▸ ${title} … `);
		sections.push({ title, how, figures: await measure() });
		console.log(`${((Date.now() - started) / 1000).toFixed(0)} s`);
	}
	const report = compose(sections, quick);
	console.log(`\n${report}`);
	if (!quick && chosen.length === plans.length) writeFileSync(resultsFile, report);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exit(1);
});
