import './mode';
import '../alone/badInput.test';

// What is remembered of an event is one process's memory: its deliveries have to meet in one.
process.env.N8N_TEST_MODE = 'queue, spread by event';
