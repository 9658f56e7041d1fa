import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// n8n-core reads both when it is imported, and writes its settings file there: they have to stand before any import of it.
process.env.N8N_USER_FOLDER ??= mkdtempSync(join(tmpdir(), 'engine-'));
process.env.N8N_ENCRYPTION_KEY ??= 'engine-tests';
// Hundreds of histories fail on purpose.
process.env.N8N_LOG_LEVEL ??= 'silent';
