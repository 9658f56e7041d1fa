import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { findPlace } from '../../host/places';

/** What the demo remembers from one start to the next, beside what n8n and the gateway keep themselves. */
export interface Note {
	/** The one password of this installation's n8n, and how n8n wants it. */
	password: string;
	passwordHash: string;
	/** Made at the first start, each only once: what a person deletes stays deleted. */
	workflowId?: string;
	credentialIds: Record<string, string>;
	/** Every address that n8n has had. */
	n8nUrls: string[];
	/** The addresses of n8n and the gateway for which everything published is registered. */
	registeredFor?: string;
	/** By type of credential: what it held at the last start of what changes with the ports. */
	addresses: Record<string, ICredentialDataDecryptedObject>;
}

const LETTERS = 'abcdefghijkmnpqrstuvwxyz';
const CAPITALS = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
const DIGITS = '23456789';
const PASSWORD_LENGTH = 16;

/** Reads the note of the last start, or begins one, with a password of its own. */
export function readNote(folder: string): Note {
	const file = fileIn(folder);
	if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Note;
	const password = makePassword();
	const requireFromN8n = createRequire(join(findPlace('n8n'), 'package.json'));
	const { hashSync } = requireFromN8n('bcryptjs') as { hashSync: (text: string) => string };
	const passwordHash = hashSync(password);
	return { password, passwordHash, credentialIds: {}, n8nUrls: [], addresses: {} };
}

export function keepNote(folder: string, note: Note): void {
	const file = fileIn(folder);
	// A crash in the middle of writing must not cost the old file.
	writeFileSync(`${file}.new`, JSON.stringify(note, null, '\t'), { mode: 0o600 });
	renameSync(`${file}.new`, file);
}

/** A password as n8n demands it, with a capital and a digit, of signs that nobody takes for each other. */
function makePassword(): string {
	const all = LETTERS + CAPITALS + DIGITS;
	const rest = Array.from({ length: PASSWORD_LENGTH - 2 }, () => pick(all));
	return [pick(CAPITALS), ...rest, pick(DIGITS)].join('');
}

function pick(signs: string): string {
	return signs[randomInt(signs.length)];
}

function fileIn(folder: string): string {
	return join(folder, 'demo.json');
}
