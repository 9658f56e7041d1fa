import type { Host } from '../../host/host';
import { LATENCY_MS, measureBulk, publishBulk } from './bulk';
import type { Figure } from './report';

const CONCURRENCY = 20;
const RECIPIENTS = 1_000;

/** Sends so many messages with this package's node, with n8n's HTTP Request node, and beside what is possible at all. */
export async function measureSending(host: Host, counts: number[]): Promise<Figure[]> {
	const figures: Figure[] = [];
	for (const messages of counts) {
		const options = { messages, recipients: RECIPIENTS, concurrency: CONCURRENCY };
		const ours = await measureBulk(
			host,
			await publishBulk(host, 'Messaging Gateway', options),
			options,
		);
		const other = await measureBulk(
			host,
			await publishBulk(host, 'HTTP Request', options),
			options,
		);
		const what = `${messages.toLocaleString('en')} messages, ${CONCURRENCY} at once`;
		figures.push(
			{
				what,
				unit: 'ms',
				ours: ours.time,
				other: { what: 'HTTP Request node, batches of the same width', value: other.time },
				better: 'less',
				because:
					'the HTTP Request node starts a batch by the clock, whether the one before has ended or not, and keeps no order per recipient.',
			},
			{
				what,
				unit: 'ms',
				ours: ours.time,
				other: {
					what: 'requests × latency ÷ concurrency, the limit',
					value: Math.ceil(messages / CONCURRENCY) * LATENCY_MS,
				},
				better: 'less',
				because:
					"n8n's HTTP helper opens a connection and resolves the credential for each request; on one thread that adds up.",
			},
		);
		if (messages === Math.max(...counts)) {
			figures.push({
				what: `memory at its highest, ${messages.toLocaleString('en')} messages`,
				unit: 'MB',
				ours: ours.memory.peak / 2 ** 20,
				other: { what: 'HTTP Request node', value: other.memory.peak / 2 ** 20 },
				better: 'less',
				because: 'it is the memory of the whole n8n, which had less of it in use when it began.',
			});
		}
	}
	return figures;
}
