import type { FastifyReply } from 'fastify';

/** Answers with Server-Sent Events, all at once. */
export async function sendEvents(
	reply: FastifyReply,
	events: Array<{ name?: string; data: object | string }>,
): Promise<FastifyReply> {
	const lines = events.map(({ name, data }) => {
		const title = name === undefined ? '' : `event: ${name}\n`;
		return `${title}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
	});
	return await reply.type('text/event-stream').send(lines.join(''));
}
