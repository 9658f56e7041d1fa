import type { Static, TSchema } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import type { Gateway } from '../gateway';
import type { App } from '../http/app';
import type { TokenKind } from '../recorder';
import type { Instance } from '../state/instance';
import { Nothing } from './schemas';

interface Call {
	/** The number that the token acts for; the first one for an account token. */
	number: Instance;
	request: FastifyRequest;
	reply: FastifyReply;
}

/** The answer to a call; undefined is the success that has nothing more to say. */
type Act<Given> = (given: Given, call: Call) => unknown;

/**
 * Gives the function that adds an endpoint, e.g. `POST /v1/chats/archive`, with the schema of its query (GET) or its body.
 * @param token the kind of token that all these endpoints need
 */
export function routesFor(app: App, { instance, instances }: Gateway, token: TokenKind) {
	return <Given extends TSchema>(
		endpoint: string,
		given: Given,
		act: Act<Static<Given>>,
		takesForm = false,
	): void => {
		const [method, url] = endpoint.split(' ');
		const isRead = method === 'GET';
		const isBodyless = isRead || (given as TSchema) === Nothing;

		const schema: FastifySchema = {
			querystring: isRead ? given : Nothing,
			...(!isBodyless && { body: given }),
		};

		app.route({
			method,
			url,
			config: { token, takesForm },
			schema,
			handler: async (request, reply) => {
				const number = instances.get(request.record.instanceId ?? '') ?? instance;
				const answer = act(isRead ? request.query : request.body, { number, request, reply });
				return answer ?? { data: { success: true } };
			},
		});
	};
}
