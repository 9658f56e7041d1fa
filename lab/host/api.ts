import type {
	IConnections,
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	IPinData,
	IWorkflowSettings,
} from 'n8n-workflow';
import {
	hasEnded,
	PAGE_SIZE,
	readExecution,
	type Execution,
	type ExecutionsPage,
	type ExecutionStatus,
	type ExecutionSummary,
} from './executions';
import type { OWNER } from './owner';
import { waitFor } from './waiting';

export interface WorkflowDraft {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
	pinData?: IPinData;
}

export interface StoredWorkflow extends WorkflowDraft {
	id: string;
	versionId: string;
	activeVersionId: string | null;
	isArchived: boolean;
	staticData: IDataObject | null;
}

export interface StoredCredential {
	id: string;
	name: string;
	type: string;
}

interface PublicationStatus {
	status: 'in_progress' | 'not_published' | 'published' | 'partial' | 'failed';
	triggers: Array<{ status: string; errorMessage: string | null }>;
}

/** Somebody signed in at an n8n, with the requests that the editor makes. */
export class N8nApi {
	/** What the browser would send along. */
	cookie = '';

	/** @param url n8n's address without a trailing slash */
	constructor(readonly url: string) {}

	/** Makes the first user, the owner, and is signed in as them from then on. */
	async setUpOwner(owner: typeof OWNER): Promise<void> {
		await this.request('POST', '/owner/setup', owner);
	}

	async signIn(email: string, password: string): Promise<void> {
		await this.request('POST', '/login', { emailOrLdapLoginId: email, password });
	}

	/**
	 * Any request of the editor.
	 * @param path under `/rest`
	 * @returns the answer's `data`
	 * @throws when n8n answers with anything but 2xx
	 */
	async request<T>(method: string, path: string, body?: object): Promise<T> {
		const response = await fetch(`${this.url}/rest${path}`, {
			method,
			// n8n closes a connection after five idle seconds, on a busy machine just as the next request is sent.
			headers: {
				'content-type': 'application/json',
				'browser-id': 'test',
				cookie: this.cookie,
				connection: 'close',
			},
			...(body && { body: JSON.stringify(body) }),
		});

		const cookies = response.headers.getSetCookie();
		if (cookies.length > 0) this.cookie = cookies.map((cookie) => cookie.split(';')[0]).join('; ');

		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
		return (text === '' ? undefined : (JSON.parse(text) as { data: T }).data) as T;
	}

	async createCredential(type: string, name: string, data: ICredentialDataDecryptedObject) {
		return await this.request<StoredCredential>('POST', '/credentials', { type, name, data });
	}

	async listCredentials(): Promise<StoredCredential[]> {
		return await this.request('GET', '/credentials');
	}

	async deleteCredential(id: string): Promise<void> {
		await this.request('DELETE', `/credentials/${id}`);
	}

	async createWorkflow(draft: WorkflowDraft): Promise<StoredWorkflow> {
		return await this.request('POST', '/workflows', {
			active: false,
			settings: { executionOrder: 'v1' },
			...draft,
		});
	}

	async listWorkflows(): Promise<
		Array<Pick<StoredWorkflow, 'id' | 'name' | 'activeVersionId' | 'isArchived'>>
	> {
		return await this.request('GET', '/workflows');
	}

	async getWorkflow(id: string): Promise<StoredWorkflow> {
		return await this.request('GET', `/workflows/${id}`);
	}

	/** Saves changes to a workflow's draft. What is published stays as it is until it is published again. */
	async updateWorkflow(id: string, changes: Partial<WorkflowDraft>): Promise<StoredWorkflow> {
		const { versionId } = await this.getWorkflow(id);
		return await this.request('PATCH', `/workflows/${id}`, { ...changes, versionId });
	}

	/**
	 * Publishes a workflow and waits until n8n has registered its triggers.
	 * @param version which of its versions; the draft by default
	 * @throws when a trigger could not be registered, with its words; n8n tries five times, 15 seconds in all
	 */
	async publish(id: string, version?: string): Promise<void> {
		const versionId = version ?? (await this.getWorkflow(id)).versionId;
		await this.request('POST', `/workflows/${id}/activate`, { versionId });
		const { status, triggers } = await this.waitForPublication(id, [
			'in_progress',
			// n8n reads twice for its answer. Between the two, what it has just published seems not to be.
			'not_published',
		]);
		if (status !== 'published') {
			const errors = triggers
				.map(({ errorMessage }) => errorMessage)
				.filter((message) => message !== null);
			throw new Error(`The workflow was not published (${status}): ${errors.join('; ')}`);
		}
	}

