import { resources } from '../../nodes/MessagingGateway/operations';
import { askingCalls, documentedCalls, webhookCalls } from '../contract/document';

/** The node's own table: each operation with its name, behind its resource. */
export const everyOperation = resources.flatMap((resource) =>
	resource.operations.map(
		(operation) => [`${resource.value}.${operation.value}`, resource.value, operation] as const,
	),
);

/** The calls retyped from the document. */
export const calls = [...documentedCalls, ...webhookCalls('wh_1'), ...askingCalls];
export const callsOf = (resource: string, operation: string) =>
	calls.filter((call) => call.resource === resource && call.operation === operation);
