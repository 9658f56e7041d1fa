import { webhook } from '../../../nodes/MessagingGateway/operations/webhook';

const clean = (url: unknown): unknown => {
	const [create] = webhook.operations;
	return create.fields.find(({ name }) => name === 'url')?.clean?.(url, undefined, {} as never);
};

it.each(['https://example.com', 'HTTP://example.com:8080/a?b=c#d', ' https://[::1]/ \n'])(
	'%j is where events can be delivered',
	(url) => {
		expect(clean(url)).toBe(url.trim());
	},
);

it.each([
	'',
	'example.com',
	'ftp://example.com',
	'https:/example.com',
	'https://',
	'https:///receiver',
	'https://?a=b',
	'https://#a',
	'https://example.com/a b',
	'https://example.com/a\nb',
	'https://exa mple.com',
	7,
	null,
])('%j is no web address', (url) => {
	expect(() => clean(url)).toThrow('is not a web address');
});

describe('a new webhook', () => {
	const [{ hint, options = [] }] = webhook.operations as Array<{
		hint?: (made: object) => string | undefined;
		options?: Array<{ name: string }>;
	}>;

	it('has a secret that is shown once, or was hidden from a model, which can be changed', () => {
		expect(hint?.({ secret: 'whsec_abc' })).toContain('shown only now');
		expect(hint?.({})).toContain('shown only now');
		expect(hint?.({ secret: 'whsec_[hidden]' })).toContain('“Show Webhook Secret to AI Agent”');
		expect(options.map(({ name }) => name)).toEqual(['customEvents', 'showSecretToAgent']);
	});
});
