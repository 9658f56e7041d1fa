import { recipientFields } from '../../../nodes/MessagingGateway/fields/recipient';
import { to } from '../../contract/document';
import { engine, gateway } from '../../support/engineAndGateway';
import { expectRefusal } from '../../support/refusal';
import { runOperation, type OperationRun } from '../../support/runOperation';

const [{ parse }] = recipientFields('', '');
const read = (value: string, mode?: string) => parse!(value, { mode, defaultCountry: 'BR' });

const LABEL = { labelId: '3', messageId: 'm1' };
/** Each operation with a phone, and its further parameters. */
const OPERATIONS = [
	{ resource: 'message', operation: 'sendText', parameters: { text: 'Hello' } },
	{ resource: 'message', operation: 'sendPresence', parameters: {} },
	{ resource: 'chat', operation: 'archive', parameters: {} },
	{ resource: 'chat', operation: 'mute', parameters: {} },
	{ resource: 'label', operation: 'assign', parameters: LABEL },
	{ resource: 'label', operation: 'unassign', parameters: LABEL },
	{ resource: 'message', operation: 'sendAndWait', parameters: { message: 'May I?' } },
];
const PLACE = '={{ $json.country }}';
const PHONE = to('phone', '={{ $json.phone }}');

const withCountry = ({ resource, operation, parameters }: OperationRun): OperationRun => ({
	resource,
	operation,
	parameters: { ...parameters, to: PHONE, options: { country: PLACE } },
	credential: { defaultCountry: 'BR' },
});

describe.each(OPERATIONS)('the option Country of $resource → $operation', (operation) => {
	it.each([
		['GB', '07911 123456', '447911123456'],
		['Germany', '030 123456', '4930123456'],
		['', '11 98765-4321', '5511987654321'],
		[null, '11 98765-4321', '5511987654321'],
		['GB', '+55 11 98765-4321', '5511987654321'],
	])('with %j lets %s go to %s', async (country, phone, sent) => {
		const items = [{ country, phone }];
		const { error } = await runOperation(engine, gateway, { ...withCountry(operation), items });
		expect(error).toBeUndefined();

		const written = gateway.requests.map(({ body }) => body as { to?: string } | undefined);
		expect(written.flatMap((body) => body?.to ?? [])).toEqual([sent]);
	});

	it('refuses a country that it does not know, by its name', async () => {
		const items = [{ country: 'Atlantis', phone: '+55 11 98765-4321' }];
		const result = await runOperation(engine, gateway, { ...withCountry(operation), items });
		expectRefusal(result, /^'Country': "Atlantis" is no country .*ISO code/);
	});
});

it('reads each item in its own country, and refuses the others alone', async () => {
	const items = [
		{ phone: '07911 123456', country: 'United Kingdom' },
		{ phone: '0151 23456789', country: 'de' },
		{ phone: '07911 123456', country: 'BR' },
		{ phone: '11 98765-4321' },
	];
	const { items: results } = await runOperation(engine, gateway, {
		resource: 'phoneNumber',
		operation: 'normalize',
		parameters: { phone: '={{ $json.phone }}', options: { country: PLACE } },
		items,
		onError: 'continueRegularOutput',
		credential: { defaultCountry: 'BR' },
	});
	expect(results.map(({ json }) => json.phone ?? 'refused')).toEqual([
		'+447911123456',
		'+4915123456789',
		'refused',
		'+5511987654321',
	]);
});

it('ignores a country that an operation has no option for', async () => {
	const { error } = await runOperation(engine, gateway, {
		resource: 'group',
		operation: 'getAll',
		parameters: { options: { country: 'Atlantis' } },
	});
	expect(error).toBeUndefined();
});

describe('By ID', () => {
	it.each([
		'98765432101234',
		' 98765432101234\n',
		'123456789012345678',
		'120363041234567890@g.us',
		'7@lid',
		'abc',
	])('takes %j as it came', (id) => {
		expect(read(id, 'id')).toBe(id.trim());
	});

	it.each(['9876543210123', '+55 11 98765-4321', '5511987654321', '98 765 432 101 234'])(
		'refuses %j, which is a phone number',
		(phone) => {
			expect(() => read(phone, 'id')).toThrow("Choose 'Phone' instead of 'By ID'");
		},
	);
});

it.each(['phone', 'list', undefined])(
	'an ID of digits in the mode %j is refused with the way to By ID',
	(mode) => {
		expect(() => read('98765432101234', mode)).toThrow("Choose 'By ID' for an ID");
	},
);
