import { OWNER } from '../../host/owner';
import type { OwnWorkflow } from './furnish';
import type { Move } from './move';
import type { TakenPort } from './ports';
import type { Stage } from './stage';

const NAMES: Record<TakenPort['what'], string> = {
	n8n: 'n8n',
	gateway: 'the gateway with the phone page',
	standIns: 'the mailbox page',
	smtp: 'the mail server',
	redis: 'the stand-in for Redis',
};

/** Everything that the person at the terminal has to know: where to go, and what is otherwise than last time. */
export function introduce(stage: Stage, elapsed: string): string {
	const { gateway, n8n, standIns, workflow, password, folder, takenPorts, move } = stage;
	const who = workflow?.isPublished ? 'the workflow answers' : 'what you have published answers';
	return [
		'',
		`The demo is up (${elapsed}).`,
		'',
		`  Phone     ${gateway.pageUrl}`,
		`            Write a message here; ${who} it.`,
		// Elsewhere n8n opens its assistant, which needs an account.
		`  n8n       ${n8n.url}/home/workflows`,
		`            Sign in with ${OWNER.email} and the password ${password}`,
		...(workflow === undefined ? [] : describeWorkflow(workflow, n8n.url)),
		`  Mailbox   ${standIns.mailPageUrl}`,
		'            Shows what workflows send by e-mail. n8n has the credential "Mailbox of the demo" for that.',
		'  AI        The credential "Language model of the demo" needs no account: a stand-in on this machine',
		"            answers from your AI Agent's System Message.",
		'',
		...takenPorts.map(describeTakenPort),
		...(move === undefined ? [] : describeMove(move)),
		...(takenPorts.length > 0 || move !== undefined ? [''] : []),
		`Everything you change is kept for the next start, in ${folder}. Ctrl-C stops all of it.`,
		'',
	].join('\n');
}

function describeWorkflow({ id, isPublished }: OwnWorkflow, n8nUrl: string): string[] {
	const address = `  Workflow  ${n8nUrl}/workflow/${id}`;
	return isPublished
		? [address]
		: [address, '            You have unpublished it: it does not answer.'];
}

function describeTakenPort({ what, wanted, instead }: TakenPort): string {
	return `Another program has port ${wanted}, so ${NAMES[what]} is at port ${instead} this time.`;
}

function describeMove({ published, failed, moved, removed }: Move): string[] {
	const names = published.map((name) => `"${name}"`).join(', ');
	return [
		...(names === '' ? [] : [`Published again, because the address has changed: ${names}.`]),
		...(moved === 0
			? []
			: [
					`Changed to the new address, for open questions: ${moved} ${moved === 1 ? 'webhook' : 'webhooks'}.`,
				]),
		...(removed === 0
			? []
			: [
					`Deleted at the gateway, because they led to an old address: ${removed} ${removed === 1 ? 'webhook' : 'webhooks'}.`,
				]),
		...failed.map((reason) => `Could not be published again, so publish it in n8n: ${reason}`),
	];
}

/** Ctrl-C, or the end of the terminal, stops everything that was started. */
export function stopOnSignal(stage: Stage): void {
	let stopping = false;
	const stop = async () => {
		if (stopping) return;
		stopping = true;
		console.log('\nStopping the demo …');
		await stage.stop();
		process.exit(0);
	};
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
		process.on(signal, () => void stop());
}
