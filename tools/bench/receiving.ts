import type { Host } from '../../host/host';
import type { LoadFigures } from './load';
import { race, type Length, type Load } from './race';
import type { Figure } from './report';
import { shoot } from './shots';
import { publishByHand, publishTrigger, publishWebhook, type Target } from './targets';

const BURST = 100;
const EVENTS_PER_EXECUTION = [1, 10, 100];
const NODES = [5, 200];
const SIZES = [300, 10_000, 100_000, 1_000_000, 10_000_000];

const CHAIN = 'Webhook, Crypto, IF, Remove Duplicates';
const WEBHOOK = 'Webhook node, which checks nothing';
const ISOLATE =
	'n8n makes an expression sandbox for every delivery to a node that is not its own Webhook node, which costs more than everything the trigger does. `N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true` spares it.';

const TWICE =
	'the trigger hashes a body and parses it once more: what n8n has parsed is not proven to be what was signed.';

const WEBHOOK_AT_END = 'Webhook node that answers when the last node finishes';

const CHECKS =
	'the trigger checks the signature, remembers the id and adds fields, which the Webhook node does not; with one execution each, what n8n does for an execution decides.';

/** What becomes of genuine, repeated and forged deliveries, beside what one would build without the package. */
export async function measureReceiving(
	host: Host,
	length: Length,
	lazy: boolean,
): Promise<Figure[]> {
	const [trigger, webhook, own] = [
		await publishTrigger(host),
		await publishWebhook(host),
		await publishByHand(host),
	];
	const rate = (what: string, ours: LoadFigures, other: LoadFigures, name: string): Figure => ({
		what,
		unit: 'a second',
		ours: ours.perSecond,
		other: { what: name, value: other.perSecond },
		better: 'more',
		because: lazy ? CHECKS : ISOLATE,
	});
	const repeating = (target: Target): Load => {
		const shot = shoot(target.secret);
		return { ...target, next: () => shot };
	};
	const forging = (target: Target): Load => {
		return {
			...target,
			next: () => shoot(`whsec_${Buffer.alloc(32).toString('base64')}`),
			expect: 401,
		};
	};

	const accepted = await race(length, [trigger, webhook, own]);
	const atEnd = await race(length, [
		await publishTrigger(host, { options: { confirmWhen: 'succeeded' } }),
		await publishWebhook(host, { responseMode: 'lastNode' }),
	]);
	const repeated = await race(length, [repeating(trigger), repeating(own)]);
	const forged = await race(length, [forging(trigger), forging(own)]);
	return [
		rate('accepted', accepted[0], accepted[2], CHAIN),
		rate('accepted', accepted[0], accepted[1], WEBHOOK),
		rate('accepted, answered when it has succeeded', atEnd[0], atEnd[1], WEBHOOK_AT_END),
		rate('repeated', repeated[0], repeated[1], CHAIN),
		rate('forged', forged[0], forged[1], CHAIN),
	];
}

/** How many events get through when 100 come at once and may share executions. */
export async function measureSharing(host: Host, length: Length): Promise<Figure[]> {
	const loads: Load[] = [{ ...(await publishWebhook(host)), connections: BURST }];
	for (const maxPerExecution of EVENTS_PER_EXECUTION) {
		loads.push({
			...(await publishTrigger(host, { options: { maxPerExecution } })),
			connections: BURST,
		});
	}
	const [webhook, ...shared] = await race(length, loads);
	return shared.map(({ perSecond }, index) => ({
		what: `up to ${EVENTS_PER_EXECUTION[index]} per execution`,
		unit: 'events a second',
		ours: perSecond,
		other: { what: `${WEBHOOK}, one each`, value: webhook.perSecond },
		better: 'more',
		because: CHECKS,
	}));
}

/** What the size of the workflow behind the trigger costs. */
export async function measureNodes(host: Host, length: Length): Promise<Figure[]> {
	const figures: Figure[] = [];
	for (const nodes of NODES) {
		const [ours, other] = await race(length, [
			await publishTrigger(host, { nodes }),
			await publishWebhook(host, { nodes }),
		]);
		figures.push({
			what: `workflow of ${nodes} nodes`,
			unit: 'a second',
			ours: ours.perSecond,
			other: { what: WEBHOOK, value: other.perSecond },
			better: 'more',
			because: CHECKS,
		});
	}
	return figures;
}

/** What the size of a body costs, one delivery after another. */
export async function measureSizes(host: Host, length: Length): Promise<Figure[]> {
	const [trigger, webhook] = [await publishTrigger(host), await publishWebhook(host)];
	const figures: Figure[] = [];
	for (const size of SIZES) {
		// The Webhook node checks nothing, but its deliveries are signed too, so that both cost the sender the same.
		const one = (target: Target): Load => ({
			...target,
			connections: 1,
			next: () => shoot(trigger.secret, size),
		});
		const [ours, other] = await race(length, [one(trigger), one(webhook)]);
		figures.push({
			what: `body of ${size.toLocaleString('en')} bytes`,
			unit: 'ms to the answer',
			ours: ours.median,
			other: { what: WEBHOOK, value: other.median },
			better: 'less',
			because: TWICE,
		});
	}
	return figures;
}
