import { Webhook } from 'standardwebhooks';
import { WEBHOOKS_PATH } from '../../nodes/MessagingGateway/gateway/assumptions';
import { readResult } from '../../nodes/MessagingGateway/gateway/content';
import { isEvent, readEvent } from '../../nodes/MessagingGateway/incoming/event';
import { waitFor } from '../host/waiting';
import { fits, parse, sendText, startReceiver, type Client } from './gateway';
import { noteAnswer, type Note } from './rows';

export interface WebhookOptions {
	webhooksPath?: string;
	/** Phone number that gets "typing" and three texts. Without it, nothing is sent. */
	to?: string;
	/** URL of a webhook, which is deleted again. */
	webhook?: string;
	/** Port of this machine to which this URL leads. */
	listen?: number;
}

export const EVENTS = ['MESSAGE.RECEIVED', 'MESSAGE.SENT', 'MESSAGE.STATUS_UPDATED'];

// Fields of docs/api.md, each with its type.
const RECORD = {
	string: ['id', 'url', 'secret', 'createdAt'],
	object: ['events'],
	boolean: ['enabled'],
};
const ENVELOPE = { string: ['id', 'type', 'instanceId', 'timestamp'], object: ['data'] };

/** Creates a webhook, changes it, and deletes it; a text that is sent meanwhile makes events. */
export async function compareWebhook(
	ask: Client,
	note: Note,
	{ to, webhook: url, listen, webhooksPath = WEBHOOKS_PATH }: WebhookOptions,
): Promise<void> {
	if (url === undefined) return;
	const receiver = listen === undefined ? undefined : await startReceiver(listen);
	const created = await ask('account', `POST ${webhooksPath}`, { url, events: EVENTS });
	const record = (readResult(created.body) ?? {}) as { id?: string; secret?: string };
	const isRecord = created.isSuccess && fits(record, RECORD);
	noteAnswer(note, 'A1 changes', created, isRecord);
	try {
		if (isRecord && receiver && to) {
			const sent = await Promise.all([sendText(ask, to), sendText(ask, to)]);
			// Statuses of an earlier message may come first, and name no chat.
			const isEnough = () =>
				receiver.deliveries.length > 1 &&
				receiver.deliveries.some(({ raw }) => raw.includes('"chat"'));
			if (sent.every(({ isSuccess }) => isSuccess))
				await waitFor('two events, one of them of a chat', isEnough).catch(() => {});
			compareDeliveries(note, receiver, String(record.secret));
		}
		if (record.id) {
			const changes = { url, events: EVENTS.slice(1) };
			const changed = await ask('account', `PATCH ${webhooksPath}/${record.id}`, changes);
			noteAnswer(note, 'A1 PATCH', changed, changed.isSuccess);
		}
	} finally {
		receiver?.stop();
		const deleted = record.id && (await ask('account', `DELETE ${webhooksPath}/${record.id}`));
		if (deleted && !deleted.isSuccess) noteAnswer(note, 'A1 changes', deleted, false);
	}
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Notes what deliveries show. The rows that none shows are not seen. */
function compareDeliveries(
	note: Note,
	{ deliveries, hasOverlapped }: Receiver,
	secret: string,
): void {
	if (deliveries.length === 0) return;
	const isGenuine = ({ raw, headers }: Receiver['deliveries'][number]) => {
		try {
			new Webhook(secret).verify(raw, headers as Record<string, string>);
			return isEvent(parse(raw), String(headers['webhook-id'])) && fits(parse(raw), ENVELOPE);
		} catch {
			return false;
		}
	};
	const areGenuine = deliveries.every(isGenuine);
	note('signature', areGenuine);
	if (!areGenuine) return;
	const types = deliveries.map(({ raw, headers }) => {
		const event = parse(raw);
		return isEvent(event, String(headers['webhook-id'])) ? readEvent(event).chat?.type : undefined;
	});
	const type = types.find((each) => each !== undefined);
	if (type) note('A8', type === 'person', type);
	if (hasOverlapped !== undefined) note('A10', hasOverlapped);
}
