import { ADMISSIONS } from '../../../../nodes/MessagingGateway/trigger/subscription/standing';

// The same table again, typed by hand: whoever changes one has to mean it.
it.each([
	['starting', 'taken', 'deferred', 'deferred'],
	['unconfirmed', 'taken', 'deferred', 'deferred'],
	['presumed', 'taken', 'deferred', 'refused'],
	['changing', 'taken', 'deferred', 'deferred'],
	['confirmed', 'taken', 'deferred', 'refused'],
	['missing', 'refused', 'refused', 'refused'],
	['deleted', 'refused', 'refused', 'refused'],
] as const)('%s: what fits is %s, if overwritten %s, else %s', (standing, fits, ...others) => {
	const [overwritten, differs] = others;
	expect(ADMISSIONS[standing]).toEqual({ fits, overwritten, differs });
});

it('has a row for each standing', () => {
	expect(Object.keys(ADMISSIONS)).toHaveLength(7);
});
