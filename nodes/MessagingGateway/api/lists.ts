import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodeListSearchResult,
	type INodePropertyOptions,
} from 'n8n-workflow';
import { fingerprint } from './access';
import { labelOf, readList } from './answer';
import { INSTANCE_ID_FIELDS } from './assumptions';
import { isSuccess, type GatewayAnswer, type GatewayRequest } from './exchange';
import { explainAnswer } from './explain';
import { keepMessage } from './failure';
import { readOption } from './numbers';
import { toPlainText } from './plainText';
import { rememberBriefly } from './remember';
import { callGateway, openAccess, type ItemAccess } from './request';
import type { TokenKind } from './token';

const PAGE_SIZE = 100;

/** More than anybody looks through; n8n's editor gets slow with far fewer. */
const MOST_OPTIONS = 10_000;
const LONGEST_NAME = 100;
const LONGEST_ID = 500;

/** A list of the gateway, and the field that holds the ID of an entry: the first of these that is filled in. */
type Source = Pick<GatewayRequest, 'path' | 'token'> & { idFields: readonly string[] };

const GROUPS: Source = { path: '/v1/groups', token: 'instance', idFields: ['id'] };
const COMMUNITIES: Source = { path: '/v1/communities', token: 'instance', idFields: ['id'] };
/** All numbers of the account (assumption A2). */
const INSTANCES: Source = {
	path: '{instancesPath}',
	token: 'account',
	idFields: INSTANCE_ID_FIELDS,
};

// Lists to search in, and to choose several from (API document: list operations). Each throws a GatewayError if the list
// cannot be loaded.
export const searchGroups = searchIn(GROUPS);
export const searchCommunities = searchIn(COMMUNITIES);
export const getGroups = chooseFrom(GROUPS);
export const getInstances = chooseFrom(INSTANCES);

function searchIn(source: Source) {
	return async function (
		this: ILoadOptionsFunctions,
		filter?: string,
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		return toPage(await fetchOptions(this, source), filter, paginationToken);
	};
}

/** Of an error of the API, the editor shows "[object Object]" beside such a field, of any other its message. */
function chooseFrom(source: Source) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		try {
			return await fetchOptions(this, source);
		} catch (thrown) {
			const { message, description } = thrown as NodeApiError;
			const error = new NodeOperationError(this.getNode(), message, {
				description: description ?? undefined,
			});
			throw keepMessage(error, message);
		}
	};
}

async function fetchOptions(
	context: ILoadOptionsFunctions,
	source: Source,
): Promise<INodePropertyOptions[]> {
	const { path, token } = source;
	const access = await openAccess(context, token, 0, readFixedNumber(context, token));
	const key = [fingerprint(access), path, access.paths.instancesPath].join(' ');
	return await rememberBriefly(
		key,
		async () => await fetchAnew(context, source, { access, itemIndex: 0 }),
	);
}

/** The number that the node names, where it names the same one for all items. */
function readFixedNumber(context: ILoadOptionsFunctions, token: TokenKind): string | undefined {
	const chosen = token === 'instance' ? readOption(context.getCurrentNodeParameters()) : '';
	return chosen === '' || chosen.startsWith('=') ? undefined : chosen;
}

async function fetchAnew(
	context: ILoadOptionsFunctions,
	{ path, token, idFields }: Source,
	item: ItemAccess,
): Promise<INodePropertyOptions[]> {
	const request = { method: 'GET', path, token, effect: 'read' } as const;
	const answer = await callGateway(context, request, item);
	const list = isSuccess(answer) ? readList(answer.body) : undefined;
	if (list === undefined) {
		const error = explainAnswer(context.getNode(), request, answer);
		throw keepMessage(error, nameCause(request, answer) ?? error.message);
	}
	const options = list
		.slice(0, MOST_OPTIONS)
		.map((element) => ({ element, id: firstIdOf(element, idFields) }))
		// To n8n an equals sign begins an expression; before braces, its editor puts one on request.
		.filter(({ id }) => id !== '' && !/^=|\{\{/.test(id) && id.length <= LONGEST_ID)
		.map(({ element, id }) => ({
			name: toPlainText(labelOf(element, id), LONGEST_NAME).replace(/^=/, '＝'),
			value: id,
		}));
	if (list.length > 0 && options.length === 0) throw explainMissingIds(context, answer, idFields);
	return options.sort((a, b) => a.name.localeCompare(b.name));
}

function firstIdOf(element: IDataObject, fields: readonly string[]): string {
	return fields.map((field) => String(element[field] ?? '')).find((id) => id !== '') ?? '';
}

/**
 * What keeps a list from being loaded, where it is not the gateway's words that say so best: some fields of the editor
 * have little room, and show the message and nothing else.
 */
function nameCause(
	{ path: wanted, token }: Pick<GatewayRequest, 'path' | 'token'>,
	answer: GatewayAnswer,
): string | undefined {
	const { status } = answer;
	const path = toPlainText(answer.path, LONGEST_NAME);
	if (status === 401)
		return `The gateway does not accept the ${token} token: renew it in the credential`;
	if (status === 403)
		return `The ${token} token is not allowed to list this: check which token the credential holds`;
	if (status !== 404) return undefined;
	return wanted === '{instancesPath}'
		? `Nothing at ${path}: set Instances Path in the account credential, or use an expression`
		: `Nothing at ${path}: check the base URL in the credential`;
}

function explainMissingIds(
	context: ILoadOptionsFunctions,
	{ path }: GatewayAnswer,
	fields: readonly string[],
): NodeApiError {
	const message = 'The gateway’s list shows no IDs: enter the ID with an expression';
	const named = fields.map((field) => `"${field}"`).join(' or ');
	return new NodeApiError(
		context.getNode(),
		{ message },
		{
			message,
			description: `The answer to GET ${toPlainText(path, LONGEST_NAME)} is a list, but none of its entries says its ID in ${named}. The gateway’s API documentation does not show these entries.`,
		},
	);
}

/** The gateway gives its whole list at once, so the whole list is searched and only then cut into pages. */
function toPage(
	options: INodePropertyOptions[],
	filter: string | undefined,
	paginationToken: string | undefined,
): INodeListSearchResult {
	const wanted = fold((filter ?? '').slice(0, LONGEST_NAME));
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
