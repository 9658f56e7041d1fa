import type { FastifyInstance } from 'fastify';
import { ModelFailure } from './answer';
import { addCompletions } from './completions';
import { addResponses } from './responses';
import { addTranscriptions } from './transcriptions';

/** The model that n8n's nodes ask for unless another is chosen. Whichever is asked, the answers are the same. */
const MODEL = 'gpt-5-mini';

/** OpenAI's HTTP interfaces, as far as n8n's nodes use them; see `answer.ts` for what is answered. */
export function addModel(app: FastifyInstance): void {
	app.get('/v1/models', async () => ({ object: 'list', data: [{ id: MODEL, object: 'model' }] }));
	addCompletions(app);
	addResponses(app);
	addTranscriptions(app);
	app.setErrorHandler(async (error, _, reply) => {
		if (!(error instanceof ModelFailure)) throw error;
		// n8n repeats requests that fail with 429 or 5xx.
		return await reply.code(400).send({ error: { message: error.message } });
	});
}
