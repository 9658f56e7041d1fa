import type { Effect } from '../../../nodes/MessagingGateway/api/exchange';
import {
	instanceId,
	readTimeoutMs,
	sharedOptions,
	showSecretToAgent,
} from '../../../nodes/MessagingGateway/fields/options';

const option = (effect: Effect, wanted: string) =>
	sharedOptions(effect).find(({ name }) => name === wanted);
const clean = (field: typeof instanceId | undefined, value: unknown): unknown =>
	field?.clean?.(value, undefined, {} as never);

it('only what sends has a pace', () => {
	expect(sharedOptions('send').map(({ name }) => name)).toEqual([
		'concurrency',
		'messagesPerMinute',
		'timeout',
	]);
	for (const effect of ['read', 'change'] as const)
		expect(sharedOptions(effect).map(({ name }) => name)).toEqual(['concurrency', 'timeout']);
});

it.each([
	['timeout', 1, true],
	['timeout', 0.9, false],
	['timeout', 300, true],
	['timeout', 301, false],
	['timeout', 1.5, true],
	['concurrency', 1, true],
	['concurrency', 0, false],
	['concurrency', 50, true],
	['concurrency', 51, false],
	['concurrency', 1.5, false],
])('%s can be %d: %s', (name, value, isTaken) => {
	const read = () => clean(option('send', name), value);
	if (isTaken) expect(read()).toBe(value);
	else expect(read).toThrow('cannot be');
});

it.each([
	[{}, undefined],
	[{ timeout: '' }, undefined],
	[{ timeout: 0 }, undefined],
	[{ timeout: 1.5 }, 1_500],
	[{ timeout: '30' }, 30_000],
])('%j lets an answer take %s ms', (options, milliseconds) => {
	expect(readTimeoutMs(options)).toBe(milliseconds);
});

it('a number is nobody’s choice where nothing is left of it', () => {
	expect([' inst_1 ', 7, ' \n', ''].map((value) => clean(instanceId, value))).toEqual([
		'inst_1',
		'7',
		undefined,
		undefined,
	]);
});

it('a secret is not shown because of a text', () => {
	expect(clean(showSecretToAgent, 'false')).toBe(false);
	expect(() => clean(showSecretToAgent, 'no')).toThrow('neither true nor false');
});
