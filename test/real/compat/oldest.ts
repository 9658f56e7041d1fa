// What `startHost` starts in this project: the oldest n8n supported.
process.env.N8N_TEST_MODE = 'oldest';
