/**
 * `it`, unless deliveries are spread over several webhook processors (test/real/queue): for what a process remembers by
 * itself.
 */
export const itInOneProcess = process.env.N8N_TEST_MODE === 'queue' ? it.skip : it;
