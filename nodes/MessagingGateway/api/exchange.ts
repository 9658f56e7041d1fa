import type { IBinaryData, IDataObject } from 'n8n-workflow';
import type { TokenKind } from './token';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/**
 * What a request does: only a lost `read` may simply be repeated. A `courtesy`, such as showing "typing", changes nothing
 * that lasts; it is left out while the gateway asks for a pause.
 */
export type Effect = 'read' | 'courtesy' | 'change' | 'send';

export interface GatewayRequest {
	method: Method;
	/** Begins with `/v1`, or with `{webhooksPath}` or `{instancesPath}`, which the credential fills in. */
	path: string;
	query?: IDataObject;
	/** Sent as JSON, or as it is where it is a `StreamedBody`; left out entirely when undefined. */
	body?: unknown;
	token: TokenKind;
	/** Milliseconds until the answer is given up for lost. */
	timeoutMs?: number;
	effect?: Effect;
	/** What a `read` only prepares: if it fails, this has not happened. */
	prepares?: Effect;
	/** Whether it is an item's: a person, a model or n8n may ask for it again, and is told what became of it. */
	isForItem?: boolean;
	/** Whether a file may come back, for n8n to keep. */
	takesFile?: boolean;
	/** Whether its answer may hold a webhook's secret. */
	givesSecret?: boolean;
	/** Called as it goes out, after all that it has to wait for. */
	begins?(): void;
	/** The option, as a person sees it, that changes a guessed name in the request (assumptions A3 and A4). */
	guessOption?: string;
}

/** What the service said, whatever the status. */
export interface GatewayAnswer {
	status: number;
	headers: Record<string, string>;
	/** Parsed JSON; undefined if there is none. */
	body: unknown;
	/** The file that came, as n8n keeps it. */
	file?: IBinaryData;
	/** What is wrong with what came instead of JSON, in words without a full stop. */
	flaw?: string;
	/** The path that was really asked for, its placeholders filled in. */
	path: string;
}

/** Whether a status says that the service has taken the request. */
export function isSuccess({ status }: Pick<GatewayAnswer, 'status'>): boolean {
	return status >= 200 && status < 300;
}

/** As HTTP has it, e.g. `Sun, 22 Nov 2026 20:00:00 GMT`: from other texts, `Date.parse` guesses a time, or a zone. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** When the service answered by its own clock, in milliseconds since 1970; undefined if the answer does not say so. */
export function readAnswerDate({ headers }: Pick<GatewayAnswer, 'headers'>): number | undefined {
	const { date = '' } = headers;
	const said = HTTP_DATE.test(date) ? Date.parse(date) : NaN;
	return Number.isNaN(said) ? undefined : said;
}
