import { startN8n, type N8n, type N8nOptions } from './n8n';
import { startQueueN8n } from './queue';

/** The kinds of n8n that scenarios can run in; the test file that runs them there sets `N8N_TEST_MODE`. */
const modes: Record<string, (options?: N8nOptions) => Promise<N8n>> = {
	single: startN8n,
	queue: startQueueN8n,
	'queue, spread by event': async (options) =>
		await startQueueN8n({ spreadBy: 'event', ...options }),
	'queue, spread by trigger': async (options) =>
		await startQueueN8n({ spreadBy: 'trigger', ...options }),
};

/** Starts the n8n of the chosen mode: one process, unless something else was asked for. */
export async function startChosenN8n(options?: N8nOptions): Promise<N8n> {
	const mode = process.env.N8N_TEST_MODE ?? 'single';
	const start = modes[mode];
	if (start === undefined)
		throw new Error(`N8N_TEST_MODE is one of: ${Object.keys(modes).join(', ')}`);
	return await start(options);
}
