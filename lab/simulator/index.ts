import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { addApi } from './api';
import { addControl } from './control';
import type { EventDraft } from './events';
import { assembleGateway, resetGateway, type Gateway } from './gateway';
import { createApp, type App } from './http/app';
import {
	completeOptions,
	makeTokens,
	writeLines,
	type SimulatorOptions,
	type SimulatorSettings,
} from './options';
import { keepTrackOf } from './running';
import { changeConnection, type Ban } from './state/connection';
import { addDemoMessages } from './state/demo';
import type { ConnectionStatus } from './state/instance';
import { receiveMessage, writeOnPhone, type Writing } from './state/traffic';
import { keepSnapshot, readSnapshot, restoreSnapshot, type Snapshot } from './store';
import type { DeliveryMode } from './webhooks/deliveries';
import { signDelivery } from './webhooks/sign';

export type { GatewayEvent } from './event';
export { freeClosedPort } from './closedPort';
export type { Fault } from './faults/fault';
export type { FaultPlan } from './faults/control';
export { FOR_A_PERSON, makeNumbers, type SimulatorOptions } from './options';
export type { AcceptedSend, RecordedDelivery, RecordedRequest } from './recorder';
export { groupIdAt, groupNameAt, PEOPLE } from './state/people';
export type { WebhookRecord } from './webhooks/registry';

const HOST = '127.0.0.1';

/** A running simulator, as tests and the demo drive it. */
export type Simulator = ReturnType<typeof driveGateway>;

/** Starts a gateway of its own, with its own state, on a port of 127.0.0.1. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
	const saved = options.dataFile === undefined ? undefined : readSnapshot(options.dataFile);
	const settings = completeOptions(saved ? addSaved(options, saved) : options);
	const gateway = assembleGateway(settings);
	if (saved) restoreSnapshot(gateway, saved);
	else if (settings.demoMessages) addDemoMessages(gateway.chats);

	const app = createApp(settings);
	await app.register(async (api: App) => addApi(api, gateway), { prefix: settings.basePath });
	await app.register(async (control: App) => addControl(control, gateway));
	await app.listen({ port: settings.port, host: HOST });
	const saveAndEnd =
		settings.dataFile === undefined ? undefined : keepSnapshot(gateway, settings.dataFile);
	return keepTrackOf(driveGateway(gateway, app, saveAndEnd));
}

/** The tokens and numbers of the last start stay; numbers in the options do not replace them. */
function addSaved(options: SimulatorOptions, saved: Snapshot): SimulatorOptions {
	const { accountToken, instanceToken, instanceId, furtherNumbers } = saved;
	const kept = furtherNumbers.length > 0 && { furtherNumbers };
	return { accountToken, instanceToken, instanceId, ...options, ...kept };
}

function replaceTokens(settings: SimulatorSettings): void {
	Object.assign(settings, makeTokens());
	for (const number of settings.furtherNumbers) number.instanceToken = makeTokens().instanceToken;
}

function driveGateway(gateway: Gateway, app: App, saveAndEnd?: () => void) {
	const { settings, recorder, webhooks, chats, deliveries, events, schedule } = gateway;
	const { port } = app.server.address() as AddressInfo;
	const pageUrl = `${settings.tls ? 'https' : 'http'}://${HOST}:${port}`;

	return {
		/** Base address of the API, without a trailing slash. */
		url: pageUrl + settings.basePath,
		/** Address of the phone page and of `/simulator/…`, without a trailing slash. */
		pageUrl,
		get accountToken() {
			return settings.accountToken;
		},
		get instanceToken() {
			return settings.instanceToken;
		},
		instanceId: settings.instanceId,

		/** The numbers of the account beside the first one. */
		furtherNumbers: settings.furtherNumbers,
		/** All numbers, as the instance credential takes them; empty if there is only one. */
		get numberLines(): string {
			const { furtherNumbers } = settings;
			return furtherNumbers.length === 0 ? '' : writeLines([settings, ...furtherNumbers]);
		},

		/** Every API request in order of arrival. */
		requests: recorder.requests,
		/** Every attempt of every delivery in the order of their start. */
		deliveries: recorder.deliveries,
		faults: gateway.faults,
		/** The registered webhooks, secrets included. */
		webhooks: () => webhooks.list(),
		acceptedSends: () => recorder.sends,

		/** The conversations as they look on the others' phones. */
		chats: () => chats.listWithMessages(),
		/** Somebody writes to the number: `MESSAGE.RECEIVED`. */
		write: (text: string, writing?: Writing) => receiveMessage(gateway, text, writing),
		/** The owner of the number writes on the phone: `MESSAGE.SENT`. Answers the message's ID. */
		writeOnPhone: (text: string, writing?: Writing) => writeOnPhone(gateway, text, writing),
		/** Completes an event with an envelope and delivers it to the webhooks that asked for its type. */
		emit: (event: EventDraft) => events.emit(event),
		/** The connection of the first number changes by itself: `CONNECTION.UPDATED`. */
		setConnection: (status: ConnectionStatus, ban?: Ban) => changeConnection(gateway, status, ban),

		/** Headers of a delivery signed with a secret, for deliveries that a test makes itself. */
		sign: signDelivery,
		/** A webhook made by hand, as in the provider's dashboard. */
		createWebhook: (made: { url: string; events: string[] }) =>
			webhooks.create(made.url, made.events),
		moveWebhook: (id: string, url: string) => void webhooks.update(id, { url }),
		deleteWebhook: (id: string) => webhooks.delete(id),

		setDelivery: (mode: Partial<DeliveryMode>) => deliveries.setMode(mode),
		/** Lets the gateway's clock be wrong in answers, deliveries, events and records; negative is behind. */
		setClock: (aheadSeconds: number) => void (gateway.clock.aheadSeconds = aheadSeconds),
		/** Resolves when no event is still to come and no delivery is under way or waits for another try. */
		drained: async () => await schedule.drained(),

		/** Makes all tokens anew, as in the provider's dashboard; the old ones are no longer known. */
		replaceTokens: () => replaceTokens(settings),
		/** Refuses connections, and ends those that are open, until resumed on the same port. */
		pauseListening: async () => {
			app.server.close();
			app.server.closeAllConnections();
			await once(app.server, 'close');
		},
		resumeListening: async () => {
			app.server.listen(port, HOST);
			await once(app.server, 'listening');
		},

		/** Clears recordings, faults, delivery trouble, the clock, chats and settings; webhooks only when asked. */
		reset: (options?: { webhooks?: boolean }) => resetGateway(gateway, options?.webhooks ?? false),
		stop: async () => {
			schedule.cancel();
			deliveries.stop();
			saveAndEnd?.();
			await app.close();
		},
	};
}
