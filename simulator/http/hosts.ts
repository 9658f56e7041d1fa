import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../gateway';

const THIS_MACHINE = ['127.0.0.1', 'localhost', '[::1]'];
const EVERY_ADDRESS = ['0.0.0.0', '::'];

/**
 * Serves what is added to this scope under the server's own names and port alone, and to its own pages. A web page
 * whose name has been made to lead to this machine (DNS rebinding) would otherwise read and do everything here: to the
 * browser, both are one origin.
 * @param host what the server listens on
 */
export function serveOwnHostsOnly(
	scope: Pick<FastifyInstance, 'addHook' | 'server'>,
	host: string,
): void {
	const names = [...THIS_MACHINE, ...namesOf(host)];
	scope.addHook('onRequest', async ({ headers }) => {
		const { port } = scope.server.address() as AddressInfo;
		const own = names.map((name) => `${name}:${port}`);
		const isOwn = (authority = '') => own.includes(authority.toLowerCase());
		const origin = headers.origin?.replace(/^https?:\/\//, '');
		if (isOwn(headers.host) && (origin === undefined || isOwn(origin))) return;
		throw new Refusal(421, `This is served to its own pages alone, under ${own.join(' or ')}`);
	});
}

function namesOf(host: string): string[] {
	const addresses = EVERY_ADDRESS.includes(host)
		? Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address))
		: [host];
	return addresses.map((address) =>
		(address.includes(':') ? `[${address}]` : address).toLowerCase(),
	);
}
