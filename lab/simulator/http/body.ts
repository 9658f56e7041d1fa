import type { FastifyRequest } from 'fastify';
import type { App } from './app';
import { Refusal } from './refusal';

/** Reads bodies: keeps the raw text for the record, and takes nothing but JSON (API 1.4). */
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
		'multipart/form-data',
		{ parseAs: 'buffer' },
		async (request: FastifyRequest, raw: Buffer) => {
			if (!request.routeOptions.config.takesForm) return refuse(request, raw);
			return await readForm(raw, String(request.headers['content-type']));
		},
	);

	app.addContentTypeParser(
		'*',
		{ parseAs: 'buffer' },
		async (request: FastifyRequest, raw: Buffer) => refuse(request, raw),
	);
}

function refuse(request: FastifyRequest, raw: Buffer): undefined {
	if (keepRaw(request, raw) === '') return undefined;
	throw new Refusal(400, 'The body must be JSON, with Content-Type: application/json');
}

/** The fields of a form by name, files with their content as base64. */
async function readForm(raw: Buffer, type: string): Promise<Record<string, unknown>> {
	const response = new Response(new Uint8Array(raw), { headers: { 'content-type': type } });
	const form = await response.formData().catch(() => {
		throw new Refusal(400, 'The form cannot be read');
	});
	const entries: Array<[string, string | File]> = [];
	form.forEach((value, name) => entries.push([name, value]));
	const fields: Record<string, unknown> = {};
	for (const [name, value] of entries) {
		if (name in fields) throw new Refusal(400, `The form holds "${name}" twice`);
		fields[name] = typeof value === 'string' ? value : await readFile(value);
	}
	return fields;
}

async function readFile(file: File) {
	const bytes = Buffer.from(await file.arrayBuffer());
	return { fileName: file.name, mediaType: file.type, base64: bytes.toString('base64') };
}

function keepRaw(request: FastifyRequest, raw: Buffer): string {
	request.record.rawBody = raw.toString('utf8');
	return request.record.rawBody;
}
