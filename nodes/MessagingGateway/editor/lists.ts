import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { ID_FIELDS } from '../gateway/assumptions';
import { openGateway } from '../gateway/call';
import { displayNameOf } from '../gateway/content';
import { fillEndpoint } from '../gateway/endpoints';
import { toMessageError, toPlainText } from '../gateway/failure';
import type { TokenKind } from '../gateway/secrets';

const MAX_NAME_LENGTH = 100;

// The editor's lists, by n8n's two kinds of method (API 14.1).
export const searchGroups = makeListSearch('GET /v1/groups');
export const searchCommunities = makeListSearch('GET /v1/communities');
export const getGroups = makeLoadOptions('GET /v1/groups');
export const getInstances = makeLoadOptions('GET {+instancesPath}', 'account');

function makeListSearch(endpoint: string) {
	const load = makeLoadOptions(endpoint);

	return async function (this: ILoadOptionsFunctions, filter = '') {
		const wanted = filter.trim();
		const options = await load.call(this);
		const results = options.filter(
			({ name, value }) => value === wanted || name.toLowerCase().includes(wanted.toLowerCase()),
		);
		return { results };
	};
}

function makeLoadOptions(endpoint: string, kind: TokenKind = 'instance') {
	return async function (this: ILoadOptionsFunctions) {
		try {
			const instanceId = kind === 'instance' ? readFixedNumber(this) : undefined;
			const gateway = await openGateway(this, kind, { instanceId });
			const { items } = await gateway.call({
				...fillEndpoint(endpoint, gateway.overrides),
				effect: 'harmless',
				expects: 'list',
			});

			return items
				.map(toOption)
				.filter(({ value }) => value !== '')
				.sort((one, other) => one.name.localeCompare(other.name));
		} catch (error) {
			throw toMessageError(this.getNode(), error);
		}
	};
}

function toOption(element: IDataObject) {
	const value = ID_FIELDS.map((field) => String(element[field] ?? '')).find(Boolean) ?? '';
	const name = toPlainText(displayNameOf(element, value), MAX_NAME_LENGTH);
	// n8n takes an equals sign at the beginning for an expression. A stranger may name a group.
	return { name: name.replace(/^=/, '＝'), value };
}

function readFixedNumber(context: ILoadOptionsFunctions): string | undefined {
	const options = context.getCurrentNodeParameters()?.options as IDataObject | undefined;
	const chosen = typeof options?.instanceId === 'string' ? options.instanceId.trim() : '';

	const isExpression = chosen.startsWith('=');
	return chosen === '' || isExpression ? undefined : chosen;
}
