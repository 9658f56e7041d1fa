import type { FastifyRequest } from 'fastify';
import { Refusal } from '../gateway';
import type { App } from './app';

/** Reads bodies: keeps the raw text for the record, and takes nothing but JSON (API document, Conventions). */
export function readBodies(app: App): void {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser(
		'application/json',
		{ parseAs: 'buffer' },
		async (request: FastifyRequest, raw: Buffer) => {
			const text = keepRaw(request, raw);
			if (text === '') return undefined;
			try {
				return (request.record.body = JSON.parse(text) as unknown);
			} catch {
				throw new Refusal(400, 'The body is not valid JSON');
			}
		},
	);
	app.addContentTypeParser(
		'*',
		{ parseAs: 'buffer' },
		async (request: FastifyRequest, raw: Buffer) => {
			if (keepRaw(request, raw) === '') return undefined;
			throw new Refusal(400, 'The body must be JSON, with Content-Type: application/json');
		},
	);
}

function keepRaw(request: FastifyRequest, raw: Buffer): string {
	request.record.rawBody = raw.toString('utf8');
	return request.record.rawBody;
}
