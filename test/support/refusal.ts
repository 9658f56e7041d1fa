import type { OperationResult } from './runOperation';
import { gateway } from './stage';

/** Nothing may have left, and the person is told so. */
export function expectRefusal({ error, items }: OperationResult, words: RegExp): void {
	expect(error?.message).toMatch(words);
	expect(error?.description).toContain('Nothing was sent for this item.');
	expect(items).toEqual([]);
	expect(gateway.requests).toEqual([]);
}
