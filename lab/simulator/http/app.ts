import Fastify, { type FastifyInstance } from 'fastify';
import type { SimulatorSettings } from '../options';
import type { RecordedRequest, TokenKind } from '../recorder';

export type App = FastifyInstance;

declare module 'fastify' {
	interface FastifyContextConfig {
		/** Token kind that an API operation needs. */
		token?: TokenKind;
		/** True: it takes forms beside JSON, as nothing in docs/api.md does. */
		takesForm?: boolean;
	}
	interface FastifyRequest {
		record: RecordedRequest;
	}
}

/** Body limit far above everything that tests send. */
const BODY_LIMIT = 64 * 1024 * 1024;

/** An empty server, strict about everything: nothing is coerced, filled in or silently removed. */
export function createApp({ tls }: SimulatorSettings): App {
	return Fastify({
		https: tls ?? null,
		ajv: {
			customOptions: {
				coerceTypes: false,
				useDefaults: false,
				removeAdditional: false,
				strict: true,
			},
		},
		bodyLimit: BODY_LIMIT,
		forceCloseConnections: true,
		exposeHeadRoutes: false,
	}) as unknown as App;
}
