import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeProperties,
	type INodeType,
} from 'n8n-workflow';

function describe(name: string, properties: INodeProperties[]): INodeType['description'] {
	return {
		displayName: name,
		name,
		group: ['transform'],
		version: 1,
		description: '',
		defaults: { name },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties,
	};
}

const pass: INodeType = {
	description: describe('test.pass', []),
	async execute(this: IExecuteFunctions) {
		return [this.getInputData()];
	},
};

const evaluate: INodeType = {
	description: describe('test.evaluate', [
		{ displayName: 'Value', name: 'value', type: 'string', default: '' },
	]),
	async execute(this: IExecuteFunctions) {
		return [
			this.getInputData().map((_item, index) => ({
				json: { value: this.getNodeParameter('value', index) as string },
				pairedItem: { item: index },
			})),
		];
	},
};

/**
 * Stand-ins for n8n's own nodes, which are not part of n8n-core: `test.pass` hands items on, `test.evaluate` puts out
 * its parameter `value` (give it an expression) once per item.
 */
export const testNodes: Partial<Record<string, INodeType>> = {
	'test.pass': pass,
	'test.evaluate': evaluate,
};
