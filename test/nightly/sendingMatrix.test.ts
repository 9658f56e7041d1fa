import { startHost, type Host } from '../../host/host';
import { runSendMatrix } from './sendMatrix';

let host: Host;

beforeAll(async () => {
	host = await startHost();
});

afterAll(async () => {
	await host?.stop();
});

it('never sends an item twice, and saves every item that another try can save, whatever goes wrong', async () => {
	const { cells, wrong } = await runSendMatrix(host);
	expect(wrong).toEqual([]);
	expect(cells).toBe(13 * 3 * 2 * 2 * 2);
}, 600_000);
