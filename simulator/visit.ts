import type { Locator, Page } from 'playwright-core';
import { startSimulator } from '.';
import { callGateway } from './client';
import { EVENT_TYPES } from './event';
import { startReceiver, type Receiver } from './receiver';
import type { Simulator } from './simulator';

export const PHONE = { width: 375, height: 720 };
export const DESK = { width: 1200, height: 800 };

/** A simulator with a receiver for its deliveries, and a person in front of its page. */
export class Visit {
	/** What went wrong inside the page. */
	readonly complaints: string[] = [];
	private readonly complain = (error: Error): void => {
		this.complaints.push(error.message);
	};

	private constructor(
		readonly page: Page,
		readonly simulator: Simulator,
		readonly receiver: Receiver,
	) {
		page.on('pageerror', this.complain);
	}

	/** @param page any page of a browser; visits one after another may share one, which is what takes long to open */
	static async begin(page: Page): Promise<Visit> {
		const simulator = await startSimulator({ demoMessages: true, retryDelaysMs: [] });
		const receiver = await startReceiver();
		simulator.createWebhook({ url: receiver.url, events: [...EVENT_TYPES] });
		return new Visit(page, simulator, receiver);
	}

	async open(viewport = DESK): Promise<void> {
		await this.page.setViewportSize(viewport);
		await this.page.emulateMedia({ colorScheme: 'light' });
		await this.page.goto(this.simulator.pageUrl);
		await this.entry('Ana Souza').waitFor();
	}

	/** A conversation in the list. */
	entry(name: string | RegExp): Locator {
		return this.page.getByRole('navigation', { name: 'Chats' }).getByRole('button', { name });
	}

	async chat(name: string): Promise<void> {
		await this.entry(name).click();
	}

	bubble(text: string): Locator {
		return this.page
			.getByRole('log', { name: 'Messages' })
			.getByRole('listitem')
			.filter({ hasText: text });
	}

	/** The workflow sends through the API. Gives the status answered. */
	async send(to: string | undefined, text: string): Promise<number> {
		const options = { body: { to, text }, token: this.simulator.instanceToken };
		return (await callGateway(this.simulator, 'POST', '/v1/messages/send-text', options)).status;
	}

	/** Every event that was delivered, once nothing more is to come. */
	async received() {
		await this.simulator.drained();
		return this.receiver.received.map(({ event }) => event);
	}

	async end(): Promise<void> {
		this.page.off('pageerror', this.complain);
		await this.simulator.stop();
		await this.receiver.stop();
	}
}
