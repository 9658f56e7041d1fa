/**
 * What became of an event: `started`, n8n answered that its execution runs; `ignored`, it was filtered out;
 * `refused`, n8n could not start it, so the gateway has to send it again.
 */
export type Settlement = 'started' | 'ignored' | 'refused';
