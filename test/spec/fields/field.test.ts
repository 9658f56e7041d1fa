import { eventOptions, listFields } from '../../../nodes/MessagingGateway/fields/common';
import { textField, toProperty, type Field } from '../../../nodes/MessagingGateway/fields/field';
import { documentedEvents } from '../../contract/document/events';

it('gives n8n its own part of a field alone', () => {
	const own = { displayName: 'Colour', name: 'colour', type: 'string', default: '' } as const;
	const field: Field = { ...own, in: 'query', as: 'x', parse: (value) => value };
	expect(toProperty(field)).toEqual(own);
	expect(field.in).toBe('query');
});

it('requires a text, and puts it into the body', () => {
	const named = { displayName: 'ID', name: 'id' };
	expect(textField(named)).toMatchObject({ ...named, type: 'string', required: true, in: 'body' });
	expect(textField({ ...named, in: 'path', as: 'x' })).toMatchObject({ in: 'path', as: 'x' });
});

it('limits the number of results', () => {
	const [, limit] = listFields;
	expect(limit.parse?.('50', { defaultCountry: '' })).toBe(50);
	expect(() => limit.parse?.(0, { defaultCountry: '' })).toThrow("cannot be 'Limit'");
});

it('offers each event type of the API document once', () => {
	const shown = new Set(documentedEvents.map(({ type }) => type));
	expect(eventOptions.map(({ value }) => value)).toEqual([...shown].sort());
});
