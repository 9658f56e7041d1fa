import type { IDataObject } from 'n8n-workflow';
import { keyOf } from '../../phone/describe';
import { dataOf, isGroup, recordIn, textIn, timeOf, type GatewayEvent } from '../../webhooks/event';
import type { BatchEntry } from '../memory/batcher';
import { statusRankOf } from '../memory/statusOrder';
import type { TriggerSettings } from '../settings';
import { simplify } from './simplify';

/** Turns an event into the item that the workflow gets. */
export function present(event: GatewayEvent, output: TriggerSettings['output']): BatchEntry {
	// The envelope comes last: a field that the gateway adds one day must not be covered by ours.
	const json =
		output === 'simplified' ? simplify(event, derive(event)) : { ...derive(event), ...event };
	return { item: { json }, time: timeOf(event) ?? Date.now() };
}

/** What workflows need at every turn and the envelope only implies; fields without a value are left out. */
function derive(event: GatewayEvent): IDataObject {
	const data = dataOf(event);
	const chat = recordIn(data, 'chat');
	const phone = phoneOf(data);
	return filledIn({
		replyTo: textIn(chat, 'id'),
		statusRank: statusRankOf(event),
		isGroup: isGroup(event),
		isReply: chat && data.quotedMessageId !== undefined,
		phoneKey: phone === undefined ? undefined : keyOf(phone),
	});
}

/** Whose event it is: who wrote, else whose chat it is, else the connected number itself. */
function phoneOf(data: IDataObject): string | undefined {
	return (
		textIn(recordIn(data, 'sender'), 'phone') ??
		textIn(recordIn(data, 'chat'), 'phone') ??
		textIn(data, 'phone')
	);
}

function filledIn(fields: Record<string, unknown>): IDataObject {
	return Object.fromEntries(
		Object.entries(fields).filter(([, value]) => value !== undefined),
	) as IDataObject;
}
