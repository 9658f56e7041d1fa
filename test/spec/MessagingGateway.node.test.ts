import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';

const { description, methods, webhookMethods } = new MessagingGateway();

describe('the action node', () => {
	it('has the method of each list, and of each test of a credential', () => {
		const listed = new Set(
			description.properties.flatMap(({ modes = [] }) =>
				modes.flatMap((mode) => mode.typeOptions?.searchListMethod ?? []),
			),
		);
		expect([...listed].sort()).toEqual(Object.keys(methods.listSearch).sort());
		const loaded = new Set(
			description.properties.flatMap((property) => property.typeOptions?.loadOptionsMethod ?? []),
		);
		expect([...loaded].sort()).toEqual(Object.keys(methods.loadOptions).sort());
		const tests = description.credentials?.map(({ testedBy }) => testedBy).sort();
		expect(tests).toEqual(Object.keys(methods.credentialTest).sort());
	});

	it('lets n8n register no webhook, although it receives answers', async () => {
		expect(description.webhooks).toEqual([expect.objectContaining({ restartWebhook: true })]);
		const { checkExists, create, delete: remove } = webhookMethods.default;
		expect(await Promise.all([checkExists(), create(), remove()])).toEqual([true, true, true]);
	});
});
