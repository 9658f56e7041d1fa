/** How well this process knows the webhook of a trigger. */
export type Standing =
	/** n8n has not switched the trigger on in this process, or not again; it may be about to, or be shutting down. */
	| 'starting'
	/** n8n has switched it on, and the gateway has not answered since. */
	| 'unconfirmed'
	/** Nobody will tell any more, so what does not fit is refused. So it is in a webhook processor of queue mode. */
	| 'presumed'
	/** The gateway has shown or made it. */
	| 'confirmed'
	/** It had to be removed, and no other one could be made yet. */
	| 'missing'
	/** n8n has asked for its removal. */
	| 'deleted';

/** What changes a standing. */
export type Happening =
	/** The gateway did not answer as n8n switched the trigger on. */
	| 'unanswered'
	| 'confirm'
	/** The webhook was removed, and another one is to follow. */
	| 'lose'
	/** The webhook was removed, since n8n wants none. */
	| 'delete'
	/**
	 * n8n has switched the trigger off in this process, as when it shuts down, and another process may go on with it. So
	 * static data counts again.
	 */
	| 'release'
	/** It has been as it is for too long. */
	| 'expire';

/** Where each happening leads; one that is not in the table changes nothing. */
export const TRANSITIONS: Record<Standing, Partial<Record<Happening, Standing>>> = {
	starting: {
		unanswered: 'unconfirmed',
		confirm: 'confirmed',
		lose: 'missing',
		delete: 'deleted',
		release: 'starting',
		expire: 'presumed',
	},
	unconfirmed: {
		confirm: 'confirmed',
		lose: 'missing',
		delete: 'deleted',
		release: 'starting',
		expire: 'presumed',
	},
	presumed: {
		unanswered: 'unconfirmed',
		confirm: 'confirmed',
		lose: 'missing',
		delete: 'deleted',
		release: 'starting',
	},
	confirmed: { lose: 'missing', delete: 'deleted', release: 'starting' },
	missing: { confirm: 'confirmed', delete: 'deleted', release: 'starting' },
	deleted: { confirm: 'confirmed', lose: 'missing', expire: 'presumed' },
};

/**
 * Whose secret opens the trigger: that of the record which this process keeps, that which n8n's static data holds, or
 * none, whatever somebody puts there.
 */
export const COUNTS: Record<Standing, 'record' | 'static data' | 'nothing'> = {
	starting: 'static data',
	unconfirmed: 'static data',
	presumed: 'static data',
	confirmed: 'record',
	missing: 'nothing',
	deleted: 'nothing',
};

/** When a standing expires, in milliseconds after it began; the first one begins with the process. */
export const EXPIRES_AFTER_MS: Partial<Record<Standing, number>> = {
	/** So long a process may take to switch on all its triggers. To shut down, n8n takes 30 seconds unless somebody has chosen more. */
	starting: 60_000,
	/** After that, what does not fit is refused, although the gateway's management has still not answered. */
	unconfirmed: 5 * 60_000,
	/** Longer than n8n takes from deleting a webhook to making the next one; then another process may have made one. */
	deleted: 2 * 60_000,
};

/** How the signature of a delivery compares: `fits` the secret that counts; `differs` from it, or there is none. */
export type Fit = 'fits' | 'differs';

/** Taken; deferred with 503, so that the gateway sends it again; refused with 401. */
export type Admission = 'taken' | 'deferred' | 'refused';

/**
 * What becomes of a delivery that is signed in form, by the standing of the webhook, or while it is `changing`. A lost
 * message weighs more than the replay of a stolen secret of a deleted webhook: so what fits is taken from the first moment
 * after a start. Where nothing counts, nothing can fit.
 */
export const ADMISSIONS: Record<Standing | 'changing', Record<Fit, Admission>> = {
	starting: { fits: 'taken', differs: 'deferred' },
	unconfirmed: { fits: 'taken', differs: 'deferred' },
	presumed: { fits: 'taken', differs: 'refused' },
	changing: { fits: 'taken', differs: 'deferred' },
	confirmed: { fits: 'taken', differs: 'refused' },
	missing: { fits: 'refused', differs: 'refused' },
	deleted: { fits: 'refused', differs: 'refused' },
};
