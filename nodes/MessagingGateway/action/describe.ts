import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';
import { commonOptions } from '../fields/common';
import { toProperty, type Field } from '../fields/field';
import type { Resource } from '../operations/operation';

/**
 * Turns the table of operations into n8n's properties: the two menus, and each operation's fields, visible only where they
 * belong.
 */
export function describe(resources: Resource[]): INodeProperties[] {
	const [{ value: first }] = resources;
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			default: first,
			options: resources.map(({ name, value }) => ({ name, value })),
		},
		...resources.map(describeMenu),
		...resources.flatMap(({ value, operations }) =>
			operations.flatMap(({ value: operation, fields, options }) =>
				updateDisplayOptions({ show: { resource: [value], operation: [operation] } }, [
					...fields.map(toProperty),
					...(options ? [describeOptions(options)] : []),
				]),
			),
		),
		describeCommonOptions(resources),
	];
}

function describeMenu({ value, operations }: Resource): INodeProperties {
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

/** The options that operations of a number share are described once: a model reads the whole description. */
function describeCommonOptions(resources: Resource[]): INodeProperties {
	const ofNumber = resources.filter(({ token }) => token === 'instance');
	const others = ofNumber.flatMap(({ operations }) => operations.filter(({ options }) => options));
	return {
		...describeOptions(commonOptions),
		displayOptions: {
			show: { resource: ofNumber.map(({ value }) => value) },
			hide: { operation: others.map(({ value }) => value) },
		},
	};
}

function describeOptions(options: Field[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		// An option is required only once it is added, and n8n demands a required one from the beginning.
		options: options
			.map((option) => ({ ...toProperty(option), required: undefined }))
			.sort((one, other) => one.displayName.localeCompare(other.displayName)),
	};
}
