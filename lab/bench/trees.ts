import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { projectFolder } from '../host/places';

const NAME = 'n8n-nodes-messaging-gateway';

/** A checkout of this project, installed in n8n under a name of its own. */
export interface Tree {
	/** The name of its column in the table. */
	title: string;
	/** The folder of the package to install. */
	folder: string;
	/** The types of its nodes, as workflows name them. */
	nodes: { action: string; trigger: string };
}

/** This checkout. */
export function ownTree(): Tree {
	return makeTree('this tree', projectFolder, NAME);
}

/**
 * Another checkout, from what it has built: n8n takes two packages only by different names.
 *
 * @param path of the checkout, with `dist`
 */
export function otherTree(path: string): Tree {
	const checkout = resolve(path);
	const name = `${NAME}-other`;
	const folder = mkdtempSync(join(tmpdir(), 'other-tree-'));
	cpSync(join(checkout, 'dist'), join(folder, 'dist'), { recursive: true });
	renameIn(join(folder, 'dist'), name);

	const manifest = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as object;
	const renamed = { ...manifest, name, files: ['dist'], scripts: {} };
	writeFileSync(join(folder, 'package.json'), JSON.stringify(renamed));
	return makeTree(basename(checkout), folder, name);
}

function makeTree(title: string, folder: string, name: string): Tree {
	const nodes = { action: `${name}.messagingGateway`, trigger: `${name}.messagingGatewayTrigger` };
	return { title, folder, nodes };
}

/** Renames the package in its code: what the process remembers is under this name. */
function renameIn(folder: string, name: string): void {
	for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
		if (!path.endsWith('.js')) continue;
		const file = join(folder, path);
		writeFileSync(file, readFileSync(file, 'utf8').replaceAll(NAME, name));
	}
}
