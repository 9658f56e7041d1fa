import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import {
	readIgnoreAnswers,
	readPatience,
	readSettings,
	readWebhookSetup,
} from '../../../nodes/MessagingGateway/trigger/settings';

const MINUTE_MS = 60_000;

const contextOf = (parameters: IDataObject = {}) =>
	({
		getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
	}) as unknown as IWebhookFunctions;

const read = (parameters: IDataObject = {}) => readSettings(contextOf(parameters));

it('an option that nobody has added restricts and changes nothing', () => {
	expect(read()).toEqual({
		events: [],
		instanceIds: [],
		output: 'simplified',
		chatTypes: [],
		messageTypes: [],
		senders: undefined,
		onlyQuotedReplies: false,
		ignoreOutdatedStatuses: false,
		maxPerExecution: 1,
		confirmWhen: 'started',
		debounce: undefined,
		maxTurnMs: undefined,
		answeredAtEnd: false,
	});
});

it('every option is read', () => {
	const options = {
		chatTypes: ['person'],
		combineMessages: { values: { quietSeconds: 2, maxWaitSeconds: 20 } },
		confirmWhen: 'succeeded',
		customEvents: 'B.CUSTOM',
		ignoreOutdatedStatuses: true,
		maxPerExecution: 1_000,
		messageTypes: 'text, Image',
		oneTurnAtATime: { values: { maxTurnMinutes: 2 } },
		onlyQuotedReplies: true,
		senders: '1@lid',
	};
	expect(read({ events: ['C', 'A'], instanceIds: ['inst_1'], output: 'raw', options })).toEqual({
		events: ['A', 'B.CUSTOM', 'C'],
		instanceIds: ['inst_1'],
		output: 'raw',
		chatTypes: ['person'],
		messageTypes: ['TEXT', 'IMAGE'],
		senders: ['1@lid'],
		onlyQuotedReplies: true,
		ignoreOutdatedStatuses: true,
		maxPerExecution: 1_000,
		confirmWhen: 'succeeded',
		debounce: { quietMs: 2_000, maxWaitMs: 20_000 },
		maxTurnMs: 2 * MINUTE_MS,
		answeredAtEnd: true,
	});
});

it('Ignore Answers to Questions is read whatever the other options are', () => {
	expect(readIgnoreAnswers(contextOf())).toBe(false);
	expect(readIgnoreAnswers(contextOf({ 'options.ignoreAnswers': true }))).toBe(true);
});

it.each([0, 1_001, 1.5, 'many'])('Max per Execution cannot be %s', (maxPerExecution) => {
	expect(() => read({ options: { maxPerExecution } })).toThrow(/Max per Execution/u);
});

it.each([
	[{}, MINUTE_MS],
	[{ confirmWhen: 'started' }, MINUTE_MS],
	[{ confirmWhen: 'succeeded' }, 5 * MINUTE_MS],
	[{ oneTurnAtATime: {} }, 5 * MINUTE_MS],
])(
	'a repeat may start beside a start that n8n leaves unanswered, with %j after %i milliseconds',
	(options, milliseconds) => {
		expect(readPatience(contextOf({ options }))).toBe(milliseconds);
	},
);

it.each([
	[{}, 'automatic'],
	[{ webhookSetup: 'automatic' }, 'automatic'],
	[{ webhookSetup: 'manual' }, 'manual'],
])('with %j, the setup is %s', (parameters, setup) => {
	expect(readWebhookSetup(contextOf(parameters))).toBe(setup);
});
