import type { GatewayEvent } from '../../../lab/simulator';

/** One event of each documented type with every field that its `data` may have, retyped from docs/api.md (API 9). */
export const documentedEvents: GatewayEvent[] = [
	makeEvent('MESSAGE.RECEIVED', {
		messageId: 'msg_1',
		chat: { id: '5511987654321@s', type: 'STATUS', phone: '5511987654321' },
		fromMe: false,
		sender: { id: '201894637712045@lid', phone: '5511987654321' },
		text: 'Olá!',
		quotedMessageId: 'msg_0',
		messageType: 'BUTTON_REPLY',
		buttonReply: { id: 'yes' },
	}),
	makeEvent('MESSAGE.SENT', {
		messageId: 'msg_1',
		chat: { id: '120363041234567890@g.us', type: 'GROUP', phone: '5511987654321' },
		fromMe: true,
		text: 'Bom dia!',
		quotedMessageId: 'msg_0',
		messageType: 'INTERACTIVE',
	}),
	makeEvent('MESSAGE.STATUS_UPDATED', { messageIds: ['msg_1', 'msg_2'], status: 'READ' }),
	makeEvent('CONNECTION.UPDATED', {
		status: 'BANNED',
		phone: '5511987654321',
		expiresIn: 5400,
		reason: 'Too many reports',
	}),
	makeEvent('QRCODE.UPDATED', { status: 'GENERATED' }),
];

function makeEvent(type: string, data: GatewayEvent['data']): GatewayEvent {
	return {
		id: `evt_${type}`,
		type,
		instanceId: 'inst_1',
		timestamp: '2026-01-02T03:04:05.000Z',
		data,
	};
}
