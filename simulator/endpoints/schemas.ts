import { Type, type TProperties } from '@sinclair/typebox';

// Retyped from the API document, as strict as it is: no field beyond those shown, no other type.

export function exactly<Properties extends TProperties>(properties: Properties) {
	return Type.Object(properties, { additionalProperties: false });
}

/** A field that the document describes as a string without saying that it may be empty. */
export const Filled = Type.String({ minLength: 1 });

/** Endpoints without query parameters take none. */
export const Nothing = exactly({});

export const SendText = exactly({ to: Filled, text: Filled });

export const Recipient = exactly({ to: Filled });

export const LabelOnMessage = exactly({ to: Filled, labelId: Filled, messageId: Filled });

export const ProfileStatus = exactly({ status: Type.String() });

export const NewCommunity = exactly({ name: Filled });

export const GroupsForCommunity = exactly({
	id: Filled,
	groups: Type.Array(Filled, { minItems: 1 }),
});

export const NewNewsletter = exactly({ name: Filled, description: Type.Optional(Type.String()) });

export const Settings = exactly({
	rejectCall: Type.Boolean(),
	msgRejectCall: Type.String(),
	readMessages: Type.Boolean(),
	ignoreGroups: Type.Boolean(),
	ignoreStatus: Type.Boolean(),
});

/** The name of the field that carries the state is a gap of the document. */
export function presenceIn(field: string) {
	return exactly({
		to: Filled,
		[field]: Type.Union([Type.Literal('COMPOSING'), Type.Literal('PAUSED')]),
		isAudio: Type.Optional(Type.Boolean()),
	});
}

/** The name of the parameter that identifies the poll is a gap of the document. */
export function pollQuery(parameter: string) {
	return exactly({ [parameter]: Filled });
}

// The payloads of webhook management are gaps: assumed are the fields that the webhook record shows.
const WebhookUrl = Type.String({ pattern: '^https?://[^\\s/]+' });
const WebhookEvents = Type.Array(Type.String({ pattern: '^[A-Z_]+\\.[A-Z_]+$' }), {
	minItems: 1,
	uniqueItems: true,
});

export const NewWebhook = exactly({ url: WebhookUrl, events: WebhookEvents });

export const WebhookChanges = Type.Object(
	{
		url: Type.Optional(WebhookUrl),
		events: Type.Optional(WebhookEvents),
		enabled: Type.Optional(Type.Boolean()),
	},
	{ additionalProperties: false, minProperties: 1 },
);
