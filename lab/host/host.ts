import { startSimulator, type Simulator, type SimulatorOptions } from '../simulator';
import { N8nApi, type StoredCredential } from './api';
import { startN8n, type N8n, type N8nOptions } from './n8n';
import { OWNER } from './owner';
import { borrowN8n } from './sharedN8n';

/** A real n8n with the package installed, the simulated gateway beside it, and somebody signed in. */
export interface Host {
	n8n: N8n;
	api: N8nApi;
	gateway: Simulator;
	credentials: { account: StoredCredential; instance: StoredCredential };
	stop(): Promise<void>;
}

export interface HostOptions {
	/** For an n8n of its own; without it, the test files of a worker share one. */
	n8n?: N8nOptions;
	gateway?: SimulatorOptions;
}

/**
 * Starts the whole environment of an end-to-end test: owner, both credentials, no workflow. A file that restarts or kills
 * n8n, or needs a setting, asks for an n8n of its own with `n8n: {}`.
 */
export async function startHost({ n8n, gateway }: HostOptions = {}): Promise<Host> {
	const borrowed = n8n === undefined ? await borrowN8n() : undefined;
	if (borrowed === undefined) return await startHostOn(await startN8n(n8n), gateway);
	return await openHost(borrowed.n8n, borrowed.api, gateway);
}

/** The same on an n8n that runs already and is still empty, and ends with the host. */
export async function startHostOn(n8n: N8n, options?: SimulatorOptions): Promise<Host> {
	const api = new N8nApi(n8n.url);
	await api.setUpOwner(OWNER);
	return await openHost(n8n, api, options);
}

async function openHost(n8n: N8n, api: N8nApi, options?: SimulatorOptions): Promise<Host> {
	const gateway = await startSimulator(options);
	const stop = async () => {
		await n8n.stop();
		await gateway.stop();
	};
	try {
		return { n8n, api, gateway, credentials: await createCredentials(api, gateway), stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** Makes both credentials of a gateway as a person would in the editor, also to ask in the chat and to write from every number. */
export async function createCredentials(
	api: N8nApi,
	{ url: baseUrl, accountToken, instanceToken, numberLines }: Simulator,
): Promise<Host['credentials']> {
	const create = async (kind: 'Account' | 'Instance', data: Record<string, string>) =>
		await api.createCredential(
			`messagingGateway${kind}Api`,
			`Messaging Gateway ${kind.toLowerCase()}`,
			{ baseUrl, accountToken, ...data },
		);

	const account = await create('Account', {});
	const instance = await create('Instance', {
		instanceToken,
		defaultCountry: 'international',
		...(numberLines !== '' && { furtherNumbers: numberLines }),
	});
	return { account, instance };
}
