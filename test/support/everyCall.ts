import {
	askingCalls,
	documentedCalls,
	webhookCalls,
	type DocumentedCall,
} from '../contract/document';

/** One call of every operation that asks the gateway, by its name. */
export const everyCall = new Map<string, DocumentedCall>(
	[...documentedCalls, ...webhookCalls('wh_1'), ...askingCalls]
		.filter(({ requests }) => requests.length > 0)
		.map((call) => [`${call.resource}.${call.operation}`, call]),
);
