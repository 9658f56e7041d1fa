// Imported before scenarios that were written for one n8n: `startHost` then gives them n8n in queue mode, which is five
// processes, Redis and PostgreSQL to wait for.
process.env.N8N_TEST_MODE = 'queue';
jest.setTimeout(600_000);
