import { NodeConnectionTypes, type IExecuteFunctions, type INodeType } from 'n8n-workflow';

/** Stands in for n8n's own nodes, which are not part of n8n-core, and hands items on. */
const pass: INodeType = {
	description: {
		displayName: 'Pass',
		name: 'test.pass',
		group: ['transform'],
		version: 1,
		description: '',
		defaults: { name: 'Pass' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	},
	async execute(this: IExecuteFunctions) {
		return [this.getInputData()];
	},
};

export const testNodes: Partial<Record<string, INodeType>> = { 'test.pass': pass };
