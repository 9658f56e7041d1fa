import { randomBytes } from 'node:crypto';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { GatewayEvent, WebhookRecord } from '../../../lab/simulator';
import { deliver, makeEvent, post, type Delivery } from '../../contract/deliveries';
import type { Clock } from '../../support/clock';
import type { BuiltWorkflow, RunningTrigger, TestWorkflow } from '../../support/engine';
import { engine, gateway } from '../../support/engineAndGateway';
import { forgetProcess } from '../../support/receiving';
import { credentialsOf } from '../../support/runOperation';
import type { WebhookReceiver } from '../../support/webhookReceiver';

export const MINUTE_MS = 60_000;
/** A little longer, so that no sum of them ends at a limit of the trigger. */
export const HOUR_MS = 61 * MINUTE_MS;
export const DAY_MS = 25 * 60 * MINUTE_MS;
const DONE_FOR_MS = 24 * 60 * MINUTE_MS;
/** Less than the five minutes for which a process may not know the newest secret. */
const UNSURE_FOR_MS = 4 * MINUTE_MS;

/** How the person has set up the trigger. */
export interface Setup {
	confirmWhen: 'started' | 'succeeded';
	maxPerExecution: number;
}

/** A genuine event. */
interface Sent {
	event: GatewayEvent;
	/** How often it was acknowledged as a new one: so often it must have started. */
	acknowledged: number;
	/** How often it has started, or succeeded. */
	started: number;
	/** Until when this process drops its repeats. */
	doneUntil: number;
}

export const SPOILS = ['deleted', 'disabled', 'doubled', 'moved', 'given other events'] as const;
export const FORGERIES = ['another secret', 'an old secret'] as const;
export const DELIVERIES = ['new', 'new, twice at once', 'three new', 'repeated', 'resent'] as const;

const makeSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/** A trigger in n8n's engine and its gateway. Each method is something that happens to them, and checks the promises. */
export class World {
	isPublished = false;
	/** Whether the gateway answers requests. */
	isUp = true;
	readonly sent: Sent[] = [];
	private receiver!: WebhookReceiver;
	private built!: BuiltWorkflow;
	private trigger?: RunningTrigger;
	private readonly alarms: unknown[][] = [];
	private readonly parameters: INodeParameters;
	private readonly oldSecrets: string[] = [];
	/** The gateway's webhooks when this process has last found or made them right; undefined if it has not. */
	private known?: string;
	private unsureUntil = 0;
	/** Checks in a row after which something was wrong, and the number of alarms before them. */
	private badChecks = 0;
	private alarmsBefore = 0;
	private failsNext = false;
	/** The number of deliveries that will have arrived when the present ones have. */
	private expected = 0;

	constructor(
		private readonly clock: Clock,
		private readonly setup: Setup,
	) {
		this.parameters = { events: ['MESSAGE.RECEIVED'], output: 'raw', options: { ...setup } };
	}

	async begin(): Promise<this> {
		forgetProcess();
		this.receiver = await engine.receive(this.definition(), {
			beforeStart: async (items) => {
				// Deliveries that come at once overlap.
				await this.clock.until(() => this.receiver.answers.length >= this.expected);
				await this.clock.until(Promise.resolve());
				if (this.setup.confirmWhen === 'started') this.count(items);
			},
			beforeEnd: async (items) => {
				if (this.setup.confirmWhen === 'succeeded') this.count(items);
				return await Promise.resolve();
			},
		});
		this.built = this.receiver.built;
		return this;
	}

	async end(): Promise<void> {
		await this.trigger?.close();
		await this.receiver.stop();
		gateway.reset({ webhooks: true });
	}

	async publish(events: string[]): Promise<void> {
		await this.unpublish();
		this.parameters.events = events;
		await this.register();
	}

