import { randomInt } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { Gateway } from '../gateway/call';
import { rejection } from '../gateway/failure';
import { evictOldest, sharedMap } from '../n8n/processState';
import { latinizeDigits } from '../values/fold';
import type { Listing } from './listing';
import { closeStopped, type Listed } from './webhooks';

/** Open questions of an account, of all workflows. The gateway delivers each message to each of them. */
const MAX_OF_ACCOUNT = 200;

const CODES = Array.from({ length: 900 }, (_, index) => String(index + 100));

/** So many codes that this process has drawn last are drawn last. */
const MAX_LATELY = 450;

/** The codes that this process has drawn, the oldest first. Their values are of no use. */
const drawnLately = sharedMap<true>('codes 1');

/** A reader sees one number all the same. */
const BETWEEN_DIGITS = /[\p{M}\p{Cf}\p{Z}]+/gu;

/**
 * Throws if one more question would be too many, of its workflow or of the account. Workflows have their
 * own room: strangers who make one of them ask do not stop the others.
 *
 * @param others the open questions that stay open beside the new one
 * @param maxOpen approvals of a workflow, or its other questions
 */
export async function requireRoom(
	context: IExecuteFunctions,
	account: Gateway,
	listing: Pick<Listing, 'kind' | 'workflow'>,
	others: Listed[],
	maxOpen: number,
): Promise<void> {
	const { kind, workflow } = listing;
	const alike = others.filter(
		(other) => other.listing.kind === kind && other.listing.workflow === workflow,
	);

	if (await isFull(context, account, alike, maxOpen)) {
		const things = kind === 'approval' ? 'approvals' : 'questions';
		throw rejection(
			`At most ${maxOpen} ${things} of a workflow may be open at once`,
			'Wait until some are answered, shorten Limit Wait Time, or raise Max Open Questions in the options. To ask more people, see “Ask many people at once” in the documentation.',
			true,
		);
	}

	if (await isFull(context, account, others, MAX_OF_ACCOUNT)) {
		throw rejection(
			`At most ${MAX_OF_ACCOUNT} questions of an account may be open at once`,
			'Wait until some are answered, or shorten Limit Wait Time.',
			true,
		);
	}
}

/** Only if there is no room, n8n is asked which questions no longer wait. */
async function isFull(
	context: IExecuteFunctions,
	account: Gateway,
	open: Listed[],
	max: number,
): Promise<boolean> {
	if (open.length < max) return false;
	const excess = open.length - max + 1;
	const own = open.filter(({ isOwn }) => isOwn);
	return (await closeStopped(context, account, own, excess)) < excess;
}

/**
 * Draws a code at random that no listed approval has. A code that this process has drawn lately is drawn
 * last: the person may still answer that approval, although its time is over.
 *
 * @param text of the message: if it shows the numbers of a code, it could show false lines
 * @throws {GatewayError} if no code is left
 */
export function drawCode(listed: Listed[], text: string): string {
	const digits = latinizeDigits(text.replace(BETWEEN_DIGITS, '').normalize('NFKC'));
	const isShown = (code: string): boolean =>
		digits.includes(`${code}1`) || digits.includes(`${code}2`);
	const taken = new Set(listed.map(({ listing }) => listing.code));
	const free = CODES.filter((code) => !taken.has(code) && !isShown(code));
	if (free.length === 0) {
		throw rejection(
			'The message holds the number of every approval that could be asked',
			"Shorten what it quotes in 'Message', as “Asking, and waiting for the answer” in the documentation shows.",
		);
	}

	const fresh = free.filter((code) => !drawnLately.has(code));
	const oldest = [...drawnLately.keys()].find((code) => free.includes(code));
	const code = fresh.length > 0 ? fresh[randomInt(fresh.length)] : (oldest ?? free[0]);
	drawnLately.delete(code);
	drawnLately.set(code, true);
	evictOldest(drawnLately, MAX_LATELY);
	return code;
}
