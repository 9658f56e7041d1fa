import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { N8nApi, type StoredCredential } from '../../test/host/api';
import { createCredentials, credentialData, type Host } from '../../test/host/host';
import type { N8n } from '../../test/host/n8n';
import { OWNER } from '../../test/host/owner';
import { N8nRefusal } from '../../test/host/session';
import { readWorkflow } from '../../test/host/workflows';
import type { Simulator } from '../../test/simulator';

const workflowFile = join(__dirname, 'workflow.json');

/**
 * Brings a demo's n8n to where a newcomer can begin: signed in, with both credentials, and the demo workflow published.
 * What is there from an earlier start is kept, and follows the addresses of this one.
 */
export async function furnish(
	n8n: N8n,
	gateway: Simulator,
): Promise<{ api: N8nApi; workflowId: string }> {
	const api = await signIn(n8n);
	const credentials = await provideCredentials(api, gateway);
	const workflowId = await provideWorkflow(api, credentials);
	await providePublication(api, workflowId, n8n, gateway);
	return { api, workflowId };
}

async function signIn(n8n: N8n): Promise<N8nApi> {
	const api = new N8nApi(n8n.url);
	try {
		await api.signIn(OWNER.email, OWNER.password);
	} catch (error) {
		if (!(error instanceof N8nRefusal && error.status === 401)) throw error;
		await api.setUpOwner(OWNER);
	}
	return api;
}

async function provideCredentials(api: N8nApi, gateway: Simulator): Promise<Host['credentials']> {
	const stored = await api.listCredentials();
	const find = (type: string) => stored.find((credential) => credential.type === type);
	const account = find('messagingGatewayAccountApi');
	const instance = find('messagingGatewayInstanceApi');
	if (account === undefined || instance === undefined) return await createCredentials(api, gateway);

	const data = credentialData(gateway);
	const follow = async (credential: StoredCredential, current: ICredentialDataDecryptedObject) =>
		await api.updateCredential(credential, current);
	await follow(account, data.account);
	await follow(instance, data.instance);
	return { account, instance };
}

async function provideWorkflow(api: N8nApi, credentials: Host['credentials']): Promise<string> {
	const { name } = JSON.parse(readFileSync(workflowFile, 'utf8')) as { name: string };
	const kept = (await api.listWorkflows()).find(
		(workflow) => workflow.name === name && !workflow.isArchived,
	);
	return (kept ?? (await api.createWorkflow(readWorkflow(workflowFile, credentials)))).id;
}

/** n8n registers a webhook when a workflow is published, not when n8n starts: an address that changed needs it anew. */
async function providePublication(
	api: N8nApi,
	workflowId: string,
	n8n: N8n,
	gateway: Simulator,
): Promise<void> {
	const { activeVersionId } = await api.getWorkflow(workflowId);
	const isRegistered = gateway.webhooks().some(({ url }) => url.startsWith(`${n8n.url}/`));
	if (activeVersionId !== null && isRegistered) return;
	if (activeVersionId !== null) await api.unpublish(workflowId);
	await api.publish(workflowId);
}
