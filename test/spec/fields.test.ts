import fc from 'fast-check';
import type {
	IDataObject,
	INodeParameters,
	INodeProperties,
	NodeParameterValueType,
} from 'n8n-workflow';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayTrigger } from '../../nodes/MessagingGateway/MessagingGatewayTrigger.node';
import { makeEvent } from '../contract/deliveries';
import { askingCalls, documentedCalls, webhookCalls } from '../contract/document';
import { engine, gateway } from '../support/engineAndGateway';
import { forgetProcess, handOver, pass, publish, useFakeClock } from '../support/receiving';
import { runOperation, type OperationRun } from '../support/runOperation';

/** A field of a node: where its value is in the parameters, and the names by which an error may call it. */
interface Place {
	path: string[];
	names: string[];
	property: INodeProperties;
	/** The first value of each parameter with which n8n shows the field. */
	shown: INodeParameters;
}

type Values = NodeParameterValueType;
/** The words with which a value was refused; undefined if it works. */
type Turn = (place: Place, value: Values) => Promise<string | undefined>;

/** In sentences of n8n, and of phone numbers wherever they are typed. */
const ALIASES: Record<string, string[]> = {
	inputDataFieldName: ['binary field'],
	person: ['phone number'],
};

/** Options that name somebody: if they are added, and empty, another one would be meant. */
const REQUIRED_OPTIONS = ['instanceId', 'person'];

