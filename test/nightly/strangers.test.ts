import { createTriggerWorkflow, type TriggerWorkflow } from '../../host/drafts/workflows';
import { startHost, type Host } from '../../host/host';
import { deliver, type Kit } from '../contract/deliveries';
import { layOut, print } from '../support/table';
import { megabytes, watchLoad } from './watchLoad';

/** What n8n spends on bodies of strangers before it asks the package who sent them: the table of SECURITY.md. */

const BODY = 15_000_000;
const FILE = 190_000_000;
const FORM = (file: string) =>
	`--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\nContent-Type: image/png\r\n\r\n${file}\r\n--x--\r\n`;

/** Many small values, of which each byte costs the most. */
const BODIES: Record<string, [contentType: string, make: () => string]> = {
	'15 MB of JSON': ['application/json', () => `[${'{},'.repeat(BODY / 3)}{}]`],
	'15 MB of XML': ['application/xml', () => `<a>${'<b/>'.repeat(BODY / 4)}</a>`],
	'a form of 190 MB with a file': ['multipart/form-data; boundary=x', () => FORM('x'.repeat(FILE))],
};

let host: Host;
let published: TriggerWorkflow;
const rows: string[][] = [];

beforeAll(async () => {
	host = await startHost({ n8n: {} });
	published = await createTriggerWorkflow(host);
	await host.api.publish(published.id);
});

afterAll(async () => {
	print(layOut(['a stranger sends', 'answered after', 'others waited', 'more memory'], rows));
	await host?.stop();
});

it.each(Object.entries(BODIES))(
	'n8n reads %s, and starts nothing',
	async (what, [contentType, make]) => {
		await host.n8n.restart();
		const kit: Kit = {
			secret: 'whsec_AAAA',
			oldSecret: '',
			otherSecret: '',
			now: Math.floor(Date.now() / 1000),
		};
		const { headers } = deliver(kit);
		const body = make();
		const begun = performance.now();
		const {
			result: status,
			before,
			peak,
			longestWait,
		} = await watchLoad(
			host,
			async () =>
				(
					await fetch(published.url, {
						method: 'POST',
						headers: { ...Object.fromEntries(headers), 'content-type': contentType },
						body,
					})
				).status,
		);
		rows.push([
			what,
			`${((performance.now() - begun) / 1000).toFixed(1)} s`,
			`${(longestWait / 1000).toFixed(1)} s`,
			megabytes(peak - before),
		]);
		// 503: right after a start n8n's copy of the secret may be old.
		expect([401, 503]).toContain(status);
		expect(await host.api.listExecutions(published.id)).toEqual([]);
	},
);
