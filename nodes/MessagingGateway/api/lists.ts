import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';
import { labelOf } from './answer';
import { INSTANCE_ID_FIELDS } from './assumptions';
import { GatewayError, joinSentences, toNodeError } from './failure';
import { toPlainText } from './plainText';
import { callGateway, openConnection, requireOutput } from './request';
import type { TokenKind } from './token';

const MAX_NAME_LENGTH = 100;

/** A list of the gateway. */
interface Source {
	path: string;
	kind: TokenKind;
	/** The fields that may hold the ID of an entry. */
	idFields: readonly string[];
}

const GROUPS: Source = { path: '/v1/groups', kind: 'instance', idFields: ['id'] };
const COMMUNITIES: Source = { path: '/v1/communities', kind: 'instance', idFields: ['id'] };
/** All numbers of the account (assumption A2). */
const INSTANCES: Source = {
	path: '{instancesPath}',
	kind: 'account',
	idFields: INSTANCE_ID_FIELDS,
};

// Lists of the editor (API document: list operations), to search in and to choose several from.
export const searchGroups = searchIn(GROUPS);
export const searchCommunities = searchIn(COMMUNITIES);
export const getGroups = chooseFrom(GROUPS);
export const getInstances = chooseFrom(INSTANCES);

function searchIn(source: Source) {
	return async function (this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		const options = await loadOptions(this, source);
		const wanted = filter.trim().toLowerCase();
		const isWanted = ({ name, value }: INodePropertyOptions): boolean =>
			name.toLowerCase().includes(wanted) || value === filter.trim();
		return { results: options.filter(isWanted) };
	};
}

function chooseFrom(source: Source) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return await loadOptions(this, source);
	};
}

async function loadOptions(
	context: ILoadOptionsFunctions,
	source: Source,
): Promise<INodePropertyOptions[]> {
	const fetching = fetchOptions(context, source);
	return await fetching.catch((error: unknown) => {
		if (!(error instanceof GatewayError)) throw error;
		// Beside such a field, n8n's editor shows the message alone, and of an error with a status not even that.
		const message = joinSentences(error.message, error.description);
		throw toNodeError(context.getNode(), { ...error.failure, message, status: undefined });
	});
}

async function fetchOptions(
	context: ILoadOptionsFunctions,
	{ path, kind, idFields }: Source,
): Promise<INodePropertyOptions[]> {
	const instanceId = kind === 'instance' ? readFixedNumber(context) : undefined;
	const connection = await openConnection(context, kind, { instanceId });
	const request = { method: 'GET', path, effect: 'read' } as const;
	const answer = await callGateway(context, connection, request);
	return requireOutput(request, answer, 'list', kind)
		.map((element) => toOption(element, idFields))
		.filter(({ value }) => value !== '' && !/^=|\{\{/.test(value))
		.sort((one, other) => one.name.localeCompare(other.name));
}

/** n8n takes an equals sign at the beginning for an expression, also in a name that a stranger has given to a group. */
function toOption(
	element: IDataObject,
	idFields: readonly string[],
): { name: string; value: string } {
	const value = idFields.map((field) => String(element[field] ?? '')).find(Boolean) ?? '';
	const name = toPlainText(labelOf(element, value), MAX_NAME_LENGTH).replace(/^=/, '＝');
	return { name, value };
}

/** The number that the node names, if it is the same for all items. */
function readFixedNumber(context: ILoadOptionsFunctions): string | undefined {
	const options = context.getCurrentNodeParameters()?.options as IDataObject | undefined;
	const chosen = typeof options?.instanceId === 'string' ? options.instanceId.trim() : '';
	return chosen === '' || chosen.startsWith('=') ? undefined : chosen;
}
