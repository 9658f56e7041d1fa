// What `startHost` starts in this project: the newest n8n that the registry has.
process.env.N8N_TEST_MODE = 'newest';
