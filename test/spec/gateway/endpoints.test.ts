import fc from 'fast-check';
import { fillEndpoint } from '../../../nodes/MessagingGateway/gateway/endpoints';

it('fills in the paths of the credential as they are, and IDs encoded', () => {
	const names = { webhooksPath: '/v2/hooks' };
	const ids = { webhookId: 'a/b?c#d%e&f+g ç', owner: 7 };
	expect(fillEndpoint('DELETE {+webhooksPath}/{webhookId}/of/{owner}', names, ids)).toEqual({
		method: 'DELETE',
		path: '/v2/hooks/a%2Fb%3Fc%23d%25e%26f%2Bg%20%C3%A7/of/7',
	});
});

it.each(['', '.', '..', '\ud800', undefined, null])(
	'refuses %j, which leads to another address',
	(id) => {
		expect(() => fillEndpoint('GET /v1/things/{id}', {}, { id })).toThrow(
			'cannot be part of the address',
		);
	},
);

it('fills in any other ID so that it can be read back', () => {
	const ids = fc.string({ unit: 'grapheme', minLength: 1 });
	const readBack = (id: string) => {
		fc.pre(id !== '.' && id !== '..');
		const [, , things, filled, ...more] = fillEndpoint(
			'GET /v1/things/{id}',
			{},
			{ id },
		).path.split('/');
		expect([things, decodeURIComponent(filled), more]).toEqual(['things', id, []]);
	};
	fc.assert(fc.property(ids, readBack), { seed: 1, examples: [['...'], ['.a'], ['a..']] });
});
