import { describeLifecycle } from '../lifecycle';

// n8n's older publication path, as an administrator may still choose it.
describeLifecycle(false);
