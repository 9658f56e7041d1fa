import { parseArgs } from 'node:util';
import { startSimulator } from '.';

const { values } = parseArgs({
	options: {
		port: { type: 'string', default: '3100' },
		host: { type: 'string', default: '127.0.0.1' },
		data: { type: 'string' },
		groups: { type: 'string', default: '6' },
		'latency-ms': { type: 'string', default: '0' },
	},
});

/** Runs the gateway alone, at the pace of people instead of tests, until it is stopped. */
async function main(): Promise<void> {
	const simulator = await startSimulator({
		port: Number(values.port),
		host: values.host,
		dataFile: values.data,
		groups: Number(values.groups),
		latencyMs: Number(values['latency-ms']),
		demoMessages: true,
		statusDelaysMs: { sent: 300, delivered: 900, read: 2500 },
		retryDelaysMs: [1000, 2000, 4000, 8000, 15_000, 30_000, 60_000],
		recordLimit: 5000,
	});
	console.log(`Phone page      ${simulator.pageUrl}`);
	console.log(`Base URL        ${simulator.url}`);
	console.log(`Account token   ${simulator.accountToken}`);
	console.log(`Instance token  ${simulator.instanceToken}`);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void simulator.stop());
	}
}

void main();
