import './mode';
import '../e2e/conversations.test';

// A conversation is waited for by one processor, which must be given all of it.
process.env.N8N_TEST_MODE = 'queue, spread by trigger';
