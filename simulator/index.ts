import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { addApi } from './api';
import { Changes } from './changes';
import { Clock } from './clock';
import { addControl } from './control';
import { Events } from './events';
import { FaultControl } from './faults/control';
import type { Gateway } from './gateway';
import { createApp, type App } from './http/app';
import {
	completeOptions,
	makeTokens,
	writeLines,
	type SimulatorOptions,
	type SimulatorSettings,
} from './options';
import { Recorder } from './recorder';
import { resetGateway } from './reset';
import { keepTrackOf } from './running';
import { Schedule } from './schedule';
import type { Simulator } from './simulator';
import { Chats } from './state/chats';
import { changeConnection, changePairing } from './state/connection';
import { addDemoMessages } from './state/demo';
import { Directory } from './state/directory';
import { Instance } from './state/instance';
import { receiveMessage, writeAsOwner } from './state/traffic';
import { keepSnapshot, readSnapshot, restoreSnapshot, type Snapshot } from './store';
import { Deliveries } from './webhooks/deliveries';
import { WebhookRegistry } from './webhooks/registry';
import { signDelivery } from './webhooks/sign';

export type { EventDraft, GatewayEvent } from './event';
export { EVENT_TYPES } from './event';
export { freeClosedPort } from './closedPort';
export type { Fault, FaultKind } from './faults/fault';
export { HOSTILE_MODES, MARKUP, type HostileMode } from './faults/hostile';
export type { FaultMatch, FaultPlan } from './faults/control';
export { makeNumbers, type FurtherNumber, type SimulatorOptions } from './options';
export type { AcceptedSend, RecordedDelivery, RecordedRequest } from './recorder';
export type { Simulator } from './simulator';
export { DEMO_POLL } from './state/directory';
export { GROUP_NAMES, groupIdAt, groupNameAt, PEOPLE } from './state/people';
export type { OwnWriting, Writing } from './state/traffic';
export type { DeliveryMode } from './webhooks/deliveries';
export type { WebhookRecord } from './webhooks/registry';
export { signDelivery } from './webhooks/sign';

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
	await app.listen({ port: settings.port, host: settings.host });
	const saveAndEnd =
		settings.dataFile === undefined ? undefined : keepSnapshot(gateway, settings.dataFile);
	return keepTrackOf(driveGateway(gateway, app, saveAndEnd));
}

function replaceTokens(settings: SimulatorSettings): void {
	Object.assign(settings, makeTokens());
	for (const number of settings.furtherNumbers) number.instanceToken = makeTokens().instanceToken;
}

/** What was kept stays as it was, unless it is to be otherwise; numbers once made stay in any case. */
function addSaved(options: SimulatorOptions, saved: Snapshot): SimulatorOptions {
	const { accountToken, instanceToken, instanceId, furtherNumbers = [] } = saved;
	const kept = furtherNumbers.length > 0 && { furtherNumbers };
	return { accountToken, instanceToken, instanceId, ...options, ...kept };
}

function assembleGateway(settings: SimulatorSettings): Gateway {
	const changes = new Changes();
	const clock = new Clock();
	const schedule = new Schedule();
	const recorder = new Recorder(settings);
	const instance = new Instance(settings.instanceId, changes);
	const further = settings.furtherNumbers.map(
		({ instanceId, name, phone }) => new Instance(instanceId, changes, name, phone),
	);
	const instances = new Map([instance, ...further].map((each) => [each.id, each]));
	const webhooks = new WebhookRegistry(clock, changes);
	const deliveries = new Deliveries(settings, clock, webhooks, recorder, schedule, changes);
	return {
		settings,
		clock,
		schedule,
		changes,
		recorder,
		instance,
		instances,
		webhooks,
		deliveries,
		faults: new FaultControl(changes),
		directory: new Directory(settings.groups),
		chats: new Chats(changes),
		events: new Events(instance, instances, clock, deliveries, schedule),
	};
}

function driveGateway(gateway: Gateway, app: App, saveAndEnd?: () => void): Simulator {
	const { settings, recorder, faults, webhooks, directory, chats, deliveries, events, schedule } =
		gateway;
	const { port } = app.server.address() as AddressInfo;
	const pageUrl = `${settings.tls ? 'https' : 'http'}://${settings.host}:${port}`;
	return {
		url: pageUrl + settings.basePath,
		pageUrl,
		get accountToken() {
			return settings.accountToken;
		},
		get instanceToken() {
			return settings.instanceToken;
		},
		instanceId: settings.instanceId,
		get furtherNumbers() {
			return settings.furtherNumbers;
		},
		get numberLines() {
			const { furtherNumbers } = settings;
			return furtherNumbers.length === 0 ? '' : writeLines([settings, ...furtherNumbers]);
		},
		requests: recorder.requests,
		deliveries: recorder.deliveries,
		faults,
		webhooks: () => webhooks.list(),
		acceptedSends: () => recorder.sends,
		chats: () => chats.listWithMessages(),
		addPoll: (poll) => directory.polls.set(poll.messageId, poll),
		write: (text, writing) => receiveMessage(gateway, text, writing),
		writeAsOwner: (text, writing) => writeAsOwner(gateway, text, writing),
		emit: (event) => events.emit(event),
		setConnection: (status, ban) => changeConnection(gateway, status, ban),
		setPairing: (status) => changePairing(gateway, status),
		sign: signDelivery,
		createWebhook: ({ url, events: types }) => webhooks.create(url, types),
		moveWebhook: (id, url) => void webhooks.update(id, { url }),
		deleteWebhook: (id) => webhooks.delete(id),
		setDelivery: (mode) => deliveries.setMode(mode),
		setClock: (aheadSeconds) => void (gateway.clock.aheadSeconds = aheadSeconds),
		drained: async () => await schedule.drained(),
		replaceTokens: () => replaceTokens(settings),
		pauseListening: async () => {
			app.server.close();
			app.server.closeAllConnections();
			await once(app.server, 'close');
		},
		resumeListening: async () => {
			app.server.listen(port, settings.host);
			await once(app.server, 'listening');
		},
		reset: (options) => resetGateway(gateway, options?.webhooks ?? false),
		stop: async () => {
			schedule.cancel();
			deliveries.stop();
			saveAndEnd?.();
			await app.close();
		},
	};
}
