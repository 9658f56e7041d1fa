import { gateway } from './engineAndGateway';
import type { OperationResult } from './runOperation';

/** The node has stopped with these words before any request. */
export function expectRefusal({ error, items }: OperationResult, words: RegExp): void {
	expect(error?.message).toMatch(words);
	expect(items).toEqual([]);
	expect(gateway.requests).toEqual([]);
}
