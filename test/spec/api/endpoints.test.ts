import { fillEndpoint } from '../../../nodes/MessagingGateway/api/endpoints';

it('fills in encoded values, and leaves the names of paths to the credential', () => {
	const values = { webhookId: 'a/b?c#d%e&f+g ç', owner: 7 };
	expect(fillEndpoint('DELETE {webhooksPath}/{webhookId}/of/{owner}', values)).toEqual({
		method: 'DELETE',
		path: '{webhooksPath}/a%2Fb%3Fc%23d%25e%26f%2Bg%20%C3%A7/of/7',
	});
});

it.each(['', '.', '..', undefined, null])('refuses %j, which leads to another address', (id) => {
	expect(() => fillEndpoint('GET /v1/things/{id}', { id })).toThrow(
		'cannot be part of the address',
	);
});

it.each(['...', '.a', 'a..'])('takes %j as an ID', (id) => {
	expect(fillEndpoint('GET /v1/things/{id}', { id }).path).toBe(`/v1/things/${id}`);
});
