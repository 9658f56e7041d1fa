import type { WebhookRecord } from '../../../../nodes/MessagingGateway/trigger/record';
import {
	describeTrouble,
	planFor,
	type Plan,
} from '../../../../nodes/MessagingGateway/trigger/subscription/plan';
import type { RemoteWebhook } from '../../../../nodes/MessagingGateway/webhooks/records';

const GATEWAY = 'https://gateway.example.com';
const desired = { url: 'https://n8n.example.com/webhook/a/webhook', events: ['MESSAGE.RECEIVED'] };
const record: WebhookRecord = { ...desired, webhookId: 'w1', secret: 'whsec_x', gateway: GATEWAY };
const own: RemoteWebhook = { ...desired, id: 'w1', enabled: true };
const twin = { ...own, id: 'w2' };
const other = { ...own, id: 'w3', url: 'https://somebody.example.com/hook' };
const keep = (leftOver: RemoteWebhook[] = [], isSeen = true): Plan => ({
	kind: 'keep',
	leftOver,
	isSeen,
});
const change = (trouble: 'elsewhere' | 'other events'): Plan => ({
	kind: 'change',
	id: 'w1',
	trouble,
});
const replace = (trouble: 'unregistered' | 'gone' | 'disabled'): Plan => ({
	kind: 'replace',
	trouble,
});

describe('the whole list of the gateway', () => {
	it.each<[string, WebhookRecord | undefined, RemoteWebhook[], Plan]>([
		['nothing, and no record', undefined, [], replace('unregistered')],
		['one with our URL, and no record', undefined, [twin], replace('unregistered')],
		['nothing of ours', record, [other], replace('gone')],
		['ours', record, [own, other], keep()],
		['ours with more events', record, [{ ...own, events: ['A', 'MESSAGE.RECEIVED'] }], keep()],
		['ours and another with its URL', record, [twin, own], keep([twin])],
		['another with its URL alone', record, [twin], replace('gone')],
		['ours, disabled', record, [{ ...own, enabled: false }], replace('disabled')],
		['ours with another URL', record, [{ ...own, url: other.url }], change('elsewhere')],
		['ours with other events', record, [{ ...own, events: ['A'] }], change('other events')],
		[
			'the ID of one at another gateway',
			{ ...record, gateway: 'https://other.example.com' },
			[own],
			replace('gone'),
		],
		['ours, of a record that names no gateway', { ...record, gateway: undefined }, [own], keep()],
	])('has %s', (_what, known, webhooks, plan) => {
		expect(planFor(desired, known, { webhooks, isComplete: true }, GATEWAY)).toEqual(plan);
	});
});

describe('a part of the list', () => {
	it.each<[string, WebhookRecord | undefined, RemoteWebhook[], Plan]>([
		['nothing of ours', record, [other], keep([], false)],
		['another with its URL', record, [twin], keep([twin], false)],
		['ours', record, [own], keep()],
		['nothing, and no record', undefined, [], replace('unregistered')],
	])('has %s', (_what, known, webhooks, plan) => {
		expect(planFor(desired, known, { webhooks, isComplete: false }, GATEWAY)).toEqual(plan);
	});
});

it.each(['unregistered', 'gone', 'disabled', 'elsewhere', 'other events'] as const)(
	'the log names the webhook that is %s',
	(trouble) => {
		expect(describeTrouble(trouble, record, desired)).toContain(desired.url);
	},
);
