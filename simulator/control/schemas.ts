import { Type } from '@sinclair/typebox';
import { exactly } from '../endpoints/schemas';
import { HOSTILE_MODES } from '../faults/hostile';

const Text = Type.Optional(Type.String());

export const WritingBody = exactly({
	text: Type.String(),
	chatId: Text,
	phone: Text,
	instanceId: Text,
	name: Text,
	quotedMessageId: Text,
	messageType: Text,
	buttonReplyId: Text,
	isStatus: Type.Optional(Type.Boolean()),
	as: Type.Optional(Type.Union([Type.Literal('picture'), Type.Literal('voice')])),
});

export const EventBody = exactly({
	type: Type.String(),
	id: Text,
	instanceId: Text,
	timestamp: Text,
	data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

export const OwnWritingBody = exactly({
	text: Type.String(),
	chatId: Text,
	phone: Text,
	instanceId: Text,
	quotedMessageId: Text,
	buttons: Type.Optional(
		Type.Array(exactly({ id: Type.String(), text: Type.String() }), { minItems: 1 }),
	),
});

export const ConnectionBody = exactly({
	status: Type.Union([
		Type.Literal('CONNECTED'),
		Type.Literal('DISCONNECTED'),
		Type.Literal('LOGGED_OUT'),
		Type.Literal('BANNED'),
	]),
	expiresIn: Type.Optional(Type.Integer({ minimum: 0 })),
	reason: Text,
});

export const PairingBody = exactly({
	status: Type.Union([Type.Literal('GENERATED'), Type.Literal('EXPIRED')]),
});

export const DeliveryBody = exactly({
	duplicate: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
	shuffle: Type.Optional(Type.Boolean()),
	delayMs: Type.Optional(Type.Integer({ minimum: 0 })),
	forge: Type.Optional(Type.Boolean()),
	pause: Type.Optional(Type.Boolean()),
});

const FaultKindName = Type.Union([
	Type.Literal('status'),
	Type.Literal('html'),
	Type.Literal('empty'),
	Type.Literal('invalidJson'),
	Type.Literal('slow'),
	Type.Literal('hang'),
	Type.Literal('cutBefore'),
	Type.Literal('cutAfter'),
	Type.Literal('acceptThenStatus'),
	Type.Literal('oneASecond'),
	Type.Literal('hostile'),
]);

const faultDetails = {
	body: Type.Optional(Type.Unknown()),
	headers: Type.Optional(Type.Record(Type.String(), Type.String())),
	delayMs: Type.Optional(Type.Integer({ minimum: 0 })),
	as: Type.Optional(Type.Union(HOSTILE_MODES.map((mode) => Type.Literal(mode)))),
};
const Status = Type.Integer({ minimum: 200, maximum: 599 });

export const FaultBody = exactly({
	match: Type.Optional(
		exactly({
			method: Text,
			path: Text,
			nth: Type.Optional(Type.Integer({ minimum: 1 })),
			body: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
			text: Text,
			to: Text,
		}),
	),
	times: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('always')])),
	fault: Type.Union([
		FaultKindName,
		exactly({ kind: FaultKindName, status: Type.Optional(Status), ...faultDetails }),
		exactly({ status: Status, ...faultDetails }),
	]),
});

export const ResetBody = exactly({ webhooks: Type.Optional(Type.Boolean()) });

export const FaultId = exactly({ id: Type.String({ pattern: '^[0-9]+$' }) });
