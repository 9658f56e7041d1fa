import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';
import { labelOf, readList } from '../api/answer';
import { explainAnswer } from '../api/explain';
import { send } from '../api/request';
import type { TokenKind } from '../api/token';

const PAGE_SIZE = 100;

/** The groups of the number, for a searchable list (API document: list operations). */
export async function searchGroups(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return toPage(await fetchOptions(this, '/v1/groups'), filter, paginationToken);
}

/** The communities of the number, for a searchable list. */
export async function searchCommunities(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return toPage(await fetchOptions(this, '/v1/communities'), filter, paginationToken);
}

/** All groups of the number, for a list to choose several from. */
export async function getGroups(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await fetchOptions(this, '/v1/groups');
}

/** All numbers of the account (assumption A2), for a list to choose several from. */
export async function getInstances(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await fetchOptions(this, '{instancesPath}', 'account');
}

async function fetchOptions(
	context: ILoadOptionsFunctions,
	path: string,
	token: TokenKind = 'instance',
): Promise<INodePropertyOptions[]> {
	const request = { method: 'GET', path, token, effect: 'read' } as const;
	const answer = await send(context, request);
	const list = answer.status === 200 ? readList(answer.body) : undefined;
	if (list === undefined) throw explainAnswer(context.getNode(), request, answer);
	return list
		.map((element) => ({ name: labelOf(element), value: String(element.id ?? '') }))
		.filter(({ value }) => value !== '')
		.sort((a, b) => a.name.localeCompare(b.name));
}

/** The gateway gives its whole list at once, so the whole list is searched and only then cut into pages. */
function toPage(
	options: INodePropertyOptions[],
	filter: string | undefined,
	paginationToken: string | undefined,
): INodeListSearchResult {
	const wanted = fold(filter ?? '');
	const found = options.filter(({ name, value }) => fold(name).includes(wanted) || value === filter?.trim());
	const start = Number(paginationToken ?? 0);
	const end = start + PAGE_SIZE;
	return {
		results: found.slice(start, end),
		paginationToken: end < found.length ? String(end) : undefined,
	};
}

/** Upper case and accents do not matter to somebody who searches. */
function fold(text: string): string {
	return text.trim().normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
