import {
	chooseName,
	idField,
	toProperty,
	type Field,
} from '../../../nodes/MessagingGateway/fields/field';

const field: Field = {
	displayName: 'Colour Field',
	name: 'colourField',
	type: 'string',
	default: 'colour',
	required: true,
};

it.each([
	[{}, 'colour'],
	[{ colourField: '' }, 'colour'],
	[{ colourField: null }, 'colour'],
	[{ colourField: 'paint' }, 'paint'],
	[{ colourField: 7 }, '7'],
])('with %j the name is %j', (options, name) => {
	expect(chooseName(field, options)).toBe(name);
});

it('n8n is told what is its own, and nothing else', () => {
	const whole: Field = {
		...field,
		in: 'query',
		as: 'x',
		guessOption: field,
		modelAdvice: 'Beware',
		clean: (value) => value,
	};
	expect(toProperty(whole)).toEqual(field);
	expect(whole.in).toBe('query');
});

it('an ID is asked for, and goes into the body unless it is told otherwise', () => {
	const named = { displayName: 'ID', name: 'id' };
	expect(idField(named)).toMatchObject({ ...named, type: 'string', required: true, in: 'body' });
	expect(idField({ ...named, in: 'path', as: 'x' })).toMatchObject({ in: 'path', as: 'x' });
});
