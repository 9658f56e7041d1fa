import type { Standing } from '../subscription/standing';

/**
 * How the signature of a delivery compares: `fits` the secret that counts; `overwritten`, it fits that of the record, but
 * n8n's static data holds another one; `differs` from it, or there is none.
 */
export type Fit = 'fits' | 'overwritten' | 'differs';

/** Taken; deferred with 503, so that the gateway sends it again; refused with 401. */
export type Admission = 'taken' | 'deferred' | 'refused';

/**
 * What becomes of a delivery that is signed in form, by the standing of the webhook, or while it is `changing`. A lost
 * message weighs more than the replay of a stolen secret of a deleted webhook: so what fits is taken from the first moment
 * after a start.
 */
export const ADMISSIONS: Record<Standing | 'changing', Record<Fit, Admission>> = {
	starting: { fits: 'taken', overwritten: 'deferred', differs: 'deferred' },
	unconfirmed: { fits: 'taken', overwritten: 'deferred', differs: 'deferred' },
	presumed: { fits: 'taken', overwritten: 'deferred', differs: 'refused' },
	changing: { fits: 'taken', overwritten: 'deferred', differs: 'deferred' },
	confirmed: { fits: 'taken', overwritten: 'deferred', differs: 'refused' },
	missing: { fits: 'refused', overwritten: 'refused', differs: 'refused' },
	deleted: { fits: 'refused', overwritten: 'refused', differs: 'refused' },
};
