import { randomBytes } from 'node:crypto';
import type { WebhookRecord } from './webhooks/registry';

type NewWebhook = Pick<WebhookRecord, 'url' | 'events'>;

/** Milliseconds from the acceptance of a send to each of its events; `null` means the event never comes. */
interface StatusDelays {
	sent: number | null;
	delivered: number | null;
	read: number | null;
}

/** One more number of the account. */
export interface FurtherNumber {
	instanceId: string;
	instanceToken: string;
	/** Name on the page and in the list of instances. */
	name: string;
	phone: string;
}

/** Everything about a simulator that a test or the demo may choose. All of it is optional when starting one. */
export interface SimulatorSettings {
	/** 0 takes any free port. */
	port: number;
	/** Path under which the whole API lives, e.g. `/gateway`; empty for none. */
	basePath: string;
	/** Key and certificate (PEM) to serve HTTPS instead of HTTP. */
	tls?: { key: string; cert: string };
	accountToken: string;
	instanceToken: string;
	instanceId: string;
	/** The numbers of the account beside the first one. */
	furtherNumbers: FurtherNumber[];
	/** Time that every API request takes before it is acted on. */
	latencyMs: number;

	// What the API leaves open (API 14), each with the value assumed for it.
	webhooksPath: string;
	instancesPath: string;
	presenceField: string;
	pollParameter: string;
	/** `chat.type` of a chat with a person. */
	personType: string;
	/** True: the 202 body is `{data: {messageId}}`, false: `{messageId}`. */
	wrapSendAnswer: boolean;
	/** True: settings are answered as `{data: {…}}`, false: as the bare object. */
	wrapSettingsAnswer: boolean;
	/** False: a list is the array in `data`; true: it is a named array inside `data`. */
	nestLists: boolean;
	/** Changes a new webhook before it is kept. */
	storeWebhook(wanted: NewWebhook): NewWebhook;
	/** The body of the answer that lists webhooks, in place of the ordinary one. */
	listWebhooks?(records: Array<Omit<WebhookRecord, 'secret'>>): unknown;

	/** Number of groups that the number is a member of. */
	groups: number;
	statusDelaysMs: StatusDelays;
	/** Waits before the second, third, … attempt of a delivery; when they are used up the delivery is given up. */
	retryDelaysMs: number[];
	deliveryTimeoutMs: number;
	/** Failed answers in a row after which the gateway switches a webhook off; left out: it never does. */
	disableAfterFailures?: number;
	/** Maximum of deliveries under way at one time. */
	deliveryConcurrency: number;
	/** Number of the latest requests, deliveries and sends that are kept. */
	recordLimit: number;
	/** File that keeps tokens, webhooks and chats from one start to the next. */
	dataFile?: string;
	/** True: the chats begin with a few messages, for a person who opens the page. */
	demoMessages: boolean;
}

export type SimulatorOptions = Partial<Omit<SimulatorSettings, 'statusDelaysMs'>> & {
	statusDelaysMs?: Partial<StatusDelays>;
};

/** For a person: chats to begin with, statuses that one can follow, and deliveries that go on for ten minutes. */
export const FOR_A_PERSON: SimulatorOptions = {
	demoMessages: true,
	statusDelaysMs: { sent: 300, delivered: 900, read: 2500 },
	retryDelaysMs: [1000, 2000, 4000, 8000, 15_000, 30_000, ...Array<number>(9).fill(60_000)],
	recordLimit: 5000,
};

const DEFAULT_STATUS_DELAYS: StatusDelays = { sent: 10, delivered: 60, read: 200 };

export function makeTokens(): Pick<SimulatorSettings, 'accountToken' | 'instanceToken'> {
	return {
		accountToken: `svc_acct_${randomBytes(20).toString('hex')}`,
		instanceToken: `svc_inst_${randomBytes(20).toString('hex')}`,
	};
}

/** So many further numbers, each with an ID and a token of its own. */
export function makeNumbers(count: number): FurtherNumber[] {
	return Array.from({ length: count }, (_, index) => ({
		instanceId: `inst_${randomBytes(6).toString('hex')}`,
		instanceToken: `svc_inst_${randomBytes(20).toString('hex')}`,
		name: `Shop ${index + 2}`,
		phone: String(5_511_900_000_100 + index),
	}));
}

/** The numbers, each with its ID and token, as the instance credential takes them. */
export const writeLines = (numbers: Array<Pick<FurtherNumber, 'instanceId' | 'instanceToken'>>) =>
	numbers.map(({ instanceId, instanceToken }) => `${instanceId}, ${instanceToken}`).join('\n');

/** Completes the options with the defaults; tokens and the instance id are made anew unless given. */
export function completeOptions(options: SimulatorOptions): SimulatorSettings {
	return {
		port: 0,
		basePath: '',
		...makeTokens(),
		instanceId: `inst_${randomBytes(6).toString('hex')}`,
		furtherNumbers: [],
		latencyMs: 0,

		webhooksPath: '/v1/webhooks',
		instancesPath: '/v1/instances',
		presenceField: 'presence',
		pollParameter: 'messageId',
		personType: 'CONTACT',
		wrapSendAnswer: true,
		wrapSettingsAnswer: true,
		nestLists: false,
		storeWebhook: (wanted) => wanted,

		groups: 6,
		retryDelaysMs: [200, 400, 800, 1600, 3200, 6400],
		deliveryTimeoutMs: 10_000,
		deliveryConcurrency: 100,
		recordLimit: 200_000,
		demoMessages: false,

		...options,
		statusDelaysMs: { ...DEFAULT_STATUS_DELAYS, ...options.statusDelaysMs },
	};
}
