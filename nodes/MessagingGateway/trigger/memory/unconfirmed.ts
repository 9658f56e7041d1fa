import { nameOf, type TriggerNode } from './identity';

interface Doubt {
	/** When a delivery has last asked for a look. */
	askedAt: number;
	/** When the first delivery came that verifies with what is held. */
	verifiedAt?: number;
}

/**
 * Triggers of which the gateway has not said since the start of n8n which webhook they have. Until it has, the secret that
 * n8n holds may be that of a deleted one: an execution from before a publication may have written it as n8n ended.
 */
const unconfirmed = new Map<string, Doubt>();
const looks = new Map<string, () => void>();

const ASKED_BY_VERIFIED_EVERY_MS = 10_000;
/** Nothing that a stranger sends causes a request to the gateway more often. */
const ASKED_BY_ANYBODY_EVERY_MS = 60_000;
/** A gateway that delivers for so long, but cannot be asked, must not make the trigger deaf. */
const HELD_BACK_FOR_MS = 5 * 60_000;

export function noteUnconfirmed(node: TriggerNode): void {
	unconfirmed.set(nameOf(node), { askedAt: -Infinity });
}

export function noteConfirmed(node: TriggerNode): void {
	unconfirmed.delete(nameOf(node));
}

export function isUnconfirmed(node: TriggerNode): boolean {
	return unconfirmed.has(nameOf(node));
}

/** @param look looks after the webhook now; called when a delivery comes that cannot be judged without */
export function lookWhenAsked(node: TriggerNode, look: () => void): void {
	looks.set(nameOf(node), look);
}

/**
 * Whether a delivery that is signed in form must be sent again, since the gateway has not confirmed the webhook yet. Asks
 * for a look if so.
 *
 * @param verifies whether its signature fits what is held
 */
export function isHeldBack(node: TriggerNode, verifies: boolean): boolean {
	const name = nameOf(node);
	const doubt = unconfirmed.get(name);
	if (!doubt) return false;
	const now = Date.now();
	if (verifies) doubt.verifiedAt ??= now;
	const isTaken = verifies && now - (doubt.verifiedAt ?? now) >= HELD_BACK_FOR_MS;
	const pause = verifies && !isTaken ? ASKED_BY_VERIFIED_EVERY_MS : ASKED_BY_ANYBODY_EVERY_MS;
	const look = looks.get(name);
	if (look && now - doubt.askedAt >= pause) {
		doubt.askedAt = now;
		look();
	}
	return !isTaken;
}
