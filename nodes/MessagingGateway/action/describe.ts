import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { toProperty, type Field } from '../fields/field';
import { listOptions, type Operation, type Resource } from '../operations/operation';

/**
 * Turns the table of operations into what n8n shows: the two menus, and each operation's fields, visible
 * only where they belong.
 */
export function describe(resources: Resource[]): INodeProperties[] {
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			default: 'message',
			options: resources.map(({ name, value }) => ({ name, value })),
		},
		...resources.map(describeMenu),
		...resources.flatMap((resource) =>
			resource.operations.flatMap((operation) => describeOperation(resource, operation)),
		),
	];
}

/** The marker that makes n8n show the credential of one token; see `describeOperation`. */
export const TOKEN_MARKERS = {
	account: 'usesAccountToken',
	instance: 'usesInstanceToken',
} as const;

function describeMenu({ value, operations }: Resource): INodeProperties {
	const { value: opened } = operations.find(({ opensMenu }) => opensMenu) ?? operations[0];
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: opened,
		displayOptions: { show: { resource: [value] } },
		options: operations.map(
			({ name, value: operation, action, description }): INodePropertyOptions => ({
				name,
				value: operation,
				action,
				description,
			}),
		),
	};
}

function describeOperation(resource: Resource, operation: Operation): INodeProperties[] {
	const place = { resource: [resource.value], operation: [operation.value] };
	const options = listOptions(operation);
	const properties = [...operation.fields.flatMap(describeField), ...describeTokens(operation)];
	if (options.length > 0) {
		properties.push({
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			options: options.map(toProperty).sort((a, b) => a.displayName.localeCompare(b.displayName)),
		});
	}
	return properties.map((property) => ({
		...property,
		displayOptions: { show: { ...place, ...property.displayOptions?.show } },
	}));
}

/**
 * n8n shows a credential by single conditions, and no set of those tells Instance → Get Many (account token)
 * from the other operations of Instance (instance token). So every operation brings a hidden marker, visible
 * to n8n under the same two conditions as its fields, and the credentials ask for the marker.
 */
function describeTokens({ effect, token, waits }: Operation): INodeProperties[] {
	const marker = (
		kind: keyof typeof TOKEN_MARKERS,
		show?: { token: string[] },
	): INodeProperties => ({
		displayName: `Uses ${kind === 'account' ? 'Account' : 'Instance'} Token`,
		name: TOKEN_MARKERS[kind],
		type: 'hidden',
		default: true,
		...(show && { displayOptions: { show } }),
	});
	if (effect === 'none') return [];
	if (waits) return [marker('account'), marker('instance')];
	return token === undefined
		? [marker('account', { token: ['account'] }), marker('instance', { token: ['instance'] })]
		: [marker(token)];
}

const CHOSEN = ['boolean', 'multiOptions', 'number', 'options'];

/**
 * Whether a field is filled in from the beginning, and so required: n8n's lint wants whatever is not to be among the
 * options. An empty choice of a menu cannot be: n8n takes it for nothing chosen.
 */
const isFilledIn = ({ type, default: value }: Field) => CHOSEN.includes(type) && value !== '';

/** A field, and what its reader must know where the node is a tool of an agent. */
function describeField(field: Field): INodeProperties[] {
	const property = toProperty(field);
	if (isFilledIn(field)) property.required = true;
	if (field.modelAdvice === undefined) return [property];
	const advice: INodeProperties = {
		displayName: field.modelAdvice,
		name: `${field.name}Advice`,
		type: 'notice',
		default: '',
		displayOptions: { show: { '@tool': [true] } },
	};
	return [property, advice];
}
