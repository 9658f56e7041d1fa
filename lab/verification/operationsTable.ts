import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { INSTANCES_PATH, WEBHOOKS_PATH } from '../../nodes/MessagingGateway/gateway/assumptions';
import { resources } from '../../nodes/MessagingGateway/operations';
import type { Operation } from '../../nodes/MessagingGateway/operations/operation';
import { projectFolder } from '../host/places';

const page = join(projectFolder, 'docs', 'operations.md');
const BEGIN = '<!-- operations -->\n';
const END = '<!-- /operations -->';
const ASSUMED_PATHS: Record<string, string> = {
	'{+webhooksPath}': WEBHOOKS_PATH,
	'{+instancesPath}': INSTANCES_PATH,
};

/** Fails when the table of operations is not the one that the node has. */
export const checkOperationsTable = async (): Promise<void> => {
	const text = readFileSync(page, 'utf8');
	if (text !== insertTable(text)) {
		throw new Error('The table of operations is stale. `npm run format` writes it anew.');
	}
};

/** The page's text with the table of operations as it should be. */
function insertTable(text: string): string {
	const begin = text.indexOf(BEGIN);
	const end = text.indexOf(END, begin);
	if (begin < 0 || end < 0)
		throw new Error(`docs/operations.md lacks the markers ${BEGIN.trim()} and ${END}.`);
	return text.slice(0, begin + BEGIN.length) + drawTable() + text.slice(end);
}

function drawTable(): string {
	const lines = resources.flatMap(({ name, tokenKind = 'instance', operations }) =>
		operations.map((operation, position) => [
			position === 0 ? `**${name}**` : '',
			operation.name,
			operation.description,
			describeRequest(operation),
			operation.value === 'sendAndWait' ? 'both' : tokenKind,
		]),
	);
	const head = ['resource', 'operation', 'what it does', 'request', 'token'];
	const rows = [head, head.map(() => '---'), ...lines];
	return rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function describeRequest({ request }: Operation): string {
	if (request === undefined) return 'none';
	if (typeof request === 'function') return 'any path under `/v1`';
	const assumed = Object.keys(ASSUMED_PATHS).find((placeholder) => request.includes(placeholder));
	if (assumed === undefined) return `\`${request}\``;
	return `\`${request.replace(assumed, ASSUMED_PATHS[assumed])}\`, [assumed](gaps.md)`;
}

if (require.main === module) writeFileSync(page, insertTable(readFileSync(page, 'utf8')));
