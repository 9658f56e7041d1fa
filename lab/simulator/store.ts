import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ChangeKind } from './changes';
import type { Gateway } from './gateway';

const SAVE_AFTER_MS = 300;
const KEPT: ChangeKind[] = ['chat', 'message', 'webhooks', 'reset'];

/** State that outlives a stop: tokens, webhooks with their secrets, and chats. */
function takeSnapshot({ settings, chats, webhooks }: Gateway) {
	return {
		accountToken: settings.accountToken,
		instanceToken: settings.instanceToken,
		instanceId: settings.instanceId,
		furtherNumbers: settings.furtherNumbers,
		webhooks: webhooks.list(),
		...chats.save(),
	};
}

export type Snapshot = ReturnType<typeof takeSnapshot>;

export function readSnapshot(file: string): Snapshot | undefined {
	return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Snapshot) : undefined;
}

export function restoreSnapshot({ chats, webhooks }: Gateway, saved: Snapshot): void {
	webhooks.restore(saved.webhooks);
	chats.restore(saved);
}

/** Writes the file soon after every change. Gives the function that writes it a last time and ends that. */
export function keepSnapshot(gateway: Gateway, file: string): () => void {
	let timer: NodeJS.Timeout | undefined;
	const save = () => {
		timer = undefined;
		mkdirSync(dirname(file), { recursive: true });
		// A crash in the middle of writing must not cost the old file.
		writeFileSync(`${file}.new`, JSON.stringify(takeSnapshot(gateway)), { mode: 0o600 });
		renameSync(`${file}.new`, file);
	};

	const unwatch = gateway.changes.watch((kind) => {
		if (KEPT.includes(kind)) timer ??= setTimeout(save, SAVE_AFTER_MS);
	});
	save();

	return () => {
		unwatch();
		clearTimeout(timer);
		save();
	};
}
