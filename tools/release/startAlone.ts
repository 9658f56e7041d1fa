import { N8nApi } from '../../host/api';
import { startN8n } from '../../host/n8n';
import { OWNER } from '../../host/owner';

const AGENT = '@n8n/n8n-nodes-langchain.agent';

/** Fails if an n8n does not start without any package of ours, or without its own nodes for AI. */
async function startAlone(installation: string): Promise<void> {
	const n8n = await startN8n({ installation, packages: [] });
	try {
		const api = new N8nApi(n8n.url);
		await api.setUpOwner(OWNER);
		const answer = await fetch(`${n8n.url}/types/nodes.json`, { headers: { cookie: api.cookie } });
		const types = (await answer.json()) as Array<{ name: string }>;
		if (!types.some(({ name }) => name === AGENT))
			throw new Error(`It has no ${AGENT}:\n${n8n.log()}`);
	} finally {
		await n8n.stop();
	}
}

void startAlone(process.argv[2]);
