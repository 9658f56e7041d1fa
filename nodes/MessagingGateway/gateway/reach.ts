import type { INode } from 'n8n-workflow';
import { isWebhookServed } from '../n8n/webhookPath';
import { quote, rejection } from './failure';

const THIS_MACHINE =
	/^(localhost|.+\.localhost|host\.docker\.internal|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;
// RFC 1918, 3927, 4193, 6598, 6762 and 8375, names without a dot, and those of home routers.
const PRIVATE_NETWORK =
	/^([^.:]+|.+\.(local|localdomain|lan|internal|home\.arpa)|(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))(\.\d+)+|\[f([cd]..|e[89ab].):.*)$/;

/** Tells why a gateway certainly cannot reach a webhook address; undefined if it may. */
export function whyUnreachable(url: string, gatewayUrl: string): string | undefined {
	const gateway = hostOf(gatewayUrl);
	if (THIS_MACHINE.test(gateway)) return undefined;

	const host = hostOf(url);
	if (host === '') return 'it is no web address, which begins with https:// or http://';
	if (THIS_MACHINE.test(host)) return 'it is an address that only this machine can reach';

	// A gateway without TLS is hardly on the internet.
	const isOnInternet = /^https:/i.test(gatewayUrl) && !PRIVATE_NETWORK.test(gateway);
	if (isOnInternet && PRIVATE_NETWORK.test(host)) {
		return 'it is an address in a private network, and the gateway is on the internet';
	}
	return undefined;
}

/** Throws if the gateway certainly cannot reach the URL. `otherWay` is further advice. */
export function requireReachable(url: string, gatewayUrl: string, otherWay = ''): void {
	const reason = whyUnreachable(url, gatewayUrl);
	if (reason === undefined) return;

	throw rejection(
		`The gateway cannot reach this n8n at ${url.split('?', 1)[0]}: ${reason}`,
		`Set N8N_WEBHOOK_URL to the public https address of this n8n, and restart it.${otherWay}`,
	);
}

/** Throws if n8n would respond 404 to each delivery. */
export function requireServed(node: INode): void {
	if (isWebhookServed(node)) return;

	throw new Error(
		`n8n does not serve the URL of this trigger. The trigger has no webhookId, so its name ${quote(node.name)} is in the URL, with spaces or signs. Rename the trigger, e.g. to Received, or give it a webhookId (a UUID) in the workflow’s file. Then publish the workflow again.`,
	);
}

function hostOf(address: string): string {
	if (!/^https?:/i.test(address) || !URL.canParse(address)) return '';
	return new URL(address).hostname.replace(/\.$/, '');
}
