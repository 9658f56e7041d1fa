/**
 * Why deliveries could not reach a webhook address, or undefined if nothing speaks against it. Whatever the address,
 * a gateway on this very machine reaches it.
 *
 * @param url where n8n would have deliveries sent
 * @param gatewayUrl base URL of the gateway
 */
export function whyUnreachable(url: string, gatewayUrl: string): string | undefined {
	if (isThisMachine(gatewayUrl)) return undefined;
	if (isThisMachine(url)) return 'it is an address that only this machine can reach';
	if (!/^https:/i.test(url)) return 'it is not an https address';
	return undefined;
}

function isThisMachine(address: string): boolean {
	let host: string;
	try {
		host = new URL(address).hostname.toLowerCase();
	} catch {
		return false;
	}
	return (
		/^(localhost|.+\.localhost|host\.docker\.internal)\.?$/.test(host) ||
		/^127\.\d+\.\d+\.\d+$/.test(host) ||
		host === '0.0.0.0' ||
		host === '[::1]' ||
		host === '[::]'
	);
}
