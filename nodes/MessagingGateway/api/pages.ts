import type { IDataObject } from 'n8n-workflow';
import { isObject, pagingNameOf, readResult } from './answer';
import { PAGING_FIELDS } from './assumptions';
import type { GatewayAnswer } from './exchange';

/** What an answer says about the rest of a list. */
export interface Rest {
	/** Whether there is more than has been read. */
	isMore: boolean;
	/** What to ask the same path for, to get the next page; undefined if the answer does not say so usably. */
	query?: IDataObject;
}

/** What has been read of a list so far. */
export interface Progress {
	/** The query whose answer is looked at; empty for the first page. */
	query: IDataObject;
	/** Where it was asked, e.g. `https://gateway.example.com/v1/webhooks`: no link leads elsewhere. */
	place: string;
	/** How many elements all pages held until now, and how many this one. */
	total: number;
	onPage: number;
}

type Facts = Partial<Record<keyof typeof PAGING_FIELDS, unknown>>;

const NOTHING_MORE: Rest = { isMore: false };

/** Finds out whether and how a list goes on (assumption A10). */
export function readRest({ body, headers }: GatewayAnswer, progress: Progress): Rest {
	const facts = readFacts(body);
	const next = linkIn(headers.link) ?? facts.next;
	if (typeof next === 'string' && /^(https?:|[/?])/i.test(next)) {
		return { isMore: true, query: readLink(next, progress.place) };
	}
	if (facts.more === false) return NOTHING_MORE;
	if (typeof next === 'number') return { isMore: true, query: { page: next } };
	const cursor = textOf(next) ?? textOf(facts.cursor);
	if (cursor !== undefined) {
		// Some say by it where the page began, not where the next one does.
		return cursor === progress.query.cursor ? NOTHING_MORE : { isMore: true, query: { cursor } };
	}
	const page = Number(facts.page ?? progress.query.page ?? 1);
	const isMore =
		facts.more === true || Number(facts.pages) > page || Number(facts.total) > progress.total;
	if (!isMore) return NOTHING_MORE;
	const offset = Number(facts.offset);
	return {
		isMore,
		query: offset >= 0 ? { offset: offset + progress.onPage } : { page: page + 1 },
	};
}

function readFacts(body: unknown): Facts {
	const facts: Facts = {};
	const places = [body, readResult(body)].filter(isObject);
	const inner = places.flatMap((place) =>
		Object.entries(place)
			.filter(([field]) => isNamed(field, 'inside'))
			.map(([, value]) => value),
	);
	for (const place of [...places, ...inner].filter(isObject)) {
		for (const [field, value] of Object.entries(place)) {
			const kind = KINDS.find((known) => isNamed(field, known));
			if (kind !== undefined) facts[kind] ??= isObject(value) ? value.href : value;
		}
	}
	return facts;
}

const KINDS = Object.keys(PAGING_FIELDS) as Array<keyof typeof PAGING_FIELDS>;

function isNamed(field: string, kind: keyof typeof PAGING_FIELDS): boolean {
	const names: readonly string[] = PAGING_FIELDS[kind];
	return names.includes(pagingNameOf(field));
}

/** The address of the next page in a `Link` header (RFC 8288). */
function linkIn(header: unknown): string | undefined {
	return /<([^<>]*)>[^<>]*;\s*rel="?next\b/i.exec(String(header ?? ''))?.[1];
}

/** What a link asks for; undefined if it leads to another host or path, where the token has no business. */
function readLink(link: string, place: string): IDataObject | undefined {
	const target = URL.canParse(link, place) ? new URL(link, place) : undefined;
	const own = new URL(place);
	const path = target?.pathname.replace(/\/$/, '');
	if (!target || target.host !== own.host || path !== own.pathname) return undefined;
	return Object.fromEntries(target.searchParams);
}

function textOf(value: unknown): string | undefined {
	const text = typeof value === 'number' ? String(value) : value;
	return typeof text === 'string' && text !== '' && text !== '0' ? text : undefined;
}
