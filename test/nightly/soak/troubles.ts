import { setTimeout as pause } from 'node:timers/promises';
import { waitFor } from '../../../host/waiting';
import { freeClosedPort } from '../../../simulator';
import type { Soak } from './soak';
import { LINGER } from './workflow';

/** The next number of a seeded row, at least 0 and less than 1. */
export type Dice = () => number;

export interface Trouble {
	name: string;
	/** How often it comes, beside the others. */
	weight: number;
	/** The most that it takes, in seconds, where that is more than a start of n8n. */
	takesSeconds?: number;
	/** Whether the webhook is in order behind it, whatever was before. */
	repairs?: boolean;
	may?(soak: Soak): boolean;
	happen(soak: Soak, dice: Dice): Promise<void>;
}

const NARROW = ['MESSAGE.RECEIVED'];
const WIDE = ['MESSAGE.RECEIVED', 'MESSAGE.SENT'];
/** The trigger checks its webhook a minute after a start. */
export const CHECK_WITHIN_SECONDS = 90;

const isInOrder = (soak: Soak) => soak.findWebhook() !== undefined;

async function changeEvents(soak: Soak): Promise<void> {
	await soak.publish({ events: soak.shape.events.length === 1 ? WIDE : NARROW });
}

/** Changes the webhook at the gateway, as a person in the provider's dashboard would. */
async function spoil(soak: Soak, change: object): Promise<void> {
	const webhook = soak.findWebhook();
	if (webhook) Object.assign(webhook, change);
}

const byHand: Array<[string, (soak: Soak) => Promise<void>]> = [
	[
		'webhook deleted by hand',
		async (soak) => void soak.host.gateway.deleteWebhook(soak.findWebhook()?.id ?? ''),
	],
	['webhook disabled by hand', async (soak) => await spoil(soak, { enabled: false })],
	['events changed by hand', async (soak) => await spoil(soak, { events: ['QRCODE.UPDATED'] })],
	[
		'URL changed by hand',
		// Where nobody listens: what was not delivered there still is, once the URL is right again.
		async (soak) => await spoil(soak, { url: `http://127.0.0.1:${await freeClosedPort()}/` }),
	],
];

/** Everything that happens, in a mixture, while events flow. */
export const TROUBLES: Trouble[] = [
	{ name: 'publish', weight: 4, happen: async (soak) => await soak.publish() },
	{ name: 'change events', weight: 4, repairs: true, happen: changeEvents },
	{
		name: 'poller added or removed',
		weight: 2,
		happen: async (soak) => await soak.publish({ polls: !soak.shape.polls }),
	},
	{
		name: 'feed entry',
		weight: 3,
		may: ({ shape }) => shape.polls,
		happen: async ({ feedEntries }) => void feedEntries.push(`entry ${feedEntries.length}`),
	},
	{
		name: 'execution spans a publication',
		weight: 4,
		repairs: true,
		may: isInOrder,
		async happen(soak) {
			const id = soak.write(LINGER);
			const begun = () => soak.runs.some(({ eventId }) => eventId === id);
			await waitFor('the execution to begin', begun, 60_000);
			await changeEvents(soak);
		},
	},
	{
		name: 'restart',
		weight: 2,
		repairs: true,
		happen: async (soak) => await soak.restart('stop'),
	},
	{
		name: 'kill -9',
		weight: 2,
		repairs: true,
		happen: async (soak) => await soak.restart('kill'),
	},
	...byHand.map(([name, happen]): Trouble => ({ name, weight: 1.5, may: isInOrder, happen })),
	{
		name: 'left to the check a minute after a start',
		weight: 0.5,
		takesSeconds: CHECK_WITHIN_SECONDS + 30,
		repairs: true,
		may: (soak) => !soak.isGatewayDown,
		async happen(soak, dice) {
			await soak.restart('stop');
			await soak.untilChecked(60_000);
			const [name, change] = byHand[Math.floor(dice() * byHand.length)];
			soak.note(name);
			await change(soak);
			await soak.untilInOrder(CHECK_WITHIN_SECONDS * 1_000);
		},
	},
	{
		name: 'gateway down for a while',
		weight: 3,
		may: (soak) => !soak.isGatewayDown,
		async happen(soak, dice) {
			await soak.closeGateway();
			const opening = pause(5_000 + dice() * 30_000).then(async () => await soak.openGateway());
			opening.catch((error: unknown) => soak.note(String(error)));
		},
	},
	{
		name: 'neighbour whose gateway refuses connections',
		weight: 2,
		may: ({ shape }) => !shape.hasNeighbour,
		async happen(soak) {
			await soak.closeNeighbour();
			await soak.publish({ hasNeighbour: true });
		},
	},
	{
		name: 'neighbour removed',
		weight: 4,
		may: ({ shape }) => shape.hasNeighbour,
		async happen(soak, dice) {
			if (dice() < 0.5) await soak.openNeighbour();
			await soak.publish({ hasNeighbour: false });
		},
	},
];

/** Chooses by weight. */
export function choose(troubles: Trouble[], dice: Dice): Trouble {
	let left = dice() * troubles.reduce((sum, { weight }) => sum + weight, 0);
	const chosen = troubles.find(({ weight }) => (left -= weight) < 0);
	return chosen ?? troubles[troubles.length - 1];
}

/** Numbers that are the same again with the same seed (mulberry32). */
export function rollFrom(seed: number): Dice {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
