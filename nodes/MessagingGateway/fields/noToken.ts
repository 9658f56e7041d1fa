import type { INodePropertyOptions } from 'n8n-workflow';

/**
 * Never shown. A property of whose choices each has a credential is taken by n8n's editor for the way of authenticating, and
 * the editor hides it together with all that it depends on: Resource and Operation.
 */
export const NO_TOKEN: INodePropertyOptions = {
	name: 'None',
	value: 'none',
	displayOptions: { show: { resource: ['none'] } },
};
