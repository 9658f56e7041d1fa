import { N8nRefusal, N8nSession } from '../../../host/session';
import { startFakeN8n, type FakeN8n, type Told } from './fakeN8n';

let n8n: FakeN8n;
let told: Told;

beforeAll(async () => {
	n8n = await startFakeN8n(() => told);
});
beforeEach(() => (n8n.asked.length = 0));
afterAll(() => n8n.stop());

it('sends along the cookies of the last answer that had some, without what stands behind them', async () => {
	const session = new N8nSession(n8n.url);
	told = { status: 200, text: '{"data":1}', cookies: ['a=1; Path=/; HttpOnly', 'b=2; Secure'] };
	await session.signIn('ana@example.com', 'secret');
	told = { data: 7 };
	expect(await session.request('GET', '/any')).toBe(7);
	await session.request('PATCH', '/any', { bread: 'rye' });
	expect(n8n.asked.map(({ line, body, headers: { cookie } }) => [line, body, cookie])).toEqual([
		['POST /login', { emailOrLdapLoginId: 'ana@example.com', password: 'secret' }, ''],
		['GET /any', undefined, 'a=1; b=2'],
		['PATCH /any', { bread: 'rye' }, 'a=1; b=2'],
	]);
});

it('gives nothing for an empty answer', async () => {
	told = { status: 204, text: '' };
	expect(await new N8nSession(n8n.url).request('DELETE', '/any')).toBeUndefined();
});

it.each([400, 401, 404, 500])(
	'throws for %i, with what was asked and what n8n says',
	async (status) => {
		told = { status, text: '{"message":"No"}' };
		const refused = new N8nSession(n8n.url).request('GET', '/any');
		await expect(refused).rejects.toThrow(N8nRefusal);
		await expect(refused).rejects.toMatchObject({
			status,
			message: `GET /any: ${status} {"message":"No"}`,
		});
	},
);
