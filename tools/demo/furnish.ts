import { join } from 'node:path';
import { N8nApi, type StoredCredential } from '../../host/api';
import type { N8n } from '../../host/n8n';
import { OWNER } from '../../host/owner';
import { readWorkflow } from '../../host/workflows';
import type { Simulator } from '../../simulator';
import { describeCredentials, provideCredentials } from './credentials';
import { moveWebhooks, type Move } from './move';
import type { Note } from './note';
import type { StandIns } from './standIns';

const workflowFile = join(__dirname, 'workflow.json');

/** The demo's own workflow, as it is now. */
export interface OwnWorkflow {
	id: string;
	isPublished: boolean;
}

export interface Furniture {
	api: N8nApi;
	/** Absent once the person has deleted it. */
	workflow?: OwnWorkflow;
	/** Absent as long as the addresses are those of the last start. */
	move?: Move;
}

/**
 * Brings a demo's n8n to where a newcomer can begin: signed in, with every credential, and the demo's workflow published.
 * Each of them is made once. What a person has changed, unpublished or deleted since stays so, and follows the addresses
 * of this start.
 * @param note is brought up to date, and kept each time that what it says has come true
 */
export async function furnish(
	n8n: N8n,
	gateway: Simulator,
	standIns: StandIns,
	note: Note,
	keep: () => void,
): Promise<Furniture> {
	const api = new N8nApi(n8n.url);
	await api.signIn(OWNER.email, note.password);
	const credentials = await provideCredentials(api, describeCredentials(gateway, standIns), note);
	keep();
	const isFirst = note.workflowId === undefined;
	note.workflowId ??= await createOwnWorkflow(api, credentials);
	const addresses = `${n8n.url} ${gateway.url}`;
	const hasMoved = !isFirst && note.registeredFor !== addresses;
	const formerUrls = note.n8nUrls.filter((url) => url !== n8n.url);
	const move = hasMoved ? await moveWebhooks(api, gateway, n8n.url, formerUrls) : undefined;
	note.registeredFor = addresses;
	keep();
	return { api, workflow: await findOwnWorkflow(api, note.workflowId), move };
}

async function createOwnWorkflow(
	api: N8nApi,
	credentials: Record<string, StoredCredential>,
): Promise<string> {
	const { id } = await api.createWorkflow(readWorkflow(workflowFile, credentials));
	await api.publish(id);
	return id;
}

async function findOwnWorkflow(api: N8nApi, id: string): Promise<OwnWorkflow | undefined> {
	const listed = (await api.listWorkflows()).find((workflow) => workflow.id === id);
	if (listed === undefined || listed.isArchived) return undefined;
	return { id, isPublished: listed.activeVersionId !== null };
}
