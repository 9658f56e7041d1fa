import { startOddGateway, type OddGateway, type Oddity } from '../../../simulator/oddGateway';

// A gateway that does otherwise than the document leaves open: how it is odd is told, the rest is as usual.

let gateway: OddGateway | undefined;

afterEach(async () => await gateway?.stop());

const wanted = { url: 'http://127.0.0.1:1/hook', events: ['MESSAGE.SENT'] };

async function start(oddity?: Oddity) {
	gateway = await startOddGateway(oddity);
	const { url } = gateway;
	return async (method: string, path: string, body?: object) => {
		const init = { method, ...(body && { body: JSON.stringify(body) }) };
		const answer = await fetch(url + path, { ...init, headers: { connection: 'close' } });
		return { status: answer.status, body: (await answer.json()) as { data: { id: string } } };
	};
}

it('makes a webhook, lists it without its secret, and deletes it', async () => {
	const ask = await start();
	const made = await ask('POST', '/v1/webhooks', wanted);
	expect(made.body.data).toMatchObject({ ...wanted, enabled: true });
	expect(made.body.data).toHaveProperty('secret', expect.stringMatching(/^whsec_.{44}$/));
	const { id } = made.body.data;
	expect((await ask('GET', '/v1/webhooks')).body).toEqual({
		data: [{ ...wanted, id, enabled: true, secret: '' }],
	});
	expect(await ask('DELETE', '/v1/webhooks/other')).toMatchObject({ status: 404 });
	expect(await ask('DELETE', `/v1/webhooks/${id}`)).toMatchObject({ status: 200 });
	expect(gateway?.records).toEqual([]);
	expect(gateway?.requests.at(-1)).toBe(`DELETE /v1/webhooks/${id}`);
});

it('lists, keeps and deletes as told', async () => {
	const ask = await start({
		list: (records, query, origin) => ({
			status: 203,
			body: { of: records.length, page: query.get('page'), origin },
		}),
		remove: () => ({ status: 409, body: { error: 'busy' } }),
		store: ({ url }) => ({ url: `${url}/`, events: [] }),
	});
	const { id } = (await ask('POST', '/v1/webhooks', wanted)).body.data;
	expect(gateway?.records).toMatchObject([{ url: `${wanted.url}/`, events: [] }]);
	expect(await ask('GET', '/v1/webhooks?page=2')).toEqual({
		status: 203,
		body: { of: 1, page: '2', origin: gateway?.url },
	});
	expect(await ask('DELETE', `/v1/webhooks/${id}`)).toMatchObject({ status: 409 });
	expect(gateway?.records).toHaveLength(1);
});
