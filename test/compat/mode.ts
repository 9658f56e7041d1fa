// Imported before scenarios that were written for the newest n8n: `startHost` then gives them the oldest one supported.
process.env.N8N_TEST_MODE = 'oldest';
