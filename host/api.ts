import type {
	IConnections,
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeListSearchResult,
	INodeParameters,
	IPinData,
	IWorkflowSettings,
} from 'n8n-workflow';
import {
	hasEnded,
	nextOf,
	PAGE_SIZE,
	readExecution,
	type Execution,
	type ExecutionsPage,
	type ExecutionStatus,
	type ExecutionSummary,
} from './executions';
import { N8nRefusal, N8nSession } from './session';
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
	/** What is published; absent in older versions of n8n, and while nothing is. */
	activeVersion?: { nodes: INode[] } | null;
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

/** The person at the editor, who asks n8n for what the editor asks it for. */
export class N8nApi extends N8nSession {
	async createCredential(
		type: string,
		name: string,
		data: ICredentialDataDecryptedObject,
	): Promise<StoredCredential> {
		return await this.request('POST', '/credentials', { type, name, data });
	}

	async listCredentials(): Promise<StoredCredential[]> {
		return await this.request('GET', '/credentials');
	}

	async updateCredential(
		credential: StoredCredential,
		data: ICredentialDataDecryptedObject,
	): Promise<void> {
		const { id, name, type } = credential;
		await this.request('PATCH', `/credentials/${id}`, { name, type, data });
	}

	/** What a stored credential holds, with a stand-in for everything secret that n8n takes for what it stands for. */
	async readCredential(id: string): Promise<ICredentialDataDecryptedObject> {
		const { data } = await this.request<{ data: ICredentialDataDecryptedObject }>(
			'GET',
			`/credentials/${id}?includeData=true`,
		);
		return data;
	}

	async deleteCredential(id: string): Promise<void> {
		await this.request('DELETE', `/credentials/${id}`);
	}

	/** Presses the editor's button that tests a stored credential, with the data that the form holds. */
	async testCredential(
		credential: StoredCredential,
		data: ICredentialDataDecryptedObject,
	): Promise<{ status: 'OK' | 'Error'; message: string }> {
		const { id, name, type } = credential;
		return await this.request('POST', '/credentials/test', {
			credentials: { id, name, type, data },
		});
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
	async runManually(id: string, trigger: string): Promise<Execution> {
		const started = await this.run<{ executionId: string }>(id, trigger);
		return await this.waitForEnd(started.executionId);
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
	async listExecutions(
		workflowId: string,
		status?: ExecutionStatus[],
	): Promise<ExecutionSummary[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId, ...(status && { status }) }));
		const found = new Map<string, ExecutionSummary>();
		let next: string | null = '';
		while (next !== null) {
			const path: string = `/executions?filter=${filter}&limit=${PAGE_SIZE}${next}`;
			const page: ExecutionsPage = await this.request('GET', path);
			// One that ended while we were reading can stand on two pages.
			for (const execution of page.results) found.set(execution.id, execution);
			next = nextOf(page);
		}
		return [...found.values()].sort((one, other) => Number(other.id) - Number(one.id));
	}

	/** One execution with all its data. */
	async getExecution(id: string): Promise<Execution> {
		return readExecution(await this.request('GET', `/executions/${id}`));
	}

	/** Waits until a workflow has as many executions that have ended. Answers all of them, with data, oldest first. */
	async waitForExecutions(
		workflowId: string,
		count: number,
		timeout?: number,
	): Promise<Execution[]> {
		const haveEnded = async () => {
			const ended = (await this.listExecutions(workflowId)).filter(hasEnded);
			return ended.length >= count && ended;
		};
		const ended = await waitFor(
			`${count} executions of workflow ${workflowId}`,
			haveEnded,
			timeout,
		);
		return await Promise.all(ended.reverse().map(async ({ id }) => await this.getExecution(id)));
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

	/** Opens the searchable list of a resource locator, as the editor does when somebody types into it. */
	async searchList(search: {
		nodeType: { name: string; version: number };
		/** The parameter's path, e.g. `parameters.to`. */
		path: string;
		methodName: string;
		parameters: INodeParameters;
		credentials: Record<string, Pick<StoredCredential, 'id' | 'name'>>;
		filter?: string;
		paginationToken?: string;
	}): Promise<INodeListSearchResult> {
		const { nodeType, parameters, ...rest } = search;
		return await this.request('POST', '/dynamic-node-parameters/resource-locator-results', {
			...rest,
			nodeTypeAndVersion: nodeType,
			currentNodeParameters: parameters,
		});
	}

	private async run<T>(id: string, trigger: string): Promise<T> {
		// Newer versions read the workflow from their database, older ones from the request.
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
			const publication = await this.request<PublicationStatus>(
				'GET',
				`/workflows/${id}/publication-status`,
			).catch((error: unknown) => {
				// Where n8n's older publication path is on, there is no status: it has done all before it answered.
				if (!(error instanceof N8nRefusal && error.status === 404)) throw error;
				return { status: 'published', triggers: [] } as const satisfies PublicationStatus;
			});
			return !unsettled.includes(publication.status) && publication;
		};
		return await waitFor(`the publication of workflow ${id}`, settled, 120_000);
	}
}
