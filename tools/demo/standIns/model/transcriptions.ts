import type { FastifyInstance } from 'fastify';

interface Form {
	model?: string;
	/** The bytes of the recording; undefined where a form holds none. */
	file?: Buffer;
}

/** OpenAI's transcription of a recording, as n8n's OpenAI node posts it: a form with `model` and `file`. */
export function addTranscriptions(app: FastifyInstance): void {
	app.addContentTypeParser(
		'multipart/form-data',
		{ parseAs: 'buffer' },
		async ({ headers }: { headers: { 'content-type'?: string } }, raw: Buffer) =>
			await readForm(raw, headers['content-type'] ?? ''),
	);

	app.post<{ Body: Form }>('/v1/audio/transcriptions', async ({ body }, reply) => {
		if (body.model === undefined || body.file === undefined)
			return await reply.code(400).send({ error: { message: 'model and file are needed' } });
		return { text: listen(body.file) };
	});
}

async function readForm(raw: Buffer, type: string): Promise<Form> {
	const response = new Response(new Uint8Array(raw), { headers: { 'content-type': type } });
	const form = await response.formData();
	const [model, file] = [form.get('model'), form.get('file')];
	return {
		...(typeof model === 'string' && { model }),
		...(file instanceof File && { file: Buffer.from(await file.arrayBuffer()) }),
	};
}

/** Hears only what the phone page has put into a recording (WAV): its comment. */
function listen(recording: Buffer): string {
	const at = recording.indexOf('ICMT');
	if (recording.toString('latin1', 0, 4) !== 'RIFF' || at < 0)
		return 'The demo’s stand-in for a language model understands only voice messages of the phone page.';
	const begin = at + 8;
	return recording.toString('utf8', begin, begin + recording.readUInt32LE(at + 4));
}
