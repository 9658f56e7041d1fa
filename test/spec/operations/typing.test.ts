import type { GatewayRequest } from '../../../nodes/MessagingGateway/api/exchange';
import type { Gateway, Values } from '../../../nodes/MessagingGateway/operations/operation';
import { sendWithTyping } from '../../../nodes/MessagingGateway/operations/typing';

const SEND: GatewayRequest = {
	method: 'POST',
	path: '/v1/messages/send-text',
	body: { to: '1', text: 'Hello' },
	token: 'instance',
	effect: 'send',
};

type Step = 'COMPOSING' | 'PAUSED' | 'send' | 'wait';

/** Sends with these options. Answers what came of it, and what was done on the way. */
async function send(options: object, failing: Step[] = []) {
	const steps: string[] = [];
	const shown: GatewayRequest[] = [];
	const take = async <T>(step: Step, done: string, result: T): Promise<T> => {
		steps.push(done);
		if (failing.includes(step)) throw new Error(`No ${step}`);
		return await Promise.resolve(result);
	};
	const gateway = {
		call: async (request: GatewayRequest) => {
			shown.push(request);
			const { presence, state } = request.body as Record<string, 'COMPOSING' | 'PAUSED'>;
			return await take(presence ?? state, presence ?? state, {});
		},
		succeed: async () => await take('send', 'send', { items: [{ messageId: 'M1' }] }),
		wait: async (durationMs: number) => await take('wait', `wait ${durationMs}`, undefined),
	} as unknown as Gateway;
	const values = { to: '1', options } as unknown as Values;
	const result = await sendWithTyping(gateway, values, SEND).catch(({ message }: Error) => message);
	return { result, steps, shown };
}

it.each([{}, { typingSeconds: 0 }, { typingSeconds: '' }, { presenceField: 'state' }])(
	'shows nothing with %j',
	async (options) => {
		expect((await send(options)).steps).toEqual(['send']);
	},
);

it('shows typing for so many seconds, as a courtesy', async () => {
	const { steps, shown, result } = await send({ typingSeconds: 2.5, presenceField: 'state' });
	expect(steps).toEqual(['COMPOSING', 'wait 2500', 'send']);
	expect(result).toEqual({ items: [{ messageId: 'M1' }] });
	expect(shown).toEqual([
		{
			...SEND,
			path: '/v1/messages/presence',
			body: { to: '1', state: 'COMPOSING', isAudio: false },
			effect: 'courtesy',
		},
	]);
});

it('sends at once where typing cannot be shown, and says so', async () => {
	expect(await send({ typingSeconds: 2 }, ['COMPOSING'])).toMatchObject({
		steps: ['COMPOSING', 'send'],
		result: {
			items: [{ messageId: 'M1' }],
			hint: 'Typing could not be shown: No COMPOSING',
		},
	});
});

it.each<[Step, string[]]>([
	['send', ['COMPOSING', 'wait 2000', 'send', 'PAUSED']],
	['wait', ['COMPOSING', 'wait 2000', 'PAUSED']],
])('takes typing back where nothing comes of it: no %s', async (failing, steps) => {
	expect(await send({ typingSeconds: 2 }, [failing])).toMatchObject({
		steps,
		result: `No ${failing}`,
	});
	// What was to be said is why, whether or not typing can be taken back.
	expect(await send({ typingSeconds: 2 }, [failing, 'PAUSED'])).toMatchObject({
		steps,
		result: `No ${failing}`,
	});
});
