import { type Simulator, type SimulatorOptions, startSimulator } from '../simulator';
import { N8nApi, type StoredCredential } from './api';
import { type N8n, type N8nOptions, startN8n } from './n8n';
import { OWNER } from './owner';
import { startQueueN8n } from './queue';

/** A real n8n with the package installed, the simulated gateway beside it, and somebody signed in. */
export interface Host {
	n8n: N8n;
	api: N8nApi;
	gateway: Simulator;
	credentials: { account: StoredCredential; instance: StoredCredential };
	stop(): Promise<void>;
}

export interface HostOptions {
	n8n?: N8nOptions;
	gateway?: SimulatorOptions;
}

/**
 * Starts the whole stage of an end-to-end test on free ports, with fresh data: owner, both credentials, no workflow.
 * With `N8N_TEST_MODE=queue` it is n8n in queue mode, so that the same scenarios run there unchanged.
 */
export async function startHost(options: HostOptions = {}): Promise<Host> {
	const gateway = await startSimulator(options.gateway);
	let n8n: N8n | undefined;
	const stop = async () => {
		await n8n?.stop();
		await gateway.stop();
	};
	try {
		n8n = await (process.env.N8N_TEST_MODE === 'queue' ? startQueueN8n : startN8n)(options.n8n);
		const api = new N8nApi(n8n.url);
		await api.setUpOwner(OWNER);
		return { n8n, api, gateway, credentials: await createCredentials(api, gateway), stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** What a person types into the two credential forms. */
export function credentialData(gateway: Simulator) {
	return {
		account: { baseUrl: gateway.url, accountToken: gateway.accountToken },
		instance: { baseUrl: gateway.url, instanceToken: gateway.instanceToken },
	};
}

/** Makes both credentials of a gateway as a person would in the editor, leaving alone what has a default. */
export async function createCredentials(api: N8nApi, gateway: Simulator): Promise<Host['credentials']> {
	const data = credentialData(gateway);
	return {
		account: await api.createCredential('messagingGatewayAccountApi', 'Messaging Gateway account', data.account),
		instance: await api.createCredential('messagingGatewayInstanceApi', 'Messaging Gateway instance', data.instance),
	};
}
