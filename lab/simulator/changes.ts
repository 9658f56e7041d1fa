import { EventEmitter } from 'node:events';

export type ChangeKind =
	| 'chat'
	| 'message'
	| 'presence'
	| 'connection'
	| 'webhooks'
	| 'delivery'
	| 'request'
	| 'mode'
	| 'faults'
	| 'reset';

/** Changes inside the simulator, for the phone page and the data file. */
export class Changes {
	private readonly emitter = new EventEmitter().setMaxListeners(0);

	tell(kind: ChangeKind, value: unknown): void {
		this.emitter.emit('change', kind, value);
	}

	/** Calls back on every change until the function it returns is called. */
	watch(listener: (kind: ChangeKind, value: unknown) => void): () => void {
		this.emitter.on('change', listener);
		return () => this.emitter.off('change', listener);
	}
}
