import * as n8n from 'n8n-workflow';
import type { INodeParameters } from 'n8n-workflow';
import { isAnsweredAtEnd } from '../settings';

/** An expression for n8n, and for those that know how, the same as a function: an expression costs more than all the rest. */
const field = {
	template:
		'={{ $parameter["options"]["confirmWhen"] === "succeeded" || $parameter["options"]["oneTurnAtATime"] ? "lastNode" : "onReceived" }}',
	resolve: ({ options }: INodeParameters) =>
		isAnsweredAtEnd((options ?? {}) as INodeParameters) ? 'lastNode' : 'onReceived',
};

/** When n8n answers a delivery that starts an execution, as the person has chosen. */
export const responseMode = n8n.webhookDescriptionFields
	? n8n.webhookDescriptionFields({ responseMode: field })
	: { responseMode: field.template };
