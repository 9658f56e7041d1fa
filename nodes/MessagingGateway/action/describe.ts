import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { TokenKind } from '../api/token';
import { toProperty, type Field } from '../fields/field';
import { NO_TOKEN } from '../fields/noToken';
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
		...resources.flatMap(describeToken),
		...resources.flatMap((resource) =>
			resource.operations.flatMap((operation) => describeOperation(resource, operation)),
		),
	];
}

function describeMenu({ value, operations }: Resource): INodeProperties {
	const { value: opened } = findOpening(operations);
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
	const properties = operation.fields.flatMap(describeField);
	if (options.length > 0) {
		properties.push({
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			options: options.map(toOption).sort((a, b) => a.displayName.localeCompare(b.displayName)),
		});
	}
	return properties.map((property) => ({
		...property,
		displayOptions: { show: { ...place, ...property.displayOptions?.show } },
	}));
}

/** Of a required option, n8n would demand that a person adds it: it is required once it is there. */
function toOption(option: Field): INodeProperties {
	const property = toProperty(option);
	delete property.required;
	return property;
}

/**
 * n8n shows a credential by the value of one property: whose token goes along. A person chooses it in API → Request. Every
 * other resource hides it, at the token that its operations use, and those that use the other one have it once more.
 * What was chosen in API → Request would stay under that name: the editor removes what is none of the options.
 */
function describeToken({ value, operations }: Resource): INodeProperties[] {
	const { token: usual } = findOpening(operations);
	if (usual === undefined) return [];
	const others = operations.filter(({ token }) => token !== usual).map((other) => other.value);
	const hidden = (token: TokenKind): INodeProperties => ({
		displayName: 'Token',
		name: 'token',
		type: 'hidden',
		default: token,
		options: [{ name: token === 'account' ? 'Account' : 'Instance', value: token }, NO_TOKEN],
	});
	const show = { resource: [value] };
	if (others.length === 0) return [{ ...hidden(usual), displayOptions: { show } }];
	return [
		// Also shown while the operation is not chosen yet, which is when the editor removes values.
		{ ...hidden(usual), displayOptions: { show, hide: { operation: others } } },
		{
			...hidden(usual === 'account' ? 'instance' : 'account'),
			displayOptions: { show: { ...show, operation: others } },
		},
	];
}

function findOpening(operations: Operation[]): Operation {
	return operations.find(({ opensMenu }) => opensMenu) ?? operations[0];
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
