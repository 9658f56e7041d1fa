import type {
	INodeCredentialDescription,
	INodeProperties,
	INodeTypeDescription,
} from 'n8n-workflow';
import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayTrigger } from '../../../nodes/MessagingGateway/MessagingGatewayTrigger.node';

// The rule single-credential-per-node of n8n's lint: of two credentials, one property decides which is shown.

/** Pairs that no single property of one value keeps apart. */
function findShownTogether({
	credentials = [],
	properties,
}: Pick<INodeTypeDescription, 'credentials' | 'properties'>): string[] {
	const isOfSeveral = (wanted: string) =>
		properties.some(({ name, type }) => name === wanted && type === 'multiOptions');
	const exclude = (one: INodeCredentialDescription, other: INodeCredentialDescription) =>
		Object.entries(one.displayOptions?.show ?? {}).some(([name, values = []]) => {
			const others: unknown[] = other.displayOptions?.show?.[name] ?? [];
			const isCompared = values.length > 0 && others.length > 0 && !isOfSeveral(name);
			return isCompared && !values.some((value) => others.includes(value));
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
		expect(findShownTogether(description)).toEqual([]);
	},
);

it.each([
	['without conditions', {}, {}],
	['on different properties', { usesAccount: [true] }, { usesInstance: [true] }],
	['on values in common', { token: ['account', 'both'] }, { token: ['both'] }],
	['on no value at all', { token: [] }, { token: ['instance'] }],
	['on a field of several values', { events: ['sent'] }, { events: ['received'] }],
])('two credentials %s are noticed', (_how, one, other) => {
	const credentials = [one, other].map((show, index) => ({
		name: `service${index}Api`,
		displayOptions: { show },
	}));
	const properties = [{ name: 'events', type: 'multiOptions' }] as INodeProperties[];
	expect(findShownTogether({ credentials, properties })).toEqual(['service0Api and service1Api']);
});
