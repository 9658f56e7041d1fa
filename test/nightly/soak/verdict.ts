import type { RecordedDelivery } from '../../../simulator';
import { isStartingUp } from '../../support/tally';
import type { Soak } from './soak';

export interface Verdict {
	/** What is counted, and how many there are. */
	figures: Array<[string, number]>;
	/** What must not be, each in words; empty if all is well. */
	problems: string[];
}

type Fate =
	/** There was no webhook that asked for it: nothing was ever sent. */
	| 'unsent'
	| 'ran'
	/** n8n accepted it, was ended before its execution had begun, and shows that execution as crashed. */
	| 'cut off'
	/** n8n answered 200 itself, before its trigger was there to be asked. */
	| 'answered for'
	/** Its webhook was deleted or disabled before it was taken; a gateway has nothing to sign it with any more. */
	| 'gone with its webhook'
	| 'lost';

/**
 * What became of each event. Owed is every event of which a delivery was tried, unless its webhook was taken away, by a
 * person or by a publication that changed the events, before any of the tries was answered 2xx.
 *
 * @param cutOff ids of the events of executions that n8n shows as crashed
 */
export function judge(soak: Soak, cutOff: Set<string>): Verdict {
	const { deliveries } = soak.host.gateway;
	const attempts = groupBy(deliveries, ({ eventId }) => eventId);
	const livesOf = groupBy(soak.runs, ({ eventId }) => eventId);
	const hasRun = (id: string) => livesOf.has(id);
	const current = soak.findWebhook();
	const fates = new Map<string, Fate>();
	const problems: string[] = [];

	for (const id of soak.written) {
		const tries = attempts.get(id) ?? [];
		const fate = tellFate(tries, hasRun(id), cutOff.has(id), current?.id);
		fates.set(id, fate);
		if (fate === 'lost') problems.push(`Event ${id} did not run: ${describe(tries)}`);
		const refused = tries.filter((delivery) => isRefusedThoughGenuine(soak, delivery));
		if (refused.length > 0 && fate === 'gone with its webhook')
			problems.push(`Event ${id} was answered 401 for good: ${describe(tries)}`);
	}

	let inOneLife = 0;
	let afterStop = 0;
	let afterKill = 0;
	let afterSilence = 0;
	for (const [id, runs] of livesOf) {
		if (soak.forged.has(id)) problems.push(`Event ${id} ran with the secret of a deleted webhook`);
		if (runs.length === 1) continue;
		// What n8n had taken into its queue before it ended, it runs at its next start.
		const handed = (attempts.get(id) ?? []).filter(mayHaveBeenTaken);
		const lives = [
			...runs.map(({ life }) => life),
			...handed.map(({ startedAt }) => lifeAt(soak, startedAt)),
		];
		const between = soak.lives.slice(Math.min(...lives), Math.max(...lives));
		if (between.length === 0) {
			inOneLife++;
			problems.push(
				`Event ${id} ran twice in one life of n8n: ${describe(attempts.get(id) ?? [])}`,
			);
		} else if (between.some(({ endedBy }) => endedBy === 'kill')) afterKill++;
		else if (isLeftUnanswered(soak, attempts.get(id) ?? [], Math.max(...lives))) afterSilence++;
		else {
			afterStop++;
			problems.push(
				`Event ${id} ran again after a clean stop: ${describe(attempts.get(id) ?? [])}`,
			);
		}
	}

	const others = soak.host.gateway.webhooks().filter(({ id }) => id !== current?.id);
	if (!current) problems.push('The gateway has no webhook for the trigger');
	for (const { id, url } of others) problems.push(`Webhook ${id} for ${url} is left`);

	const countFate = (fate: Fate) => [...fates.values()].filter((one) => one === fate).length;
	const countStatus = (status: number | null) =>
		deliveries.filter((delivery) => delivery.finishedAt > 0 && delivery.status === status).length;
	const usual = [200, 401, 404, 503, null];
	return {
		problems,
		figures: [
			['events', soak.written.length],
			['  ran', countFate('ran')],
			['  never sent: no webhook asked for it', countFate('unsent')],
			['  gone with its webhook before it was taken', countFate('gone with its webhook')],
			['  cut off by the end of n8n, shown as crashed', countFate('cut off')],
			['  answered 200 by n8n itself while it was starting', countFate('answered for')],
			['  lost', countFate('lost')],
			['ran twice in one life of n8n', inOneLife],
			['ran again after a clean stop', afterStop],
			['ran again after kill -9', afterKill],
			['ran again, not answered in time by n8n before its end', afterSilence],
			['deliveries', deliveries.length],
			['  answered 200', countStatus(200)],
			['  answered 401', countStatus(401)],
			[
				'    while its webhook was there',
				deliveries.filter((delivery) => isRefusedThoughGenuine(soak, delivery)).length,
			],
			['  answered 404', countStatus(404)],
			['  answered 503', countStatus(503)],
			['  answered otherwise', deliveries.filter(({ status }) => !usual.includes(status)).length],
			['  not answered', countStatus(null)],
			['webhooks made', soak.webhooks.size],
			['webhooks left', soak.host.gateway.webhooks().length],
			['tries with the secret of a deleted webhook', soak.forged.size],
			['lives of n8n', soak.lives.length],
		],
	};
}

