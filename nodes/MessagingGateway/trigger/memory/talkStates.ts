/** Where a conversation stands. One that is `idle` is not kept. */
export type TalkState =
	| 'idle'
	/** Messages wait until their sender has finished writing. */
	| 'gathering'
	/** An execution runs, and nothing waits. */
	| 'running'
	/** An execution runs, and messages wait until their sender has finished writing. */
	| 'gathering beside'
	/** Their sender has finished writing, and messages wait for the end of the execution. */
	| 'waiting';

/** What changes the state of a conversation. */
export type TalkHappening =
	/** A message has come. */
	| 'say'
	/** Its sender has finished writing, or is taken to have. */
	| 'quiet'
	/** The execution has ended, begins to wait, was not started, or has lasted too long. */
	| 'end';

/** Where each happening leads; one that is not in the table changes nothing. On the way to `running`, what waits starts an execution. */
export const MOVES: Record<TalkState, Partial<Record<TalkHappening, TalkState>>> = {
	idle: { say: 'gathering' },
	gathering: { say: 'gathering', quiet: 'running' },
	running: { say: 'gathering beside', end: 'idle' },
	'gathering beside': { say: 'gathering beside', quiet: 'waiting', end: 'gathering' },
	waiting: { say: 'gathering beside', end: 'running' },
};
