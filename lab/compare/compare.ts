import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { compare } from './findings';

const { values } = parseArgs({
	options: {
		/** Allows what changes something: "typing", three texts to the number, and a webhook. */
		write: { type: 'boolean' },
		to: { type: 'string' },
		webhook: { type: 'string' },
		listen: { type: 'string' },
		poll: { type: 'string' },
		webhooksPath: { type: 'string' },
		instancesPath: { type: 'string' },
		presenceField: { type: 'string' },
		pollParameter: { type: 'string' },
	},
});

/** A value from the environment, or else from the person at the terminal. What they type as a secret is not shown. */
async function read(variable: string, question: string, isSecret: boolean): Promise<string> {
	const given = process.env[variable];
	if (given) return given;
	if (!process.stdin.isTTY) throw new Error(`Set ${variable}: ${question}`);
	const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
	const output = isSecret ? silent : process.stdout;
	const terminal = createInterface({ input: process.stdin, output, terminal: true });
	if (isSecret) process.stdout.write(`${question}: `);
	const typed = (await terminal.question(`${question}: `)).trim();
	if (isSecret) process.stdout.write('\n');
	terminal.close();
	if (typed === '') throw new Error(`Nothing was entered: ${question}`);
	return typed;
}

async function main(): Promise<void> {
	const url = await read('GATEWAY_URL', 'Base URL of your gateway', false);
	const accountToken = await read('GATEWAY_ACCOUNT_TOKEN', 'Account token (svc_acct_…)', true);
	const instanceToken = await read('GATEWAY_INSTANCE_TOKEN', 'Instance token (svc_inst_…)', true);
	const { write = false, to, webhook, listen, ...others } = values;
	const writes = { to, webhook, ...(listen !== undefined && { listen: Number(listen) }) };
	if (!write && (to ?? webhook) !== undefined)
		throw new Error('Add --write: it allows a text to the number, and a webhook.');
	const tokens = { url, accountToken, instanceToken };
	const findings = await compare({ ...tokens, ...others, ...(write && writes) });
	const rows = [['compared', 'verdict', 'what to do'], ['---', '---', '---'], ...findings];
	for (const cells of rows)
		console.log(`| ${cells.map((each) => each.replaceAll('|', '\\|')).join(' | ')} |`);
}

main().catch(({ message }: Error) => {
	console.error(`\n${message}`);
	process.exitCode = 1;
});