/** Every field of a node that is no group of others. */
function placesOf(properties: INodeProperties[], outer?: Omit<Place, 'property'>): Place[] {
	return properties.flatMap((property): Place[] => {
		const { name, displayName, type, displayOptions, options = [], modes = [] } = property;
		const shown = { ...outer?.shown };
		for (const [other, wanted] of Object.entries(displayOptions?.show ?? {}))
			shown[other.replace('/', '')] = (wanted as Values[])[0] as string;
		const names = [displayName, displayName.replace(/ \(.*/, ''), ...(ALIASES[name] ?? [])];
		names.push(...modes.map((mode) => mode.displayName));
		const place = {
			shown,
			path: [...(outer?.path ?? []), name],
			names: [...(outer?.names ?? []), ...names],
		};
		if (type === 'collection') return placesOf(options as INodeProperties[], place);
		if (type !== 'fixedCollection') return [{ ...place, property }];
		return options.flatMap((group) =>
			'values' in group
				? placesOf(group.values, { ...place, path: [...place.path, group.name] })
				: [],
		);
	});
}

const titleOf = ({ shown, path }: Place) =>
	[shown.resource, shown.operation, ...path].filter(Boolean).join(' ');

function setAt(parameters: INodeParameters, [name, ...inner]: string[], value: Values): void {
	if (inner.length === 0) parameters[name] = value;
	else setAt((parameters[name] ??= {}) as INodeParameters, inner, value);
}

const calls = [...documentedCalls, ...askingCalls, ...webhookCalls('wh_1')];

/** Runs the operation with its documented parameters, and this value. */
const turnAction: Turn = async ({ path, shown, property }, value) => {
	const { resource, operation, ...conditions } = shown;
	const call = calls.find((each) => each.resource === resource && each.operation === operation);
	const parameters = structuredClone({ ...call?.parameters, ...conditions }) as INodeParameters;
	const given = '={{ $json.value }}';
	const isLocator = property.type === 'resourceLocator';
	setAt(parameters, path, isLocator ? { __rl: true, mode: 'id', value: given } : given);
	const item = { value: value as IDataObject };
	const isTwice = property.type === 'number' && operation !== 'sendAndWait';
	const { error } = await runOperation(engine, gateway, {
		resource: String(resource),
		operation: String(operation),
		parameters: parameters as OperationRun['parameters'],
		items: isTwice ? [item, item] : [item],
		files: [{ data: { data: 'QQ==', mimeType: 'text/plain' } }],
	});
	const { length } = gateway.requests;
	gateway.reset({ webhooks: true });
	// The gateway may refuse a text that the node takes.
	if (error?.description.startsWith('HTTP ') && property.type !== 'number') return undefined;
	if (!error && length === 0 && operation !== 'normalize') return 'Nothing was sent';
	return error && `${error.message} ${error.description}`;
};

/** Publishes the trigger with this value, and delivers a message to it. */
const turnTrigger: Turn = async ({ path, shown }, value) => {
	const parameters = { ...shown, options: {} };
	setAt(parameters, path, value);
	forgetProcess();
	const published = await publish(parameters).catch((error: Error) => error);
	if (published instanceof Error)
		return published.message.includes('HTTP ') ? undefined : published.message;
	const { status } = await handOver(published, makeEvent());
	await pass(7_000);
	return (await status) === 200 ? undefined : `${await status}`;
};

/** What is wrong if a value neither works nor is refused in a sentence that names its field. */
async function judge(turn: Turn, place: Place, value: Values): Promise<string[]> {
	const words = await turn(place, value);
	const { required = false, typeOptions = {} } = place.property;
	const { minValue = -Infinity, maxValue = Infinity } = typeOptions;
	const isOutside = Number(value) <= minValue - 1 || Number(value) >= maxValue + 1;
	const isRequired = required || REQUIRED_OPTIONS.includes(place.property.name);
	const isMissing = isRequired && typeof value === 'string' && value.trim() === '';
	if (!words && (isOutside || isMissing))
		return [`${JSON.stringify(value)} in ${titleOf(place)} is taken`];
	const isNamed = place.names.some((name) => words?.toLowerCase().includes(name.toLowerCase()));
	if (words === undefined || isNamed) return [];
	return [`${(JSON.stringify(value) ?? '').slice(0, 40)} in ${titleOf(place)}: ${words}`];
}

/** All but `Date`: requests need them. */
const REAL = [
	'clearImmediate',
	'clearInterval',
	'clearTimeout',
	'hrtime',
	'nextTick',
	'performance',
	'queueMicrotask',
	'setImmediate',
	'setInterval',
	'setTimeout',
] as const;
const HUGE = 1_000_000;
const NUMBERS = ['number'];
const WRITTEN = ['string', 'json', 'resourceLocator', 'multiOptions'];
const CHOSEN = ['options', 'boolean', 'notice', 'hidden'];
const TEXTS: Values[] = ['', ' \n', null, 42, { a: 1 }, 'x'.repeat(65_536)];

function turnAll(properties: INodeProperties[], turn: Turn): void {
	it('turns each field, but for those that a person only chooses', () => {
		const others = placesOf(properties).map(({ property }) => property.type);
		const turned = [...NUMBERS, ...WRITTEN, ...CHOSEN];
		expect(others.filter((type) => !turned.includes(type))).toEqual([]);
	});

	const places = (types: string[]) =>
		placesOf(properties).flatMap((place) =>
			types.includes(place.property.type) ? [[titleOf(place), place] as const] : [],
		);

	it.each(places(NUMBERS))('takes each number of its range: %s', async (_name, place) => {
		const { minValue: min = 0, maxValue: max = HUGE } = place.property.typeOptions ?? {};
		const range = { min, max, noNaN: true };
		const value = fc.oneof(fc.double(range), fc.integer({ min: Math.ceil(min), max }));
		const property = fc.asyncProperty(value, async (each) =>
			expect(await judge(turn, place, each)).toEqual([]),
		);
		const examples = [min, max, min - 1, max + 1, 0.3, 7, 16.1, 45].map((each): [number] => [each]);
		await fc.assert(property, { numRuns: examples.length + 4, examples, seed: 1 });
	});

	// Operations share most of their fields.
	const texts = new Map(places(WRITTEN).map(([, place]) => [place.names.join(), place]));
	it.each([...texts])('takes each text: %s', async (_names, place) => {
		for (const text of TEXTS) expect(await judge(turn, place, text)).toEqual([]);
	});
}

describe('the action node', () => {
	/** Time leaps as soon as the node waits. */
	beforeEach(() => {
		jest.useFakeTimers({ now: Date.now(), doNotFake: [...REAL] });
		const { timeout } = AbortSignal;
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
			// Node refuses a time that is not whole, and fires a long one at once.
			timeout.call(AbortSignal, milliseconds);
			expect(milliseconds).toBeLessThan(2 ** 31);
			const controller = new AbortController();
			setImmediate(() => {
				jest.setSystemTime(Date.now() + milliseconds);
				controller.abort();
			});
			return controller.signal;
		});
	});
	afterEach(() => {
		jest.useRealTimers();
		jest.restoreAllMocks();
	});

	turnAll(new MessagingGateway().description.properties, turnAction);
});

describe('the trigger', () => {
	useFakeClock();

	turnAll(new MessagingGatewayTrigger().description.properties, turnTrigger);
});
