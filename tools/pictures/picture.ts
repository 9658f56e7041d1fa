import type { Page } from 'playwright-core';
import type { Stage } from '../demo/stage';

/** Brings the page to where there is something to see, and answers a picture of it (PNG). */
export type Take = (page: Page, stage: Stage) => Promise<Buffer>;
