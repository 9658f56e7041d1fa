import type { INodePropertyOptions } from 'n8n-workflow';
import type { Field } from '../../../nodes/MessagingGateway/fields/field';
import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayTrigger } from '../../../nodes/MessagingGateway/MessagingGatewayTrigger.node';
import { resources } from '../../../nodes/MessagingGateway/operations';
import type { Operation } from '../../../nodes/MessagingGateway/operations/operation';
import { calls, everyOperation } from '../../support/everyOperation';

const { description } = new MessagingGateway();

/** In the narrowest panel at 1440 pixels, two lines hold some more. */
const LONGEST_CHOICE = 105;

describe('the words of the node', () => {
	const gatherTexts = (property: object): string[] =>
		Object.entries(property).flatMap(([key, value]) => {
			if (typeof value === 'string') {
				return ['displayName', 'description', 'hint', 'placeholder', 'action', 'name'].includes(key)
					? [value]
					: [];
			}
			return typeof value === 'object' && value !== null ? gatherTexts(value as object) : [];
		});
	const fieldsOf = ({ fields, options = [] }: Operation): Field[] => [...fields, ...options];

	it('do without those that n8n’s guidelines ask to avoid', () => {
		const texts = gatherTexts(description);
		expect(texts.length).toBeGreaterThan(200);
		expect(texts.filter((text) => /\b(error|problem|failure|mistake)s?\b/i.test(text))).toEqual([]);
	});

	it('speak of every operation to people and to language models', () => {
		for (const [name, , { action, description: told }] of everyOperation) {
			expect([name, action]).toEqual([name, expect.stringMatching(/^[A-Z][a-z]+( [a-zA-Z]+)+$/)]);
			expect([name, told.length]).toEqual([name, expect.any(Number)]);
			expect(told.length).toBeGreaterThan(15);
		}
		const actions = everyOperation.map(([, , { action }]) => action);
		expect(new Set(actions).size).toBe(actions.length);
	});

	it('list menus, operations, choices and options in the order of the alphabet', () => {
		const isSorted = (names: string[]) =>
			names.every((name, index) => index === 0 || names[index - 1].localeCompare(name) <= 0);
		expect(isSorted(resources.map(({ name }) => name))).toBe(true);
		for (const { operations } of resources)
			expect(isSorted(operations.map(({ name }) => name))).toBe(true);
		for (const property of description.properties) {
			if (!['options', 'multiOptions', 'collection'].includes(property.type)) continue;
			const names = (property.options ?? []).map((option) =>
				'displayName' in option ? option.displayName : option.name,
			);
			expect([property.name, isSorted(names)]).toEqual([property.name, true]);
		}
	});

	it('tell of each choice what n8n shows of it: two lines, the rest is cut off', () => {
		const choicesIn = (property: object): INodePropertyOptions[] =>
			Object.values(property).flatMap((value: unknown) => {
				if (typeof value !== 'object' || value === null) return [];
				return [...('value' in value ? [value as INodePropertyOptions] : []), ...choicesIn(value)];
			});
		const told = [description, new MessagingGatewayTrigger().description]
			.flatMap(({ properties }) => choicesIn(properties))
			.map((choice) => choice.description ?? '');
		expect(told.length).toBeGreaterThan(100);
		expect(told.filter(({ length }) => length > LONGEST_CHOICE)).toEqual([]);
	});

	it('say "who receives it" only where somebody does', () => {
		const receiving = everyOperation
			.filter(([, , { fields }]) =>
				fields.some(({ description }) => /receives it/.test(description ?? '')),
			)
			.map(([name]) => name);
		const delivering = calls
			.filter(({ answer }) => answer?.status === 202)
			.map(({ resource, operation }) => `${resource}.${operation}`);
		expect(receiving).toContain('message.sendText');
		expect(receiving.filter((name) => !delivering.includes(name))).toEqual([]);
	});

	it('begin with "Whether" for a switch and with "e.g." for an example, and explain every field', () => {
		const unclear = everyOperation.flatMap(([name, , operation]) => {
			const inner = operation.fields.flatMap(({ type, options = [] }) =>
				type === 'collection' ? (options as Field[]) : [],
			);
			return [...fieldsOf(operation), ...inner]
				.filter(({ type, description: told, placeholder, typeOptions }) => {
					const isAdding =
						['collection', 'fixedCollection'].includes(type) && /^Add /.test(placeholder ?? '');
					const placed =
						placeholder === undefined ||
						/^e\.g\. /.test(placeholder) ||
						isAdding ||
						typeOptions?.password;
					return !told || !placed || (type === 'boolean' && !told.startsWith('Whether '));
				})
				.map((field) => `${name}: ${field.name}`);
		});
		expect(unclear).toEqual([]);
	});
});
