import type { IDataObject } from 'n8n-workflow';
import { ANSWER_WRAPPER, LABEL_PATHS, PAGING_FIELDS } from './assumptions';
import type { GatewayAnswer } from './exchange';

type PagingField = keyof typeof PAGING_FIELDS;
type Facts = Partial<Record<PagingField, unknown>>;

const FIELDS = Object.keys(PAGING_FIELDS) as PagingField[];
const PAGING_NAMES: readonly string[] = Object.values(PAGING_FIELDS).flat();
const NUMBERS_OF_ELEMENTS: readonly string[] = [...PAGING_FIELDS.total, ...PAGING_FIELDS.count];

/** Whether a value is a JSON object, not an array. */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The result of an answer: what `data` holds, or the bare body where there is no `data` (assumption A6). */
export function readResult(body: unknown): unknown {
	return isObject(body) && ANSWER_WRAPPER in body ? body[ANSWER_WRAPPER] : body;
}

/**
 * The elements of a list answer (assumption A5): the array in `data`, the first array inside it, or the
 * bare array; none where an answer holds nothing else either. `undefined` if something else came.
 */
export function readList(body: unknown): IDataObject[] | undefined {
	const result = readResult(body);
	const list = Array.isArray(result)
		? result
		: isObject(result)
			? Object.values(result).find(Array.isArray)
			: undefined;
	if (list === undefined && isEmptyList(body)) return [];
	return list?.map((element: unknown) =>
		isObject(element) ? element : ({ id: element } as IDataObject),
	);
}

/** Whether there is nothing in an answer where a list would be: services differ in how they write an empty one. */
function isEmptyList(body: unknown): boolean {
	if (!isObject(body)) return false;
	if (!(ANSWER_WRAPPER in body)) return holdsNothing(body);
	const { [ANSWER_WRAPPER]: data, error = null } = body;
	return error === null && (data === null || (isObject(data) && holdsNothing(data)));
}

function holdsNothing(result: IDataObject): boolean {
	return Object.entries(result).every(([field, value]) => {
		const name = pagingNameOf(field);
		return (
			value === null ||
			(PAGING_NAMES.includes(name) && (value === 0 || !NUMBERS_OF_ELEMENTS.includes(name)))
		);
	});
}

/** How `PAGING_FIELDS` would write the name of a field (assumption A10). */
function pagingNameOf(field: string): string {
	return field.toLowerCase().replaceAll('_', '');
}

/**
 * What a success puts out: one object, or the elements of a list. `undefined` if the answer does not hold what
 * the operation expects, as when a web page came back.
 */
export function readOutput(
	body: unknown,
	expects: 'messageId' | 'list' | 'object' | undefined,
): IDataObject[] | undefined {
	if (expects === 'list') return readList(body);
	const result = readResult(body);
	if (!isObject(result)) return undefined;
	return expects === 'messageId' && typeof result.messageId !== 'string' ? undefined : [result];
}

/** What a person calls an element of a list: its name, else its id (assumption A5). */
export function labelOf(element: IDataObject, id: string): string {
	for (const path of LABEL_PATHS) {
		let value: unknown = element;
		for (const key of path) value = isObject(value) ? value[key] : undefined;
		if (typeof value === 'string' && value.trim() !== '') return value;
	}
	return id;
}

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
