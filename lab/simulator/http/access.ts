import type { FastifyRequest } from 'fastify';
import type { SimulatorSettings } from '../options';
import type { TokenKind } from '../recorder';
import { Refusal } from './refusal';

const SCOPES: Record<TokenKind, string> = {
	account: 'an account token (svc_acct_…)',
	instance: 'an instance token (svc_inst_…)',
};

/** Kind of the token of a request; `none` when it is missing or unknown. */
export function tokenKindOf(
	request: FastifyRequest,
	settings: SimulatorSettings,
): TokenKind | 'none' {
	if (request.headers.authorization === `Bearer ${settings.accountToken}`) return 'account';
	return instanceIdOf(request, settings) === undefined ? 'none' : 'instance';
}

/** The number that the token of a request acts for. */
export function instanceIdOf(
	{ headers: { authorization } }: FastifyRequest,
	{ instanceToken, instanceId, furtherNumbers }: SimulatorSettings,
): string | undefined {
	return [{ instanceToken, instanceId }, ...furtherNumbers].find(
		(number) => authorization === `Bearer ${number.instanceToken}`,
	)?.instanceId;
}

/** Refuses a request without a known token, or with one of the wrong kind (API 3). */
export function checkAccess(request: FastifyRequest): void {
	const { token } = request.record;
	if (token === 'none') throw new Refusal(401, 'The token is missing or not known');
	const needed = request.routeOptions.config.token;
	if (needed && needed !== token) throw new Refusal(403, `This operation needs ${SCOPES[needed]}`);
}

/** Refuses a body where the API has none; what is wrong with an unknown path is the path. */
export function checkBodyless(request: FastifyRequest): void {
	if (request.is404) return;
	const length = Number(request.headers['content-length'] ?? 0);
	const expectsBody = request.routeOptions.schema?.body !== undefined;
	if (!expectsBody && (length > 0 || request.record.rawBody !== '')) {
		throw new Refusal(400, 'This operation takes no body');
	}
}
