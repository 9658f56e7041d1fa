import { publishDraft } from '../../lab/host/drafts/workflows';
import { hasEnded, outputOf, type Execution } from '../../lab/host/executions';
import type { Host } from '../../lab/host/host';
import { waitFor } from '../../lab/host/waiting';
import { PEOPLE, type GatewayEvent } from '../../lab/simulator';
import { ANA, BRUNO, publishAsk, type AskWorkflow, type OpenQuestion } from './drafts/ask';
import { draftTriggerWorkflow } from './drafts/trigger';
import { print } from './print';

/** What became of each question and each message of an order: `waits`, or the words that were taken. */
type Outcome = Record<string, string | string[]>;

/** Bruno says this behind everything else. */
const LAST_WORDS = 'That is all';

interface Heard {
	eventId: string;
	words: string;
}

/** A bot that hears every message, and workflows that ask, in one n8n. */
export interface Desk {
	/** Publishes one more workflow that asks. */
	publish(
		...asked: Parameters<typeof publishAsk> extends [Host, ...infer Rest] ? Rest : never
	): Promise<AskWorkflow>;
	/** Ana writes. */
	write(words: string, quotedMessageId?: string): GatewayEvent;
	/** Ana writes, and every delivery of it is answered, also by what it has started. */
	say(words: string, quotedMessageId?: string): Promise<void>;
	/** Ana sends something that has no text. */
	send(messageType: string, content?: object): Promise<void>;
	/** Waits until the gateway delivers nothing more, and n8n runs nothing more. */
	settle(): Promise<void>;
	/** Prints and answers what became of the questions, and what the bot has heard. */
	report(questions: Record<string, OpenQuestion>): Promise<Outcome>;
	/** The same in queue mode, where n8n says `waiting` until the worker has taken an answer out of the queue. */
	reportFromQueue(questions: Record<string, OpenQuestion>): Promise<Outcome>;
	/** Ends what waits, and removes the workflows. */
	close(): Promise<void>;
}

/** Publishes the bot: a trigger of the account that starts with each message of a person. */
export async function openDesk(host: Host): Promise<Desk> {
	const { api, gateway } = host;
	const bot = await publishDraft(
		api,
		draftTriggerWorkflow(host, { parameters: { events: ['MESSAGE.RECEIVED'] } }),
	);
	const workflows = [bot];

	const settle = async (): Promise<void> => {
		await gateway.drained();

		await waitFor('n8n to run nothing more', async () => {
			const pages = workflows.map(async (id) => await api.listExecutions(id, ['new', 'running']));
			return (await Promise.all(pages)).every(({ length }) => length === 0);
		});
	};

	const hearings = async (): Promise<Heard[]> => {
		const ended = (await api.listExecutions(bot)).filter(hasEnded).reverse();
		const executions = await Promise.all(ended.map(async ({ id }) => await api.getExecution(id)));
		return executions.flatMap(heardIn);
	};

	const report = async (questions: Record<string, OpenQuestion>): Promise<Outcome> => {
		await settle();

		const outcome: Outcome = {};
		for (const [name, { executionId }] of Object.entries(questions))
			outcome[name] = outcomeOf(await api.getExecution(executionId));

		const heard = await hearings();
		outcome.bot = heard.map(({ words }) => words).filter((words) => words !== LAST_WORDS);

		const { currentTestName } = expect.getState();
		print(`${currentTestName}\n  → ${JSON.stringify(outcome)}`);
		return outcome;
	};

	const write = (text: string, quotedMessageId?: string): GatewayEvent =>
		gateway.write(text, { phone: ANA, quotedMessageId });

	return {
		publish: async (...asked) => {
			const workflow = await publishAsk(host, ...asked);
			workflows.push(workflow.id);
			return workflow;
		},
		write,
		say: async (words, quotedMessageId) => {
			await gateway.drained();
			write(words, quotedMessageId);
			await settle();
		},
		send: async (messageType, content = {}) => {
			await gateway.drained();
			const { id, phone } = PEOPLE[0];
			gateway.emit({
				type: 'MESSAGE.RECEIVED',
				data: {
					messageId: `${messageType}-${gateway.deliveries.length}`,
					chat: { id, phone, type: 'CONTACT' },
					fromMe: false,
					sender: { id, phone },
					messageType,
					...content,
				},
			});
			await settle();
		},
		settle,
		report,
		reportFromQueue: async (questions) => {
			await gateway.drained();

			// The worker takes what is in the queue in its order: this message is the last.
			const { id } = gateway.write(LAST_WORDS, { phone: BRUNO });
			await waitFor('the bot to hear the last words', async () => {
				const heard = await hearings();
				return heard.some(({ eventId }) => eventId === id);
			});
			return await report(questions);
		},
		close: async () => {
			for (const id of workflows) {
				for (const execution of await api.listExecutions(id, ['waiting']))
					await api.stopExecution(execution.id);
				await api.deleteWorkflow(id);
			}
			gateway.reset({ webhooks: true });
		},
	};
}

/** The messages that an execution of the bot has heard: their texts, or else their types. */
function heardIn(execution: Execution): Heard[] {
	const [items = []] = outputOf(execution, 'Trigger');
	return items.map(({ json }) => ({
		eventId: String(json.eventId),
		words: String(json.text ?? json.messageType),
	}));
}

function outcomeOf(execution: Execution): string {
	if (execution.status !== 'success')
		return execution.status === 'waiting' ? 'waits' : execution.status;

	const json = outputOf(execution, 'Next')[0]?.[0]?.json ?? {};
	const data = json.data as Record<string, unknown> | undefined;
	if (data === undefined) return 'nobody';
	if (data.approved !== undefined) return data.approved === true ? 'approved' : 'declined';
	return String(data.choice ?? data.text ?? data.messageType);
}
