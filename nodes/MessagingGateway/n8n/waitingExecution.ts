import type {
	IAllExecuteFunctions,
	IDataObject,
	IExecuteFunctions,
	IN8nHttpFullResponse,
	IWebhookFunctions,
} from 'n8n-workflow';
import { isObject } from '../values/json';

/** A node of an execution that waits, or is about to wait. */
export type WaitingContext = IExecuteFunctions | IWebhookFunctions;

/** `/webhook-waiting/:execution/:node`: a longer path has a prefix. */
const WITHOUT_PREFIX = /^(?:\/[^/]+){3}$/;

const ASK_TIMEOUT_MS = 3_000;

/**
 * The address at which n8n resumes the execution, with parameters that nobody can change: n8n signs
 * them with the path (`getSignedResumeUrl`, n8n's `node-execution-context.ts`).
 *
 * @param parameters in the order in which they stand in the address
 */
export function resumeUrlOf(context: WaitingContext, parameters: Record<string, string>): string {
	return context.getSignedResumeUrl(parameters);
}

/** A secret of this n8n, made with its signing key; another one for each `name`. */
export function signatureOf(context: WaitingContext, name: string): string {
	const [, signature] = context.getSignedResumeUrl({ name }).split('signature=');
	return signature;
}

/** Saves a value with the execution, for `readSaved` of the node that waits. */
export function saveWithExecution(context: IExecuteFunctions, name: string, value: object): void {
	context.getContext('node')[name] = value;
}

/**
 * Reads what `saveWithExecution` has saved.
 *
 * n8n gives a webhook no way to the context of its node but an expression. The name of the node stands
 * in it as a text, in which two braces would end the expression: so they are escaped.
 */
export function readSaved(context: IWebhookFunctions, name: string): IDataObject | undefined {
	const nodeName = JSON.stringify(context.getNode().name);
	const escaped = nodeName.replaceAll('{', '\\u007b').replaceAll('}', '\\u007d');
	const saved: unknown = context.evaluateExpression(`{{ $node[${escaped}].context.${name} }}`);
	return isObject(saved) ? saved : undefined;
}

/**
 * Whether n8n's own Chat runs the workflow. n8n ends such an execution as soon as the tool returns: it
 * cannot wait (`chat-hub` of n8n's server).
 */
export function isRunByChat(context: IExecuteFunctions): boolean {
	return context.getMode() === 'chat';
}

/** Whether the execution was stopped by a person while the node runs. */
export function isCancelled(context: IExecuteFunctions): boolean {
	return context.getExecutionCancelSignal()?.aborted === true;
}

/** n8n's word about an execution that waits. In doubt it is `waiting`. */
type Word = 'waiting' | 'answered' | 'stopped' | 'unsigned';

/**
 * Asks n8n what has become of an execution, by a request without a body to its resume URL.
 *
 * n8n says it in words alone (`waiting-webhooks.ts`): *No action required* if something has resumed it
 * already, or its time is over; *has finished already* or *does not exist* if it was stopped or
 * deleted; 401 with *Invalid* if n8n has not signed this address. If it waits, the node itself refuses
 * the request, which has no signature of the gateway.
 */
async function askN8n({ helpers }: IAllExecuteFunctions, url: string): Promise<Word> {
	let response: IN8nHttpFullResponse;
	try {
		response = (await helpers.httpRequest({
			method: 'POST',
			url,
			timeout: ASK_TIMEOUT_MS,
			disableFollowRedirect: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		})) as IN8nHttpFullResponse;
	} catch {
		return 'waiting';
	}

	const words = String(JSON.stringify(response.body));
	if (/no action required/i.test(words)) return 'answered';
	if (/the execution .{0,200}(?:does not exist|has finished)/i.test(words)) return 'stopped';
	return response.statusCode === 401 && words.includes('Invalid') ? 'unsigned' : 'waiting';
}

/** Whether an execution still waits, or may still wait. */
export async function isWaiting(context: IAllExecuteFunctions, url: string): Promise<boolean> {
	const word = await askN8n(context, url);
	return word !== 'answered' && word !== 'stopped';
}

/**
 * Whether a proxy in front of n8n takes a part off the path that n8n has signed. n8n then refuses every
 * request to it.
 */
export async function isPathChanged(context: IExecuteFunctions, url: string): Promise<boolean> {
	if (WITHOUT_PREFIX.test(new URL(url).pathname)) return false;
	return (await askN8n(context, url)) === 'unsigned';
}