	/** Publishes. While the gateway lists or creates webhooks, somebody delivers what the trigger cannot verify yet. */
	async publishSlowly(method: 'GET' | 'POST'): Promise<void> {
		await this.unpublish();
		if (!this.isUp || this.ours().length > 0) return;
		let goOn: (() => void) | undefined;
		const until = async () => await new Promise<void>((resolve) => (goOn = resolve));
		gateway.faults.clear();
		gateway.faults.add({ match: { method }, fault: { kind: 'slow', until } });
		const registering = this.register();
		await this.clock.until(() => goOn !== undefined);
		expect(await this.post(deliver({ secret: makeSecret() }))).toBe(503);
		goOn?.();
		await this.clock.until(registering);
	}

	async unpublish(): Promise<void> {
		await this.switchOff();
		if (!this.isPublished) return;
		this.isPublished = false;
		await this.clock.until(engine.hook('delete', this.built));
		if (this.isUp) expect(this.ours()).toEqual([]);
	}

	/** The process ends without notice, and another one starts while the gateway does not answer. */
	async restartAlone(withOldRecord: boolean): Promise<void> {
		this.setUp(false);
		if (withOldRecord) this.overwrite(false);
		await this.restart();
	}

	/** The process ends without notice, and another one starts. Meanwhile the webhook may change. */
	async restart(how?: (typeof SPOILS)[number]): Promise<void> {
		if (how) this.spoil(how);
		await this.switchOff();
		forgetProcess();
		for (const each of this.sent) each.doneUntil = 0;
		if (!this.isPublished) return;
		// Otherwise the process would be as old as the package is loaded.
		await (await engine.trigger(this.built)).close();
		this.unsureUntil = Date.now() + UNSURE_FOR_MS;
		this.badChecks = 0;
		const wasAnswered = this.noteTroubles();
		await this.clock.until(engine.publish(this.built, { activation: 'init' }));
		await this.switchOn();
		if (wasAnswered()) await this.expectHeard();
	}

	/** The webhook is changed at the gateway. */
	spoil(how: (typeof SPOILS)[number]): void {
		const [webhook] = this.ours();
		if (webhook === undefined) return;
		this.oldSecrets.push(webhook.secret);
		if (how === 'deleted') gateway.deleteWebhook(webhook.id);
		if (how === 'disabled') webhook.enabled = false;
		if (how === 'doubled') gateway.createWebhook(webhook);
		if (how === 'moved') gateway.moveWebhook(webhook.id, 'https://somebody.example.com/hook');
		if (how === 'given other events')
			webhook.events = ['QRCODE.UPDATED', ...webhook.events.slice(1)];
	}

	/** The gateway answers no request any more, or answers again. */
	setUp(isUp: boolean): void {
		gateway.faults.clear();
		if (!isUp) gateway.faults.add({ times: 'always', fault: { status: 503 } });
		this.isUp = isUp;
	}

	/** The answer to the next creation is lost. */
	loseAnswer(): void {
		gateway.faults.add({ match: { method: 'POST' }, fault: 'acceptThenStatus' });
	}

	/** Another writer of static data replaces the record. */
	overwrite(isEmpty: boolean): void {
		const secret = makeSecret();
		const record = isEmpty ? {} : { ...this.saved(), webhookId: 'wh_old', secret };
		this.built.staticData['node:Trigger'] = record;
		this.oldSecrets.push(secret);
	}

	async pass(milliseconds: number): Promise<void> {
		const look = () => ({
			ids: this.ids(),
			alarms: this.countAlarms(),
			wasAnswered: this.noteTroubles(),
		});
		let before = look();
		await this.clock.pass(milliseconds, async () => {
			await this.judgeCheck(before, before.wasAnswered());
			before = look();
		});
	}

