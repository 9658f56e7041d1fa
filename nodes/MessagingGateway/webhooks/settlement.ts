// Types alone: the compiled file is empty.

/**
 * What became of an event: `accepted`, it need not be sent again: its execution runs or has ended well, whichever the
 * person waits for; `ignored`, it was filtered out; `refused`, the gateway has to send it again. That is answered
 * 503, as what an `Admission` calls `deferred`; only what that calls `refused` is answered 401.
 */
export type Settlement = 'accepted' | 'ignored' | 'refused';

/** What a delivery's 200 waits for: that its execution has started, or that it has ended well. */
export type ConfirmWhen = 'started' | 'succeeded';
