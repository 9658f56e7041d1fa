import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addAccountEndpoints } from './endpoints/account';
import { addInventedEndpoints } from './endpoints/invented';
import { addNumberEndpoints } from './endpoints/number';
import { playFaultAfter, playFaultBefore } from './faults/play';
import type { Gateway } from './gateway';
import { checkAccess, checkBodyless, instanceIdOf, tokenKindOf } from './http/access';
import type { App } from './http/app';
import { readBodies } from './http/body';
import { Refusal } from './http/refusal';
import { readClock } from './recorder';

const ANSWER_KEPT = 2000;

/** The service's API: every request is recorded, may meet a fault, is checked, and reaches its endpoint. */
export function addApi(app: App, gateway: Gateway): void {
	readBodies(app);
	app.decorateRequest('record');
	app.addHook('onRequest', async (request, reply) => openRecord(request, reply, gateway));
	app.addHook('preValidation', async (request, reply) => {
		if (await playFaultBefore(request, reply, gateway)) return reply;
		checkAccess(request);
		checkBodyless(request);
		if (gateway.settings.latencyMs > 0) await pause(gateway.settings.latencyMs);
		return undefined;
	});
	app.addHook('onSend', async (request, reply, payload) => {
		if (!reply.hasHeader('date')) reply.header('date', gateway.clock.now().toUTCString());
		const answered = await playFaultAfter(request, reply, payload);
		closeRecord(request, reply, answered);
		return answered;
	});
	app.setErrorHandler(answerError);
	app.setNotFoundHandler(async (request) => {
		throw new Refusal(404, `There is no ${request.method} ${request.record.path}`);
	});

	addNumberEndpoints(app, gateway);
	addAccountEndpoints(app, gateway);
	addInventedEndpoints(app, gateway);
}

function openRecord(
	request: FastifyRequest,
	reply: FastifyReply,
	{ recorder, settings, changes }: Gateway,
): void {
	const [path] = request.url.split('?', 1);
	request.record = {
		method: request.method,
		path: path.startsWith(settings.basePath) ? path.slice(settings.basePath.length) : path,
		query: request.query as Record<string, unknown>,
		headers: request.headers,
		body: undefined,
		rawBody: '',
		status: 0,
		answer: '',
		token: tokenKindOf(request, settings),
		instanceId: instanceIdOf(request, settings),
		startedAt: readClock(),
		finishedAt: 0,
		accepted: false,
	};
	recorder.keepRequest(request.record);

	// If the connection ends without an answer, this is the end of the request.
	reply.raw.once('close', () => {
		request.record.finishedAt ||= readClock();
		changes.tell('request', request.record);
	});
}

function closeRecord({ record, raw }: FastifyRequest, reply: FastifyReply, body: unknown): void {
	if (!raw.socket.destroyed) {
		record.status = reply.statusCode;
		record.answer = typeof body === 'string' ? body.slice(0, ANSWER_KEPT) : '';
	}
	record.finishedAt = readClock();
}

/** API 11.1: the body is `{"error": <string>}`. */
async function answerError(
	error: Error & { statusCode?: number; validation?: unknown },
	_: FastifyRequest,
	reply: FastifyReply,
) {
	return await reply
		.code(error.validation ? 400 : (error.statusCode ?? 500))
		.send({ error: error.message });
}
