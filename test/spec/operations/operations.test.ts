import type { Values } from '../../../nodes/MessagingGateway/operations/operation';
import { ENDPOINTS, GUESSED_ENDPOINTS } from '../../contract/document';
import { calls, callsOf, everyOperation } from '../../support/everyOperation';

describe('the table of operations', () => {
	it('holds exactly what the retyped document has calls of, each once', () => {
		const called = calls.map(({ resource, operation }) => `${resource}.${operation}`);
		expect(everyOperation.map(([name]) => name).sort()).toEqual([...new Set(called)].sort());
	});

	it('has exactly one operation for every documented endpoint', () => {
		// What waits for an answer sends as Send Text does.
		const requests = everyOperation.flatMap(([, , { request, waits }]) =>
			request === undefined || waits ? [] : [request],
		);
		const written = requests.map((request) =>
			request
				.replace('{webhooksPath}', '/v1/webhooks')
				.replace('{instancesPath}', '/v1/instances')
				.replace('{webhookId}', '{id}'),
		);
		// The settings are read by an operation of their own, and by the one that writes them.
		expect(written.sort()).toEqual([...ENDPOINTS, ...GUESSED_ENDPOINTS].sort());
	});

	it('is called with the fewest and with all of its fields', () => {
		const untried = everyOperation.flatMap(([name, resource, { value, fields }]) => {
			const own = callsOf(resource, value);
			const filled = new Set(own.flatMap(({ parameters = {} }) => Object.keys(parameters)));
			return fields
				.filter((field) => !filled.has(field.name))
				.map((field) => `${name}: ${field.name}`);
		});
		// Every list is cut and fetched whole by the same two fields, tried with the groups. The document takes no files.
		expect(untried.filter((name) => !/: (returnAll|limit|sendFiles|files)$/.test(name))).toEqual(
			[],
		);
	});

	it.each(everyOperation)(
		'%s says whether it may be repeated, and what a success holds',
		(_name, resource, operation) => {
			const { effect, request } = operation;
			for (const { answer, parameters } of callsOf(resource, operation.value)) {
				const isFree = effect !== 'none' && operation.request === undefined;
				const known = isFree
					? operation.compose({ options: {}, ...parameters } as unknown as Values).effect
					: effect;
				expect(known === 'send').toBe(answer?.status === 202);
			}
			if (request !== undefined) expect(effect === 'read').toBe(request.startsWith('GET '));
			if (operation.effect !== 'none') expect(operation.expects ?? operation.perform).toBeDefined();
			const placeholders = [...(request ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
			const inPath = operation.fields
				.filter((field) => field.in === 'path')
				.map(({ name }) => name);
			expect(placeholders.filter((name) => !name.endsWith('Path'))).toEqual(inPath);
		},
	);

	it('offers the name of the field that shows typing wherever it can be shown', () => {
		const typing = everyOperation.filter(([, , { options = [] }]) =>
			options.some(({ name }) => name === 'typingSeconds'),
		);
		expect(typing.length).toBeGreaterThan(1);
		const lacking = typing.filter(([, , { options = [] }]) =>
			options.every(({ name }) => name !== 'presenceField'),
		);
		expect(lacking.map(([name]) => name)).toEqual([]);
	});

	it('offers the option that overrides a guess wherever it guesses', () => {
		const guesses = everyOperation.flatMap(([name, , { fields, options = [] }]) =>
			[...fields, ...options].flatMap((field) =>
				field.guessOption === undefined
					? []
					: [{ name: `${name}: ${field.name}`, isOffered: options.includes(field.guessOption) }],
			),
		);
		expect(guesses.length).toBeGreaterThan(1);
		expect(guesses.filter(({ isOffered }) => !isOffered)).toEqual([]);
	});
});
