import { startSimulator, type Simulator, type SimulatorOptions } from '../simulator';
import { N8nApi, type StoredCredential } from './api';
import { startChosenN8n } from './mode';
import type { N8n, N8nOptions } from './n8n';
import { OWNER } from './owner';

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
 * Which n8n that is can be chosen from outside (see `mode.ts`), so that the same scenarios run elsewhere unchanged.
 */
export async function startHost(options: HostOptions = {}): Promise<Host> {
	return await startHostOn(await startChosenN8n(options.n8n), options.gateway);
}

/** Makes a stage of an n8n that runs already and is still empty; whoever stops the stage stops that n8n too. */
export async function startHostOn(n8n: N8n, options?: SimulatorOptions): Promise<Host> {
	const gateway = await startSimulator(options);
	const stop = async () => {
		await n8n.stop();
		await gateway.stop();
	};
	try {
		const api = new N8nApi(n8n.url);
		await api.setUpOwner(OWNER);
		return { n8n, api, gateway, credentials: await createCredentials(api, gateway), stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** What a person types into the two credential forms, also to ask in the chat and to write from every number. */
export function credentialData({
	url: baseUrl,
	accountToken,
	instanceToken,
	numberLines,
}: Simulator) {
	const several: { furtherNumbers: string } | object =
		numberLines === '' ? {} : { furtherNumbers: numberLines };
	return {
		account: { baseUrl, accountToken },
		instance: { baseUrl, instanceToken, accountToken, ...several },
	};
}

/** Makes both credentials of a gateway as a person would in the editor, leaving alone what has a default. */
export async function createCredentials(
	api: N8nApi,
	gateway: Simulator,
): Promise<Host['credentials']> {
	const data = credentialData(gateway);
	return {
		account: await api.createCredential(
			'messagingGatewayAccountApi',
			'Messaging Gateway account',
			data.account,
		),
		instance: await api.createCredential(
			'messagingGatewayInstanceApi',
			'Messaging Gateway instance',
			data.instance,
		),
	};
}