	/** The gateway delivers; `fails` lets n8n fail with the execution. */
	async deliver(how: (typeof DELIVERIES)[number], fails = false, index = 0): Promise<void> {
		const acknowledged = this.sent.filter((each) => each.acknowledged > 0);
		const open = this.sent.filter((each) => each.acknowledged === 0);
		if (how === 'repeated' || how === 'resent') {
			const old = how === 'repeated' ? acknowledged : open;
			if (old.length > 0) await this.send([old[index % old.length]], fails);
			return;
		}
		const events = Array.from({ length: how === 'three new' ? 3 : 1 }, () => this.makeEvent());
		await this.send(how === 'new, twice at once' ? [...events, ...events] : events, fails);
	}

	/** Somebody delivers who is not the gateway. It must not start. */
	async forge(how: (typeof FORGERIES)[number], index = 0): Promise<void> {
		const old = this.oldSecrets.filter((each) => each !== this.findReceiving()?.secret);
		if (how === 'an old secret' && (old.length === 0 || !this.isHeard())) return;
		const forged = how === 'an old secret' ? old[index % old.length] : makeSecret();
		const status = await this.post(deliver({ secret: forged }));
		expect(this.known === undefined ? [401, 503] : [401]).toContain(status);
		this.expectStarts();
	}

	/** All troubles end: then the webhook must be heard, and all that was not acknowledged must start. */
	async calmDown(): Promise<void> {
		this.setUp(true);
		if (!this.isPublished) await this.publish(['MESSAGE.RECEIVED']);
		await this.pass(HOUR_MS);
		await this.expectHeard();
		for (const each of this.sent) if (each.acknowledged === 0) await this.send([each]);
		expect(this.sent.filter(({ acknowledged }) => acknowledged === 0)).toEqual([]);
		await this.unpublish();
		expect(this.receiver.violations).toEqual([]);
	}

	private definition(): TestWorkflow {
		return {
			id: 'workflow',
			nodes: [
				{
					type: 'messagingGatewayTrigger',
					name: 'Trigger',
					webhookId: 'hook',
					parameters: this.parameters,
				},
			],
			credentials: credentialsOf(gateway),
			staticData: this.built?.staticData ?? {},
		};
	}

	/** What n8n does at a publication. */
	private async register(): Promise<void> {
		const { origin } = new URL(this.receiver.url);
		const urls = { production: `${origin}/webhook`, test: `${origin}/webhook-test` };
		this.built = engine.build(this.definition(), urls);
		const wasAnswered = this.noteTroubles();
		try {
			await this.clock.until(engine.publish(this.built));
		} catch (error) {
			if (wasAnswered()) throw error;
			return;
		}
		this.isPublished = true;
		await this.switchOn();
		this.badChecks = 0;
		await this.expectHeard();
	}

	private async switchOn(): Promise<void> {
		this.trigger = await engine.trigger(this.built);
		this.alarms.push(this.trigger.failures);
	}

	private async switchOff(): Promise<void> {
		await this.trigger?.close();
		this.trigger = undefined;
		this.known = undefined;
	}

	private ours(): WebhookRecord[] {
		return gateway.webhooks().filter(({ url }) => url === this.receiver.url);
	}

	private ids(): string {
		return gateway
			.webhooks()
			.map(({ id }) => id)
			.join();
	}

	private findReceiving(): WebhookRecord | undefined {
		return this.ours().find(
			({ enabled, events }) => enabled && events.includes('MESSAGE.RECEIVED'),
		);
	}

	private isRight(): boolean {
		const [webhook, ...others] = this.ours();
		const { events } = this.parameters as { events: string[] };
		return (
			webhook?.enabled &&
			events.every((each) => webhook.events.includes(each)) &&
			others.length === 0
		);
	}

	/** The webhook is right, and this process has its secret. */
	private isHeard(): boolean {
		return this.isRight() && this.ids() === this.known;
	}

	/** Gives the function that tells whether the gateway has answered all requests since. */
	private noteTroubles(): () => boolean {
		const count = () => gateway.requests.filter(({ status }) => status >= 500).length;
		const before = count();
		return () => this.isUp && count() === before;
	}

