// What `startHost` starts in this project: the oldest n8n supported.
process.env.N8N_TEST_MODE = 'oldest';

// Its engine begins to look for idle SSH connections, and never ends that: a run of tests must not wait for it.
const start = globalThis.setInterval;
const startIdle = (...args: Parameters<typeof start>) => start(...args).unref();
globalThis.setInterval = Object.assign(startIdle, start);
