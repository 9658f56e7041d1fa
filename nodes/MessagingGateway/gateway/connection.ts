import type { IDataObject } from 'n8n-workflow';
import { INSTANCES_PATH, POLL_PARAMETER, PRESENCE_FIELD, WEBHOOKS_PATH } from './assumptions';
import { quote, rejection } from './failure';
import { TOKENS, whyTokenUnfit, type TokenKind } from './secrets';

export interface Connection {
	kind: TokenKind;
	token: string;
	baseUrl: string;
	/** The gateway's own paths and fields, e.g. `webhooksPath` (assumptions A1 to A4). */
	overrides: Record<string, string>;
}

const CORRECT_IT = 'Open the credential of this node and correct it.';

/**
 * Reads a token and the address from a credential as a person filled it in: the token of the chosen
 * number, or else its own. Throws a `GatewayError` if no request can be made with them.
 */
export function readConnection(
	credential: IDataObject,
	kind: TokenKind,
	instanceId?: string,
): Connection {
	const isOwn = instanceId === undefined;
	const token = isOwn ? ownToken(credential, kind) : tokenOf(credential, instanceId);
	const reason = whyTokenUnfit(token, kind);
	if (reason !== undefined) throw rejection(reason, CORRECT_IT);

	return {
		kind,
		token,
		baseUrl: readBaseUrl(credential.baseUrl),
		overrides: {
			webhooksPath: readPath(credential.webhooksPath, WEBHOOKS_PATH),
			instancesPath: readPath(credential.instancesPath, INSTANCES_PATH),
			presenceField: readText(credential.presenceField) || PRESENCE_FIELD,
			pollParameter: readText(credential.pollParameter) || POLL_PARAMETER,
		},
	};
}

/** The token in the credential's own field; empty if there is none. */
export function ownToken(credential: IDataObject, kind: TokenKind): string {
	return readText(credential[TOKENS[kind].field]);
}

/** A line of *Further Numbers*. */
interface FurtherNumber {
	text: string;
	/** Counted from 1. */
	line: number;
	/** Empty, like the token, if the line cannot be read. */
	instanceId: string;
	token: string;
}

/** Reads *Further Numbers*: lines of an instance ID and its token. An unreadable token is empty. */
export function readFurtherNumbers({ furtherNumbers }: IDataObject): FurtherNumber[] {
	return readText(furtherNumbers)
		.split(/[\n;]/)
		.map(readFurtherNumber)
		.filter(({ text }) => text !== '' && !text.startsWith('#'));
}

function readFurtherNumber(typed: string, index: number): FurtherNumber {
	const text = typed.trim();
	const parts = /^([^\s,:=]+)[\s,:=]+([^\s,:=]\S*)$/.exec(text) ?? [];
	const [, instanceId = '', token = ''] = parts;
	const isUsable = whyTokenUnfit(token, 'instance') === undefined;
	return { text, line: index + 1, instanceId, token: isUsable ? token : '' };
}

function readBaseUrl(typed: unknown): string {
	const text = readText(typed);
	const url = URL.canParse(text) ? new URL(text) : undefined;
	const isPlain = url && `${url.username}${url.password}${url.search}${url.hash}` === '';

	if (!isPlain || !/^https?:$/.test(url.protocol)) {
		// The typed text may be a token.
		throw rejection(
			"'Base URL' must be the address of your gateway alone, e.g. https://gateway.example.com.",
			CORRECT_IT,
		);
	}

	const address = `${url.origin}${url.pathname}`;
	return address.replace(/(?<!\/)\/+$/, '').replace(/\/v1$/, '');
}

function tokenOf(credential: IDataObject, instanceId: string): string {
	const ownId = readText(credential.instanceId);
	if (ownId !== '' && instanceId === ownId) return ownToken(credential, 'instance');

	const number = readFurtherNumbers(credential).find((each) => each.instanceId === instanceId);
	if (number?.token) return number.token;

	throw rejection(
		`The credential does not know the number ${quote(instanceId)}`,
		"Enter its instance ID and token in 'Further Numbers' of the credential. If it is the number of 'Instance Token', enter the ID as 'Instance ID'.",
	);
}

function readPath(typed: unknown, assumed: string): string {
	const path = readText(typed).replace(/^\/+|(?<!\/)\/+$/g, '');
	return path === '' ? assumed : `/${path}`;
}

function readText(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}
