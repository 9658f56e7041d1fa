import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Gateway } from '../gateway';
import { readClock } from '../recorder';
import { composeAnswer, detailsOfFault, kindOfFault, type Fault } from './fault';

const faultsUnderWay = new WeakMap<FastifyRequest, Fault>();

/** Time of the last request that a fault of the kind `oneASecond` let through. */
const lastLetThrough = new WeakMap<object, number>();

/**
 * Plays the part of a fault that comes before the request is acted on. True when that was all: the request
 * is answered, cut or left hanging, and must go no further.
 */
export async function playFaultBefore(
	request: FastifyRequest,
	reply: FastifyReply,
	{ faults }: Gateway,
): Promise<boolean> {
	const fault = faults.take(request.record);
	if (!fault) return false;

	switch (kindOfFault(fault)) {
		case 'cutAfter':
		case 'acceptThenStatus':
		case 'slowAnswer':
			faultsUnderWay.set(request, fault);
			return false;

		case 'slow':
			await playDelay(fault);
			return false;

		case 'oneASecond':
			if (isLetThrough(fault as object)) return false;
			await answerWith({ status: 429 }, reply);
			return true;

		case 'hang':
			reply.hijack();
			return true;

		case 'cutBefore':
			reply.hijack();
			request.raw.socket.destroy();
			return true;

		default:
			await detailsOfFault(fault).until?.();
			await answerWith(fault, reply);
			return true;
	}
}

async function playDelay(fault: Fault): Promise<void> {
	const { delayMs = 1000, until = async () => await pause(delayMs) } = detailsOfFault(fault);
	await until();
}

async function answerWith(fault: Fault, reply: FastifyReply): Promise<void> {
	const { status, headers, payload } = composeAnswer(fault);
	await reply.code(status).headers(headers).send(payload);
}

function isLetThrough(fault: object): boolean {
	const now = readClock();
	if (now - (lastLetThrough.get(fault) ?? -Infinity) < 1000) return false;
	lastLetThrough.set(fault, now);
	return true;
}

/** Plays the part that comes after the request was acted on. Gives the payload to answer with. */
export async function playFaultAfter(
	request: FastifyRequest,
	reply: FastifyReply,
	payload: unknown,
): Promise<unknown> {
	const fault = faultsUnderWay.get(request);
	if (!fault) return payload;
	if (kindOfFault(fault) === 'slowAnswer') {
		await playDelay(fault);
		return payload;
	}
	if (kindOfFault(fault) === 'cutAfter') {
		request.raw.socket.destroy();
		return payload;
	}
	const answer = composeAnswer(fault);
	reply.code(answer.status).headers(answer.headers).removeHeader('content-length');
	return answer.payload;
}
