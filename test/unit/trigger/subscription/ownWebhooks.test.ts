import { setImmediate as yieldTurn } from 'node:timers/promises';
import { openAccount } from '../../../../nodes/MessagingGateway/question/accounts';
import {
	register,
	withdraw,
} from '../../../../nodes/MessagingGateway/trigger/subscription/reconcile';
import { DESIRED, standBesideGateway } from './besideGateway';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] }));
afterEach(() => void jest.useRealTimers());

function stand() {
	const stood = standBesideGateway();
	const { subscription, hook, requests } = stood;
	return {
		...stood,
		register: async () => await register(subscription, hook, DESIRED),
		withdraw: async () => await withdraw(subscription, hook, DESIRED.url),
		countOf: (wanted: string) => requests.filter((method) => method === wanted).length,
	};
}

it('twenty that are left over are deleted at once, and the others another time', async () => {
	const { publish, webhooks, check, countOf } = stand();
	await publish();
	for (let index = 0; index < 30; index++)
		webhooks.set(`wh_${index}`, { ...DESIRED, id: `wh_${index}` });
	await check();
	expect(countOf('DELETE')).toBe(20);
	await check();
	expect(webhooks.size).toBe(1);
});

describe('a creation that got no answer', () => {
	/** The next one is made, while the first is still carried out. */
	async function makeAfterSilence() {
		const stood = stand();
		stood.answerWith('POST', { status: 502 });
		await expect(stood.register()).rejects.toThrow();
		stood.answerWith('POST', undefined);
		const making = stood.register();
		while (jest.getTimerCount() === 0) await yieldTurn();
		await jest.advanceTimersByTimeAsync(2_900);
		stood.webhooks.set('wh_late', { ...DESIRED, id: 'wh_late' });
		return { ...stood, making };
	}

	it('is waited for once, and what comes of it is deleted', async () => {
		const { making, webhooks, subscription, register: again, countOf } = await makeAfterSilence();
		expect(webhooks.size).toBe(2);
		await jest.advanceTimersByTimeAsync(100);
		await making;
		expect([...webhooks.keys()]).toEqual([subscription.ownRecord?.webhookId]);
		const listed = countOf('GET');
		await again();
		expect(countOf('GET')).toBe(listed + 1);
	});

	it('leaves the other one standing, if what came of it cannot be deleted', async () => {
		const { making, answerWith, subscription } = await makeAfterSilence();
		answerWith('GET', { status: 502 });
		await jest.advanceTimersByTimeAsync(100);
		await making;
		expect(subscription.standing).toBe('confirmed');
	});

	it('is none where the gateway has refused it', async () => {
		const { answerWith, register: make, countOf } = stand();
		answerWith('POST', { status: 400 });
		await expect(make()).rejects.toThrow();
		answerWith('POST', undefined);
		await make();
		expect(countOf('GET')).toBe(2);
	});
});

it.each([404, 410])(
	'a listed webhook of which the gateway says %i when it is deleted is taken for gone, which the log says',
	async (status) => {
		const { publish, webhooks, answerWith, withdraw: remove, subscription, said } = stand();
		await publish();
		const [id] = webhooks.keys();
		answerWith('DELETE', { status });
		await remove();
		expect(subscription.standing).toBe('deleted');
		expect(said).toEqual([expect.stringContaining(`has listed webhook ${id}, but says`)]);
	},
);

describe('a webhook of the record that is', () => {
	it('of another gateway stays there, which the log says', async () => {
		const {
			publish,
			webhooks,
			subscription,
			staticData,
			withdraw: remove,
			said,
			countOf,
		} = stand();
		await publish();
		const [[id, webhook]] = webhooks;
		webhooks.set(id, { ...webhook, url: 'https://somebody.example.com' });
		const record = { ...subscription.ownRecord!, gateway: 'https://old.example.com' };
		Object.assign(staticData, record);
		subscription.confirm(record);
		await remove();
		expect(countOf('DELETE')).toBe(0);
		expect(said).toEqual([
			expect.stringMatching(
				/webhook .* is left at the gateway .*old\.example\.com.*delete it there/,
			),
		]);
	});

	it('at another address of this n8n stays, unless the list shows it here', async () => {
		const { publish, webhooks, subscription, withdraw: remove, said } = stand();
		await publish();
		subscription.confirm({ ...subscription.ownRecord!, url: 'https://old.example.com' });
		await remove();
		expect(webhooks.size).toBe(0);
		expect(said).toEqual([]);
	});

	it.each([404, 502])(
		'not listed is taken for gone, also where the gateway says %i',
		async (status) => {
			const { publish, webhooks, answerWith, withdraw: remove, said, subscription } = stand();
			await publish();
			webhooks.clear();
			answerWith('DELETE', { status });
			await remove();
			expect(subscription.standing).toBe('deleted');
			expect(said).toEqual([expect.stringContaining('is not among those of this account')]);
		},
	);

	it('not listed, and deleted all the same, says something of the list', async () => {
		const { publish, answerWith, webhooks, withdraw: remove, said } = stand();
		await publish();
		answerWith('GET', { status: 200, body: { data: [] } });
		await remove();
		expect(webhooks.size).toBe(0);
		expect(said).toEqual([expect.stringContaining('its list does not show all webhooks')]);
	});
});

it('a trigger knows the parked questions as soon as the gateway lists them', async () => {
	const { publish, webhooks, trigger } = stand();
	const url = `https://n8n.example.com/webhook-waiting/7/node?asked=5511900000001&until=${Date.now() + 60_000}&signature=x`;
	webhooks.set('wh_7', { id: 'wh_7', url, events: ['QRCODE.UPDATED'] });
	await publish();
	const account = await openAccount(trigger);
	expect([...account.parked]).toEqual(['wh_7']);
	expect(account.parkedAre).toBe('known');
});
