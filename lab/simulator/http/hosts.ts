import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Refusal } from './refusal';

const NAMES = ['127.0.0.1', 'localhost'];

/**
 * Serves this scope under the names of this machine and to its own pages alone. Otherwise a web page whose name leads to
 * this machine (DNS rebinding) could read and do everything here: to the browser, both are one origin.
 */
export function serveOwnHostsOnly(scope: Pick<FastifyInstance, 'addHook' | 'server'>): void {
	scope.addHook('onRequest', async ({ headers }) => {
		const { port } = scope.server.address() as AddressInfo;
		const own = NAMES.map((name) => `${name}:${port}`);
		const isOwn = (authority = '') => own.includes(authority.toLowerCase());
		const origin = headers.origin?.replace(/^https?:\/\//, '');
		if (isOwn(headers.host) && (origin === undefined || isOwn(origin))) return;
		throw new Refusal(421, `This is served to its own pages alone, under ${own.join(' or ')}`);
	});
}
