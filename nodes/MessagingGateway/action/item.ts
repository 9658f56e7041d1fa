import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { fingerprint } from '../api/access';
import { readOutput } from '../api/answer';
import { openAccess, type ItemAccess } from '../api/request';
import { readTimeoutMs } from '../fields/options';
import type {
	Gateway,
	Operation,
	QuestionOperation,
	Result,
	Values,
} from '../operations/operation';
import { keyOf } from '../phone';
import { ItemNumbers } from './itemNumbers';
import { noteFailure, toNodeError, type ItemOutcome, type Trace } from './itemOutcome';
import { openLimited } from './limitedGateway';
import { buildRequest, readValues } from './parameters';
import { RateLimiter, readPerMinute, Stopped, waitFor } from './rateLimiter';
import { isReadByModel, refuseToWait } from './tool';

const MOST_ITEMS = 100_000;

/** Takes single items from what a person filled in to what became of them. */
export class ItemWorker {
	/** Read for an item's queue, and kept until its turn: expressions are what costs n8n most in a bulk. */
	private readonly readAhead = new Map<number, Values>();

	private readonly numbers: ItemNumbers;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operation: Operation,
		/** Comes when no item may wait any longer. */
		private readonly ending: AbortSignal,
	) {
		this.numbers = new ItemNumbers(context);
	}

	/**
	 * Items for one recipient from one number share a queue; both spellings of a Brazilian mobile number are one recipient.
	 */
	async readQueue(itemIndex: number): Promise<string | undefined> {
		const { operation } = this;
		const isFree = operation.effect !== 'none' && operation.request === undefined;
		if (!isFree && !operation.fields.some(({ name }) => name === 'to')) return undefined;
		try {
			const values = await readValues(this.context, operation, itemIndex);
			this.readAhead.set(itemIndex, values);
			const recipient = isFree ? operation.recipientOf(values) : values.to;
			if (recipient === undefined) return undefined;
			const key = typeof recipient === 'object' ? '' : keyOf(String(recipient));
			return `${await this.numbers.nameInLine(values, itemIndex)} ${key}`;
		} catch {
			// What is wrong is said when it is this item's turn.
			return undefined;
		}
	}

	/**
	 * Works on one item and never throws: the one place that catches.
	 *
	 * @returns undefined if the item was not tried, because the node stopped while it waited
	 */
	async settle(itemIndex: number): Promise<ItemOutcome | undefined> {
		const trace: Trace = {};
		try {
			return { result: await this.perform(itemIndex, trace) };
		} catch (thrown) {
			if (thrown instanceof Stopped) return undefined;
			const error = toNodeError(this.context, this.operation, itemIndex, thrown, trace);
			return { failure: noteFailure(error) };
		}
	}

	private async perform(itemIndex: number, trace: Trace): Promise<Result> {
		const { operation } = this;
		const values = await this.takeValues(itemIndex);
		if (operation.effect === 'none') return await operation.perform(values);
		if (operation.waits) refuseToWait(this.context);
		// What cannot be asked is refused before anything is waited for.
		const request =
			operation.request === undefined ? operation.compose(values) : buildRequest(operation, values);
		const perMinute = request.effect === 'send' ? readPerMinute(values.options) : undefined;
		// From here on the item is under way, and only a wait can keep it back.
		await waitFor(0, this.ending);
		const chosen = this.numbers.choose(values, itemIndex);
		const access = await openAccess(this.context, request.token, itemIndex, chosen);
		const gateway = this.openGateway(operation, { itemIndex, access }, values, perMinute, trace);
		const result = await (operation.perform
			? operation.perform(gateway, values, request)
			: gateway.succeed(request));
		refuseTooMany(result);
		const hints = [chooseHint(operation, result), this.numbers.hintAt(access, chosen, itemIndex)];
		return { ...result, hint: hints.filter(Boolean).join(' ') || undefined };
	}

	private openGateway(
		operation: QuestionOperation,
		item: ItemAccess,
		values: Values,
		perMinute: number | undefined,
		trace: Trace,
	): Gateway {
		const { context, ending } = this;
		const maySeeSecret = !isReadByModel(context) || values.options.showSecretToAgent === true;
		const limited = openLimited(context, {
			item,
			limiter: new RateLimiter(fingerprint(item.access), ending),
			operation: operation.name,
			perMinute,
			timeoutMs: readTimeoutMs(values.options),
			trace,
		});
		const callAsAllowed: Gateway['call'] = async (wanted) =>
			await limited.call({ ...wanted, givesSecret: wanted.givesSecret && maySeeSecret });
		return {
			call: callAsAllowed,
			succeed: async (request, expects = operation.expects) => {
				const answer = await callAsAllowed(request);
				const items = readOutput(answer.body, expects);
				if (items === undefined) throw limited.refuse({ ...request, isForItem: true }, answer);
				return { items: limitItems(items, operation, values) };
			},
			wait: async (durationMs) => await waitFor(durationMs, ending),
			n8n: context,
		};
	}

	private async takeValues(itemIndex: number): Promise<Values> {
		const values =
			this.readAhead.get(itemIndex) ?? (await readValues(this.context, this.operation, itemIndex));
		this.readAhead.delete(itemIndex);
		return values;
	}
}

/** @throws Error in a person's words if n8n, which keeps all items in memory, could not go on with so many */
function refuseTooMany({ items }: Result): void {
	if (items.length <= MOST_ITEMS) return;
	throw new Error(
		`The gateway’s answer has ${items.length} entries, but the node returns at most ${MOST_ITEMS}. If the operation has a Limit, use it.`,
	);
}

/** The document shows `success` without saying what a `false` means: that is for the person to see. */
function chooseHint(
	{ expects, hint }: QuestionOperation,
	{ items: [first], hint: own }: Result,
): string | undefined {
	if (expects === 'object' && first.success === false)
		return 'The gateway answered that the request did not succeed.';
	return own ?? hint?.(first);
}

function limitItems(
	items: IDataObject[],
	{ expects }: QuestionOperation,
	values: IDataObject,
): IDataObject[] {
	return expects !== 'list' || values.returnAll
		? items
		: items.slice(0, Number(values.limit ?? 50));
}
