/** `it`, unless the tests run on the oldest n8n supported (test/real/compat): for what that n8n itself does otherwise. */
export const itUnlessOldest = process.env.N8N_TEST_MODE === 'oldest' ? it.skip : it;

/** `it` on the oldest n8n supported alone. */
export const itOnOldest = process.env.N8N_TEST_MODE === 'oldest' ? it : it.skip;
