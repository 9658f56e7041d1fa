import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';
import { commonOptions } from '../fields/common';
import { toProperty, type Field } from '../fields/field';
import type { Operation, Resource } from '../operations/operation';

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
			operations.flatMap((operation) =>
				showFor([value], [operation.value], describeFields(operation)),
			),
		),
		...describeCommonOptions(resources),
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
		options: operations.map((operation) => ({
			name: operation.name,
			value: operation.value,
			action: operation.action,
			description: operation.description,
		})),
	};
}

function describeFields({ fields, options }: Operation): INodeProperties[] {
	const properties = fields.map((field) => ({
		...toProperty(field),
		// n8n's lint wants a field that is not required among the options.
		...(isFilledIn(field) && { required: true }),
	}));
	return options === undefined ? properties : [...properties, describeOptions(options)];
}

/** The options that operations of a number share are described once: a model reads the whole description. */
function describeCommonOptions(resources: Resource[]): INodeProperties[] {
	const options = [describeOptions(commonOptions)];
	const isCommon = (operation: Operation): boolean => operation.options === undefined;
	const ofNumber = resources.filter(({ token }) => token === 'instance');
	const whole = ofNumber.filter(({ operations }) => operations.every(isCommon));
	const mixed = ofNumber.filter((each) => !whole.includes(each) && each.operations.some(isCommon));
	return [
		...updateDisplayOptions({ show: { resource: whole.map(({ value }) => value) } }, options),
		...mixed.flatMap(({ value, operations }) =>
			showFor(
				[value],
				operations.filter(isCommon).map((each) => each.value),
				options,
			),
		),
	];
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

function showFor(
	resource: string[],
	operation: string[],
	properties: INodeProperties[],
): INodeProperties[] {
	return updateDisplayOptions({ show: { resource, operation } }, properties);
}

/** Whether a field has a value from the beginning. */
function isFilledIn({ type, default: value }: Field): boolean {
	return ['boolean', 'multiOptions', 'number', 'options'].includes(type) && String(value) !== '';
}
