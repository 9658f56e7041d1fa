import { isObject, pagingNameOf, readResult } from './answer';
import { PAGING_FIELDS } from './assumptions';
import type { GatewayAnswer } from './exchange';

type PagingField = keyof typeof PAGING_FIELDS;
type Facts = Partial<Record<PagingField, unknown>>;

const FIELDS = Object.keys(PAGING_FIELDS) as PagingField[];

/**
 * Whether a list shows signs that the gateway has more of it (assumption A10). Further pages are not read: the API
 * document shows none.
 *
 * @param length how many elements the list has
 */
export function isCut({ body, headers }: GatewayAnswer, length: number): boolean {
	if (/;\s*rel="?next\b/i.test(String(headers.link ?? ''))) return true;
	const { more, next, cursor, page = 1, pages, total } = readFacts(body);
	if (more === false) return false;
	const goesOn = [next, cursor].some((place) => !['', '0'].includes(String(place ?? '')));
	return goesOn || more === true || Number(pages) > Number(page) || Number(total) > length;
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
			const kind = FIELDS.find((known) => isNamed(field, known));
			if (kind !== undefined) facts[kind] ??= value;
		}
	}
	return facts;
}

function isNamed(field: string, kind: PagingField): boolean {
	const names: readonly string[] = PAGING_FIELDS[kind];
	return names.includes(pagingNameOf(field));
}
