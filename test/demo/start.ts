import { parseArgs } from 'node:util';
import { OWNER } from '../host/owner';
import { checkReply } from './check';
import { openStage, type Stage } from './stage';

const { values } = parseArgs({
	options: {
		/** Tries the demo out without a person, and ends. */
		check: { type: 'boolean', default: false },
		/** Folder for the demo's data. */
		data: { type: 'string' },
	},
});

async function main(): Promise<void> {
	const started = Date.now();
	const elapsed = () => `${((Date.now() - started) / 1000).toFixed(1)} s`;
	console.log('Starting the gateway and n8n (usually 10 to 20 seconds)');
	const stage = await openStage({ folder: values.data });
	stopOnSignal(stage);
	if (values.check) {
		console.log(`✓ Gateway and n8n are up, the workflow is published (${elapsed()})`);
		try {
			await checkReply(stage, (step) => console.log(`✓ ${step} (${elapsed()})`));
		} finally {
			await stage.stop();
		}
		console.log(`The demo works (${elapsed()}).`);
		process.exit(0);
	}
	introduce(stage, elapsed());
}

function introduce({ gateway, n8n, workflowId }: Stage, elapsed: string): void {
	console.log(`
The demo is up (${elapsed}).

  Phone     ${gateway.pageUrl}
            Write a message here; the workflow answers it.
  n8n       ${n8n.url}
            Sign in with ${OWNER.email} and the password ${OWNER.password}
  Workflow  ${n8n.url}/workflow/${workflowId}

Everything you change is kept for the next start. Ctrl-C stops both.
`);
}

function stopOnSignal(stage: Stage): void {
	let stopping = false;
	const stop = async () => {
		if (stopping) return;
		stopping = true;
		console.log('\nStopping n8n and the gateway …');
		await stage.stop();
		process.exit(0);
	};
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
}

main().catch((error: Error) => {
	console.error(`\n${error.message}`);
	process.exit(1);
});
