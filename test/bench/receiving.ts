import type { Host } from '../host/host';
import { publishChain, publishTrigger, publishWebhook, type Target } from './drafts';
import { drive, type LoadFigures, type Shot } from './load';
import type { Figure } from './report';
import { shoot } from './shots';

export interface Length {
	/** Milliseconds of each measurement, and of the warming up before it. */
	measure: number;
	warmUp: number;
}

const CONNECTIONS = 10;
const BURST = 100;
const EVENTS_PER_EXECUTION = [1, 10, 100];
const NODES = [5, 200];
const SIZES = [300, 10_000, 100_000, 1_000_000, 10_000_000];

const CHAIN = 'Webhook, Crypto, IF, Remove Duplicates';
const WEBHOOK = 'Webhook node, which checks nothing';
const ISOLATE =
	"n8n makes an expression sandbox for every delivery to a node that is not its own Webhook node, which costs more than everything the trigger does. `N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true` spares it.";

type Measure = (target: Target, load?: Partial<{ next: () => Shot; expect: number; connections: number }>) => Promise<LoadFigures>;

function measuring({ measure, warmUp }: Length): Measure {
	return async (target, load = {}) => {
		const all = { url: target.url, connections: CONNECTIONS, next: () => shoot(target.secret), expect: 200, ...load };
		await drive({ ...all, milliseconds: warmUp });
		return await drive({ ...all, milliseconds: measure });
	};
}

/** What becomes of genuine, repeated and forged deliveries, beside what one would build without the package. */
export async function measureReceiving(host: Host, length: Length, lazy: boolean): Promise<Figure[]> {
	const run = measuring(length);
	const [trigger, webhook, own] = [await publishTrigger(host), await publishWebhook(host), await publishChain(host)];
	const because = lazy ? undefined : ISOLATE;
	const rate = (what: string, ours: LoadFigures, other: LoadFigures, name: string): Figure => ({
		what,
		unit: 'a second',
		ours: ours.perSecond,
		other: { what: name, value: other.perSecond },
		better: 'more',
		because,
	});
	const repeating = (target: Target) => {
		const shot = shoot(target.secret);
		return { next: () => shot };
	};
	const forging = { next: () => shoot(`whsec_${Buffer.alloc(32).toString('base64')}`), expect: 401 };

	const accepted = await run(trigger);
	const acceptedByChain = await run(own);
	const accepting = await run(webhook);
	return [
		rate('accepted', accepted, acceptedByChain, CHAIN),
		rate('accepted', accepted, accepting, WEBHOOK),
		rate('repeated', await run(trigger, repeating(trigger)), await run(own, repeating(own)), CHAIN),
		rate('forged', await run(trigger, forging), await run(own, forging), CHAIN),
	];
}

/** How many events get through when 100 come at once and may share executions. */
export async function measureSharing(host: Host, length: Length): Promise<Figure[]> {
	const run = measuring(length);
	const webhook = await run(await publishWebhook(host), { connections: BURST });
	const figures: Figure[] = [];
	for (const maxPerExecution of EVENTS_PER_EXECUTION) {
		const trigger = await publishTrigger(host, { options: { maxPerExecution } });
		const { perSecond } = await run(trigger, { connections: BURST });
		figures.push({
			what: `up to ${maxPerExecution} per execution`,
			unit: 'events a second',
			ours: perSecond,
			other: { what: `${WEBHOOK}, one each`, value: webhook.perSecond },
			better: 'more',
		});
	}
	return figures;
}

/** What the size of the workflow behind the trigger costs. */
export async function measureNodes(host: Host, length: Length): Promise<Figure[]> {
	const run = measuring(length);
	const figures: Figure[] = [];
	for (const nodes of NODES) {
		const ours = await run(await publishTrigger(host, { nodes }));
		const other = await run(await publishWebhook(host, { nodes }));
		figures.push({
			what: `workflow of ${nodes} nodes`,
			unit: 'a second',
			ours: ours.perSecond,
			other: { what: WEBHOOK, value: other.perSecond },
			better: 'more',
		});
	}
	return figures;
}

/** What the size of a body costs, one delivery after another. */
export async function measureSizes(host: Host, length: Length): Promise<Figure[]> {
	const run = measuring(length);
	const [trigger, webhook] = [await publishTrigger(host), await publishWebhook(host)];
	const figures: Figure[] = [];
	for (const size of SIZES) {
		const one = (target: Target) => ({ connections: 1, next: () => shoot(trigger.secret, size), expect: 200, target });
		const ours = await run(trigger, one(trigger));
		const other = await run(webhook, one(webhook));
		figures.push({
			what: `body of ${size.toLocaleString('en')} bytes`,
			unit: 'ms to the answer',
			ours: ours.median,
			other: { what: WEBHOOK, value: other.median },
			better: 'less',
		});
	}
	return figures;
}
