import { fillEndpoint } from '../../../nodes/MessagingGateway/api/endpoints';

it('fills in values, encoded, and leaves to the credential what is its own', () => {
	expect(
		fillEndpoint('DELETE {webhooksPath}/{webhookId}/of/{owner}', {
			webhookId: 'a/b?c#d%e&f+g ç',
			owner: 7,
		}),
	).toEqual({
		method: 'DELETE',
		path: '{webhooksPath}/a%2Fb%3Fc%23d%25e%26f%2Bg%20%C3%A7/of/7',
	});
});

it.each(['', '.', '..', undefined, null])('takes no %j, which leads elsewhere', (id) => {
	expect(() => fillEndpoint('GET /v1/things/{id}', { id })).toThrow(
		'cannot be part of the address',
	);
});

it.each(['...', '.a', 'a..'])('takes %j, which does not', (id) => {
	expect(fillEndpoint('GET /v1/things/{id}', { id }).path).toBe(`/v1/things/${id}`);
});
