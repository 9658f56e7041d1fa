import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Static, TSchema } from '@sinclair/typebox';
import Fastify, {
	type FastifyBaseLogger,
	type FastifyInstance,
	type FastifyTypeProvider,
	type RawServerDefault,
} from 'fastify';
import type { SimulatorSettings } from '../options';
import type { RecordedRequest, TokenKind } from '../recorder';

/** Gives handlers the types of their TypeBox schemas. */
interface SchemaTypes extends FastifyTypeProvider {
	validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown;
	serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown;
}

export type App = FastifyInstance<
	RawServerDefault,
	IncomingMessage,
	ServerResponse,
	FastifyBaseLogger,
	SchemaTypes
>;

declare module 'fastify' {
	interface FastifyContextConfig {
		/** Token kind that an API operation needs. */
		token?: TokenKind;
		/** Whether it takes forms beside JSON, which nothing in the API document does. */
		takesForm?: boolean;
	}
	interface FastifyRequest {
		record: RecordedRequest;
	}
}

/** Body limit far above everything that tests send. */
const BODY_LIMIT = 64 * 1024 * 1024;

/** An empty server, strict about everything: nothing is coerced, filled in or silently removed. */
export function createApp(settings: SimulatorSettings): App {
	return Fastify({
		serverFactory: (handler) =>
			settings.tls
				? (createSecureServer(settings.tls, handler) as unknown as Server)
				: createServer(handler),
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
	}).withTypeProvider<SchemaTypes>();
}
