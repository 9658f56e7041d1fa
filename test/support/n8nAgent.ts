import type { INode } from 'n8n-workflow';
import type { N8nApi, StoredCredential } from '../../lab/host/api';

/** Makes an Agent of n8n (not the AI Agent node) with these tools, and answers its path in n8n's API and its ID. */
export async function makeN8nAgent(
	api: N8nApi,
	model: StoredCredential,
	nodes: INode[] = [],
): Promise<{ path: string; id: string }> {
	const project = await api.request<{ id: string }>('GET', '/projects/personal');
	const agents = `/projects/${project.id}/agents/v2`;
	const { id } = await api.request<{ id: string }>('POST', agents, { name: 'Baker' });
	const path = `${agents}/${id}`;

	const tools = nodes.map(({ name, type, typeVersion, parameters, credentials }) => ({
		type: 'node',
		name,
		description: name,
		node: {
			nodeType: type,
			nodeTypeVersion: typeVersion,
			nodeParameters: parameters,
			credentials,
		},
	}));

	const { configHash } = await api.request<{ configHash: string }>('GET', `${path}/config`);
	await api.request('PUT', `${path}/config`, {
		config: {
			name: 'Baker',
			instructions: 'Do as you are told.',
			tools,
			model: 'openai/any',
			credential: model.id,
			// The editor always switches it on.
			memory: { enabled: true, storage: 'n8n' },
		},
		baseConfigHash: configHash,
	});
	return { path, id };
}
