import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FOR_A_PERSON, startSimulator } from '.';
import { findPlace } from '../host/places';

// The simulated gateway by itself, for an n8n that runs already. Tokens, webhooks and chats stay from start to start.
const { values } = parseArgs({
	options: {
		port: { type: 'string', default: '5690' },
		data: { type: 'string', default: join(findPlace('cache'), 'gateway.json') },
	},
});

async function main({ port, data }: typeof values): Promise<void> {
	const gateway = await startSimulator({
		...FOR_A_PERSON,
		port: Number(port),
		dataFile: data,
	});

	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => void gateway.stop().then(() => process.exit(0)));
	}

	console.log(`
The simulated gateway runs. Enter these in the credentials of your n8n:
  Base URL         ${gateway.url}
  Account Token    ${gateway.accountToken}
  Instance Token   ${gateway.instanceToken}
  Phone            ${gateway.pageUrl}
Your chats are kept in ${data}. Ctrl-C stops it.
`);
}

main(values).catch(({ code, message }: NodeJS.ErrnoException) => {
	const taken = `Port ${values.port} is taken. Choose another: npm run gateway -- --port 5691`;
	console.error(`\n${code === 'EADDRINUSE' ? taken : message}`);
	process.exit(1);
});
