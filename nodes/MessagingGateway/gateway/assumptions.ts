// Every guess about the service, and nothing else. `docs/gaps.md` says what is open, and what to do if a gateway differs.

/** A1: where webhooks are managed. Override: *Webhooks Path* in the credential, or *Manual* webhook setup. */
export const WEBHOOKS_PATH = '/v1/webhooks';

/** A2: where instances are listed, and in which of these fields an ID is. Override: *Instances Path*; an expression. */
export const INSTANCES_PATH = '/v1/instances';
export const ID_FIELDS = ['id', 'instanceId'] as const;

/** A3: the field that holds `COMPOSING` or `PAUSED`. Override: *Presence Field* in the instance credential. */
export const PRESENCE_FIELD = 'presence';

/** A4: the query parameter for the `messageId` of a poll. Override: *Poll Parameter* in the instance credential. */
export const POLL_PARAMETER = 'messageId';

/** A5: where a list is, and the `name` or `subject` of its elements. A6: where other results are. Both are read either way. */
export const DATA_FIELD = 'data';

// A7: the event types (fields/events.ts). Override: *Custom Events*.
// A8: a chat is with a person unless `chat.type` or its ID says otherwise. Override: no *Chat Types* chosen.
// A9: with status 4xx nothing was done, with 5xx it may have been (gateway/call.ts). No override.
// A10: an event is delivered while an earlier one waits for its response. Override: no *Combine Messages*, no *One Turn at a Time*.
