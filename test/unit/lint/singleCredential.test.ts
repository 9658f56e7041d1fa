import type { INodeCredentialDescription } from 'n8n-workflow';
import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayTrigger } from '../../../nodes/MessagingGateway/MessagingGatewayTrigger.node';

// The rule single-credential-per-node of n8n's lint: of two credentials, one property decides which is shown.

/** Pairs that no single property keeps apart. */
function findShownTogether(credentials: INodeCredentialDescription[] = []): string[] {
	const exclude = (one: INodeCredentialDescription, other: INodeCredentialDescription) =>
		Object.entries(one.displayOptions?.show ?? {}).some(([name, values = []]) => {
			const others: unknown[] | undefined = other.displayOptions?.show?.[name];
			return others !== undefined && !values.some((value) => others.includes(value));
		});
	return credentials.flatMap((one, index) =>
		credentials
			.slice(index + 1)
			.filter((other) => !exclude(one, other))
			.map((other) => `${one.name} and ${other.name}`),
	);
}

it.each([new MessagingGateway(), new MessagingGatewayTrigger()])(
	'$description.displayName asks for one credential at a time',
	({ description }) => {
		expect(findShownTogether(description.credentials)).toEqual([]);
	},
);

it.each([
	['without conditions', {}, {}],
	['on different properties', { usesAccount: [true] }, { usesInstance: [true] }],
	['on values in common', { token: ['account', 'both'] }, { token: ['both'] }],
])('two credentials %s are noticed', (_how, one, other) => {
	const credentials = [one, other].map((show, index) => ({
		name: `service${index}Api`,
		displayOptions: { show },
	}));
	expect(findShownTogether(credentials)).toEqual(['service0Api and service1Api']);
});
