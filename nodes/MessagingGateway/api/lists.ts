import {
	NodeApiError,
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodeListSearchResult,
	type INodePropertyOptions,
} from 'n8n-workflow';
import { labelOf, readList } from './answer';
import { INSTANCE_ID_FIELDS } from './assumptions';
import { isSuccess } from './exchange';
import { explainAnswer } from './explain';
import { askGateway } from './request';
import type { TokenKind } from './token';

const PAGE_SIZE = 100;

/** The groups of the number, for a searchable list (API document: list operations). */
export async function searchGroups(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return toPage(await fetchOptions(this, '/v1/groups', 'instance'), filter, paginationToken);
}

/** The communities of the number, for a searchable list. */
export async function searchCommunities(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return toPage(await fetchOptions(this, '/v1/communities', 'instance'), filter, paginationToken);
}

/** All groups of the number, for a list to choose several from. */
export async function getGroups(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await fetchOptions(this, '/v1/groups', 'instance');
}

/** All numbers of the account (assumption A2), for a list to choose several from. */
export async function getInstances(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await fetchOptions(this, '{instancesPath}', 'account', INSTANCE_ID_FIELDS);
}

async function fetchOptions(
	context: ILoadOptionsFunctions,
	path: string,
	token: TokenKind,
	idFields: readonly string[] = ['id'],
): Promise<INodePropertyOptions[]> {
	const request = { method: 'GET', path, token, effect: 'read' } as const;
	const answer = await askGateway(context, request);
	const list = isSuccess(answer) ? readList(answer.body) : undefined;
	if (list === undefined) throw explainAnswer(context.getNode(), request, answer);
	const options = list
		.map((element) => ({ element, id: idOf(element, idFields) }))
		.filter(({ id }) => id !== '')
		.map(({ element, id }) => ({ name: labelOf(element, id), value: id }));
	if (list.length > 0 && options.length === 0)
		throw explainMissingIds(context, answer.path, idFields);
	return options.sort((a, b) => a.name.localeCompare(b.name));
}

function idOf(element: IDataObject, fields: readonly string[]): string {
	return fields.map((field) => String(element[field] ?? '')).find((id) => id !== '') ?? '';
}

/** Some fields of the editor show the message and nothing else, so that it says how to go on. */
function explainMissingIds(
	context: ILoadOptionsFunctions,
	path: string,
	fields: readonly string[],
): NodeApiError {
	const message = 'The entries of the gateway’s list hold no ID: use an expression that gives it';
	const named = fields.map((field) => `"${field}"`).join(' or ');
	return new NodeApiError(
		context.getNode(),
		{ message },
		{
			message,
			description: `The answer to GET ${path} is a list, but none of its entries says its ID in ${named}. The API document does not show these entries.`,
		},
	);
}

/** The gateway gives its whole list at once, so the whole list is searched and only then cut into pages. */
function toPage(
	options: INodePropertyOptions[],
	filter: string | undefined,
	paginationToken: string | undefined,
): INodeListSearchResult {
	const wanted = fold(filter ?? '');
	const found = options.filter(
		({ name, value }) => fold(name).includes(wanted) || value === filter?.trim(),
	);
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
