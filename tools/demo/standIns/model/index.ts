import type { FastifyInstance } from 'fastify';
import { addCompletions } from './completions';
import { addResponses } from './responses';

/** The model that n8n's nodes ask for unless another is chosen. Whichever is asked, the answers are the same. */
const MODEL = 'gpt-5-mini';

/** OpenAI's HTTP interfaces, as far as n8n's chat models use them; see `answer.ts` for what is answered. */
export function addModel(app: FastifyInstance): void {
	app.get('/v1/models', async () => ({ object: 'list', data: [{ id: MODEL, object: 'model' }] }));
	addCompletions(app);
	addResponses(app);
}
