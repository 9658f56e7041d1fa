import { SEND_AND_WAIT_OPERATION, updateDisplayOptions, type INodeProperties } from 'n8n-workflow';
import { commonOptions } from '../fields/common';
import { toOptions, toProperty, type Field } from '../fields/field';
import type { Operation, Resource } from '../operations/operation';

/** n8n's properties of a table of operations: the two menus, and each operation's fields. */
export function propertiesOf(resources: Resource[]): INodeProperties[] {
	const [{ value: first }] = resources;
	const properties = resources.flatMap(({ value, operations }) =>
		operations.flatMap((operation) => propertiesOfOperation(value, operation)),
	);

	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			default: first,
			options: resources.map(({ name, value }) => ({ name, value })),
		},
		...resources.map(menuOf),
		// n8n's human review of a tool takes the first property of each name: Send and Wait's.
		...properties.filter(isOfQuestion),
		...properties.filter((property) => !isOfQuestion(property)),
		commonOptionsOf(resources),
	];
}

/** The fields of an operation, and its own options if it has any. */
function propertiesOfOperation(resource: string, operation: Operation): INodeProperties[] {
	const { value, fields, options = [] } = operation;
	const properties = fields.map(toProperty);
	if (options.length > 0) properties.push(optionsOf(options));

	return updateDisplayOptions({ show: { resource: [resource], operation: [value] } }, properties);
}

function isOfQuestion({ displayOptions }: INodeProperties): boolean {
	return displayOptions?.show?.operation?.[0] === SEND_AND_WAIT_OPERATION;
}

function menuOf({ value, operations }: Resource): INodeProperties {
	const [{ value: first }] = operations;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: first,
		displayOptions: { show: { resource: [value] } },
		options: operations.map(({ name, value: operation, action, description }) => ({
			name,
			value: operation,
			action,
			description,
		})),
	};
}

// If an operation has own options, none without may share its value.
function commonOptionsOf(resources: Resource[]): INodeProperties {
	const ofNumber = resources.filter(({ tokenKind }) => tokenKind !== 'account');
	const plain = ofNumber.flatMap(({ operations }) => operations.filter(({ options }) => !options));
	const show = {
		resource: ofNumber.map(({ value }) => value),
		operation: plain.map(({ value }) => value),
	};
	return { ...optionsOf(commonOptions), displayOptions: { show } };
}

function optionsOf(options: Field[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: toOptions(options).sort((one, other) =>
			one.displayName.localeCompare(other.displayName),
		),
	};
}
