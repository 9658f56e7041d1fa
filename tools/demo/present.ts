import { OWNER } from '../../test/host/owner';
import type { Stage } from './stage';

/** Tells the person at the terminal where to go. */
export function introduce({ gateway, n8n, workflowId }: Stage, elapsed: string): void {
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

/** Ctrl-C, or the end of the terminal, stops everything that was started. */
export function stopOnSignal(stage: Stage): void {
	let stopping = false;
	const stop = async () => {
		if (stopping) return;
		stopping = true;
		console.log('\nStopping n8n and the gateway …');
		await stage.stop();
		process.exit(0);
	};
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
		process.on(signal, () => void stop());
}
