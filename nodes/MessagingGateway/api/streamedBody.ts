/** Text, or what is read only when its turn comes, and then must have the size that was told. */
export type Part = string | { size: number; read(): AsyncIterable<Uint8Array> };

/**
 * A body that is put together while it is sent, so that no file is ever in memory as a whole.
 *
 * n8n's helper sends a Blob by its `stream()`, with its `size` and `type` as headers; to make a stream of another kind
 * takes a module that n8n does not allow.
 */
export class StreamedBody extends Blob {
	/** Called whenever a piece has gone. */
	progress?: () => void;

	/** Whether a part could not be read as it was told: then the request ends before its body. */
	isUnreadable = false;

	private reading?: AsyncGenerator<Uint8Array>;

	constructor(
		private readonly parts: Part[],
		private readonly mediaType: string,
	) {
		super();
	}

	override get size(): number {
		return this.parts
			.map((part) => (typeof part === 'string' ? Buffer.byteLength(part) : part.size))
			.reduce((sum, size) => sum + size, 0);
	}

	override get type(): string {
		return this.mediaType;
	}

	override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
		this.reading = this.read();
		return this.reading as unknown as ReadableStream<Uint8Array<ArrayBuffer>>;
	}

	/** Lets go of the file that is being read: nobody else does where a request ends before its body. */
	close(): void {
		void this.reading?.return(undefined).then(undefined, () => undefined);
	}

	private async *read(): AsyncGenerator<Uint8Array> {
		for (const part of this.parts) {
			if (typeof part === 'string') {
				yield Buffer.from(part);
				continue;
			}
			for await (const chunk of this.readWhole(part)) {
				yield chunk;
				this.progress?.();
			}
		}
	}

	/** On its own: what goes wrong with the sending does not reach it. */
	private async *readWhole(part: Exclude<Part, string>): AsyncGenerator<Uint8Array> {
		let left = part.size;
		try {
			for await (const chunk of part.read()) {
				left -= chunk.length;
				if (left < 0) break;
				yield chunk;
			}
			// What follows would be taken for the rest of the file, or the other way round.
			if (left !== 0) throw new Error('The file has changed while it was sent');
		} catch (error) {
			this.isUnreadable = true;
			throw error as Error;
		}
	}
}
