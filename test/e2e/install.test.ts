import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startHostOn, type Host } from '../../lab/host/host';
import { startN8n } from '../../lab/host/n8n';
import { projectFolder } from '../../lab/host/places';
import { createTriggerWorkflow } from '../support/drafts/trigger';

const ADDRESS = 'https://github.com/n8n-nodes-messaging-gateway/n8n-nodes-messaging-gateway.git';

let home: string;
let host: Host | undefined;

beforeAll(() => (home = mkdtempSync(join(tmpdir(), 'home-'))));

afterAll(async () => {
	await host?.stop();
	rmSync(home, { recursive: true, force: true });
});

/** The lines of shell under *Install*, as somebody copies them. */
function readBlock(): string {
	const page = readFileSync(join(projectFolder, 'README.md'), 'utf8');
	const [, block] = /\n## Install\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(page) ?? [];
	return block.replace(/^ +/gm, '');
}

it('the lines of the README install the package into a fresh home', async () => {
	const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'cache']);
	const env = {
		...process.env,
		HOME: home,
		npm_config_cache: stdout.trim(),
		// The address leads to this checkout.
		GIT_CONFIG_COUNT: '1',
		GIT_CONFIG_KEY_0: `url.${projectFolder}.insteadOf`,
		GIT_CONFIG_VALUE_0: ADDRESS,
	};
	await promisify(execFile)('sh', ['-e', '-c', readBlock()], { cwd: home, env, maxBuffer: 1e8 });

	host = await startHostOn(await startN8n({ folder: home, packages: [] }));
	const trigger = await createTriggerWorkflow(host);
	await host.api.publish(trigger.id);
	expect(host.gateway.webhooks()).toMatchObject([{ url: trigger.url }]);
}, 600_000);
