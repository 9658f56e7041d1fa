import { isFrom, isWritten, readSenders } from '../../../nodes/MessagingGateway/trigger/senders';
import { makeEvent } from './event';

const by = (sender?: object) => makeEvent({ data: { chat: { id: 'chat@s' }, sender } });

it.each([
	['+5511987654321', '551187654321', true],
	['55 11 8765-4321', '5511987654321', true],
	['5511987654321', '5511987654322', false],
	['+49 151 23456789', '4915123456789', true],
	[5511987654321, '5511987654321', true],
	[['+4915123456789', '5511987654321'], '5511987654321', true],
	['+4915123456789, +55 11 98765-4321', '551187654321', true],
])('takes %j for %s: %s', (senders, phone, matches) => {
	expect(isFrom(by({ id: '1@lid', phone }), readSenders(senders))).toBe(matches);
});

it('takes an ID as it is, and no other ending of it', () => {
	const wanted = readSenders('123@lid, 5511987654321@s');
	expect(isFrom(by({ id: '123@lid' }), wanted)).toBe(true);
	expect(isFrom(by({ id: '123@s' }), wanted)).toBe(false);
	expect(isFrom(by({ id: '0123@lid' }), wanted)).toBe(false);
	// An ID is never made of a phone, nor the other way round (API document, "Identifiers", rule 1).
	expect(isFrom(by({ id: '9@lid', phone: '5511987654321' }), wanted)).toBe(false);
});

it('takes nobody by a phone that does not come, and no message without a sender', () => {
	const wanted = readSenders('+5511987654321');
	for (const sender of [undefined, {}, { id: '1@lid' }, { phone: null }, 'x'])
		expect(isFrom(by(sender as object), wanted)).toBe(false);
});

it.each([
	undefined,
	null,
	'',
	' , ',
	[],
	[null],
	{},
	'Ana',
	'12345',
	'11987654321',
	'1@g.us',
	'1@newsletter',
	'a b@c',
	'@',
	'@lid',
	'123@',
	'123@lid\u200b',
	'\u200e123@lid',
	'1@g.us\u200b',
	'1@lid\u0000',
	'1@lid@lid',
])('refuses %j', (senders) => {
	expect(() => readSenders(senders)).toThrow(/Only From/u);
});

it.each([
	['MESSAGE.RECEIVED', {}, true],
	['CUSTOM', { chat: { id: '1@lid' } }, true],
	['CUSTOM', { sender: { id: '1@lid' } }, true],
	// A chat or a sender that is named, but hidden, wrote it all the same.
	['CUSTOM', { chat: null }, true],
	['CUSTOM', { sender: '' }, true],
	['CONNECTION.UPDATED', { status: 'BANNED', phone: '5511987654321' }, false],
])('whether somebody wrote a %s with %j: %s', (type, data, isSo) => {
	expect(isWritten(makeEvent({ type, data: data as never }))).toBe(isSo);
});