	private saved(): IDataObject | undefined {
		return this.built.staticData['node:Trigger'] as IDataObject | undefined;
	}

	private countAlarms(): number {
		return this.alarms.flat().length;
	}

	/** A check makes the webhook right if the gateway answers; otherwise, the second one in a row raises an alarm. */
	private async judgeCheck(
		{ ids, alarms }: { ids: string; alarms: number },
		isAnswered: boolean,
	): Promise<void> {
		if (isAnswered && this.isRight()) {
			this.badChecks = 0;
			return await this.expectHeard();
		}
		if (this.ids() !== ids) {
			// The answer to a creation was lost: nobody knows the secret.
			this.known = undefined;
			this.unsureUntil = Date.now() + UNSURE_FOR_MS;
			await this.deliver('new');
		}
		if (this.badChecks === 0) this.alarmsBefore = alarms;
		this.badChecks += 1;
		if (this.badChecks >= 2) expect(this.countAlarms()).toBeGreaterThan(this.alarmsBefore);
	}

	/** The gateway's one webhook is right, and its events start. */
	private async expectHeard(): Promise<void> {
		expect(this.isRight()).toBe(true);
		this.known = this.ids();
		await this.deliver('new');
	}

	/** Of now or not: after an outage, or by another clock. */
	private makeEvent(): Sent {
		const timestamp = [new Date(), new Date(0), new Date('2100'), undefined][this.sent.length % 4];
		const event = makeEvent({ timestamp: timestamp?.toISOString() });
		const sent = { event, acknowledged: 0, started: 0, doneUntil: 0 };
		this.sent.push(sent);
		return sent;
	}

	private async send(events: Sent[], fails = false): Promise<void> {
		const secret = this.findReceiving()?.secret;
		if (!this.isPublished || secret === undefined) return;
		const isHeard = this.isHeard();
		const isSaved = this.saved()?.secret === secret;
		this.failsNext = fails;
		const statuses = await this.sendOnce(events, secret);
		this.failsNext = false;
		const isUnsure = this.known === undefined && Date.now() < this.unsureUntil;
		if (isHeard || isUnsure) expect(statuses).not.toContain(401);
		if (!isHeard) return;
		const mayBeDeferred = fails || !isSaved || new Set(events).size < events.length;
		if (!mayBeDeferred) expect(statuses).toEqual(events.map(() => 200));
		const left = events.filter(({ acknowledged }) => acknowledged === 0);
		expect(await this.sendOnce(left, secret)).toEqual(left.map(() => 200));
	}

	/** Delivers events at once. Whatever is acknowledged as new must have started, and nothing else. */
	private async sendOnce(events: Sent[], secret: string): Promise<number[]> {
		this.expected = this.receiver.answers.length + events.length;
		const statuses = await Promise.all(
			events.map(async ({ event }) => await this.post(deliver({ secret }, { event }))),
		);
		for (const each of new Set(events)) {
			const isAcknowledged = events.some((other, i) => other === each && statuses[i] === 200);
			if (!isAcknowledged || Date.now() < each.doneUntil) continue;
			each.acknowledged += 1;
			each.doneUntil = Date.now() + DONE_FOR_MS;
		}
		this.expectStarts();
		return statuses;
	}

	private async post(delivery: Delivery): Promise<number> {
		return (await this.clock.until(post(this.receiver.url, delivery))).status;
	}

	/** n8n starts an execution, or ends it: if it is to fail, it does. */
	private count(items: INodeExecutionData[]): void {
		if (this.failsNext) {
			this.failsNext = false;
			throw new Error('n8n fails');
		}
		for (const { json } of items)
			for (const each of this.sent) if (each.event.id === json.id) each.started += 1;
	}

	private expectStarts(): void {
		const wrong = this.sent.filter(({ acknowledged, started }) => acknowledged !== started);
		expect(wrong).toEqual([]);
	}
}
