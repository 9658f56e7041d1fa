import { ADMISSIONS } from '../../../../nodes/MessagingGateway/trigger/subscription/standing';

// The same table again, typed by hand: whoever changes one has to mean it.
it.each([
	['starting', 'taken', 'deferred'],
	['unconfirmed', 'taken', 'deferred'],
	['presumed', 'taken', 'refused'],
	['changing', 'taken', 'deferred'],
	['confirmed', 'taken', 'refused'],
	['missing', 'refused', 'refused'],
	['deleted', 'refused', 'refused'],
] as const)('%s: what fits is %s, else %s', (standing, fits, differs) => {
	expect(ADMISSIONS[standing]).toEqual({ fits, differs });
});

it('has a row for each standing', () => {
	expect(Object.keys(ADMISSIONS)).toHaveLength(7);
});