/** What the gateway has to deliver to, and the events that it still repeats, each with its tries, in words. */
export function describeOpen(soak: Soak): string {
	const { deliveries } = soak.host.gateway;
	const webhooks = soak.host.gateway.webhooks();
	const isOpen = ({ webhookId, status }: RecordedDelivery) =>
		status !== 200 && webhooks.some(({ id }) => id === webhookId);
	const open = [...groupBy(deliveries, ({ eventId }) => eventId)].filter(([, tries]) =>
		tries.slice(-1).some(isOpen),
	);
	return [
		...webhooks.map(({ id, url, events, enabled }) => `${id} ${url} ${events} ${enabled}`),
		...open.map(([id, tries]) => `${id}: ${describe(tries.slice(-20))}`),
	].join('\n');
}

function tellFate(
	tries: RecordedDelivery[],
	hasRun: boolean,
	isCutOff: boolean,
	current: string | undefined,
): Fate {
	if (hasRun) return 'ran';
	if (tries.length === 0) return 'unsent';
	if (isCutOff) return 'cut off';
	const taken = tries.filter(({ status }) => status === 200);
	if (taken.some(isStartingUp)) return 'answered for';
	const isOwed = taken.length > 0 || tries.some(({ webhookId }) => webhookId === current);
	return isOwed ? 'lost' : 'gone with its webhook';
}

/** Whether it was refused for good reason only if its webhook was deleted while it was on its way. */
function isRefusedThoughGenuine(soak: Soak, { status, webhookId, finishedAt }: RecordedDelivery) {
	const lastSeenAt = soak.webhooks.get(webhookId)?.lastSeenAt ?? 0;
	return status === 401 && finishedAt <= lastSeenAt;
}

/**
 * Whether an earlier process of n8n was too busy to answer within the time that the gateway waits: then the gateway repeats
 * what that process has run all the same, and the next one cannot know.
 */
function isLeftUnanswered(soak: Soak, tries: RecordedDelivery[], life: number): boolean {
	return tries.some(
		({ error, startedAt }) =>
			error?.startsWith('No answer within') && lifeAt(soak, startedAt) < life,
	);
}

/** Whether n8n may have begun something with it, whatever it answered. */
function mayHaveBeenTaken({ status, error }: RecordedDelivery): boolean {
	return status === 200 || (status === null && error !== 'ECONNREFUSED');
}

/** Index of the process of n8n that was there at a time, or had been there last. */
function lifeAt({ lives }: Soak, at: number): number {
	return lives.findLastIndex(({ beganAt }) => beganAt <= at);
}

function describe(tries: RecordedDelivery[]): string {
	return tries
		.map(({ webhookId, status, error, answer, startedAt }) => {
			const at = new Date(startedAt).toISOString().slice(11, 23);
			return `${at} ${webhookId.slice(0, 11)} ${status ?? error} ${/^[^<]{1,80}$/.test(answer ?? '') ? answer : ''}`.trim();
		})
		.join(', ');
}

function groupBy<Value>(values: Value[], keyOf: (value: Value) => string): Map<string, Value[]> {
	const groups = new Map<string, Value[]>();
	for (const value of values) {
		const key = keyOf(value);
		groups.set(key, [...(groups.get(key) ?? []), value]);
	}
	return groups;
}