	/** Takes a workflow's publication back and waits until n8n has let go of its triggers. */
	async unpublish(id: string): Promise<void> {
		await this.request('POST', `/workflows/${id}/deactivate`, {});
		await this.waitForPublication(id);
	}

	async archive(id: string): Promise<void> {
		await this.request('POST', `/workflows/${id}/archive`, {});
		await this.waitForPublication(id);
	}

	/** Deletes a workflow, published or not. */
	async deleteWorkflow(id: string): Promise<void> {
		const { activeVersionId, isArchived } = await this.getWorkflow(id);
		if (activeVersionId !== null) await this.unpublish(id);
		if (!isArchived) await this.archive(id);
		await this.request('DELETE', `/workflows/${id}`);
	}

	/** Runs a workflow by hand from the trigger named and waits for its end. */
	async runManually(id: string, trigger: string, timeout?: number): Promise<Execution> {
		const started = await this.run<{ executionId: string }>(id, trigger);
		return await this.waitForEnd(started.executionId, timeout);
	}

	/** Presses "Listen for test event" on the trigger named. Answers when n8n listens. */
	async listenForTest(id: string, trigger: string): Promise<void> {
		const answer = await this.run<{ waitingForWebhook?: boolean }>(id, trigger);
		if (answer.waitingForWebhook !== true)
			throw new Error('n8n ran the workflow instead of waiting for an event.');
	}

	/** Presses "Stop listening". */
	async stopListening(id: string): Promise<void> {
		await this.request('DELETE', `/test-webhook/${id}`);
	}

	/** All executions of a workflow, running ones too, the newest first. */
	async listExecutions(workflowId: string, status?: ExecutionStatus[]) {
		const filter = encodeURIComponent(JSON.stringify({ workflowId, ...(status && { status }) }));
		const found = new Map<string, ExecutionSummary>();
		let next: string | null = '';
		while (next !== null) {
			const path: string = `/executions?filter=${filter}&limit=${PAGE_SIZE}${next}`;
			const page: ExecutionsPage = await this.request('GET', path);
			// One that ended while we were reading can stand on two pages.
			for (const execution of page.results) found.set(execution.id, execution);
			next = page.nextCursor ? `&cursor=${page.nextCursor}` : null;
		}
		return [...found.values()].sort((one, other) => Number(other.id) - Number(one.id));
	}

	/** One execution with all its data. */
	async getExecution(id: string): Promise<Execution> {
		return readExecution(await this.request('GET', `/executions/${id}`));
	}

	/** Waits until a workflow has as many executions that have ended. Answers all of them, with data, oldest first. */
	async waitForExecutions(workflowId: string, count: number, timeout?: number) {
		const ended = await this.waitForEnds(workflowId, count, timeout);
		return await Promise.all(ended.reverse().map(async ({ id }) => await this.getExecution(id)));
	}

	/** The same without reading what the executions have done, the newest first. */
	async waitForEnds(workflowId: string, count: number, timeout?: number) {
		const haveEnded = async () => {
			const ended = (await this.listExecutions(workflowId)).filter(hasEnded);
			return ended.length >= count && ended;
		};
		return await waitFor(`${count} executions of workflow ${workflowId}`, haveEnded, timeout);
	}

	async waitForEnd(executionId: string, timeout?: number): Promise<Execution> {
		const end = async () => {
			const execution = await this.getExecution(executionId);
			return hasEnded(execution) && execution;
		};
		return await waitFor(`the end of execution ${executionId}`, end, timeout);
	}

	/** Stops an execution that runs, or takes it out of the queue. */
	async stopExecution(id: string): Promise<void> {
		await this.request('POST', `/executions/${id}/stop`, {});
	}

	private async run<T>(id: string, trigger: string): Promise<T> {
		const workflowData = await this.getWorkflow(id);
		return await this.request('POST', `/workflows/${id}/run`, {
			workflowData,
			triggerToStartFrom: { name: trigger },
		});
	}

	private async waitForPublication(
		id: string,
		unsettled: Array<PublicationStatus['status']> = ['in_progress'],
	): Promise<PublicationStatus> {
		const settled = async () => {
			const path = `/workflows/${id}/publication-status`;
			const publication = await this.request<PublicationStatus>('GET', path).catch((error) => {
				if (!String(error).includes(': 404 ')) throw error;
				// n8n before 2.40 has registered the triggers when it answers the publication.
				return { status: 'published', triggers: [] } as PublicationStatus;
			});
			return !unsettled.includes(publication.status) && publication;
		};
		return await waitFor(`the publication of workflow ${id}`, settled, 120_000);
	}
}
