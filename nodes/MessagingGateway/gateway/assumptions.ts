// Every guess about the service. `docs/gaps.md` says what to do if a gateway differs.

/** A1: where webhooks are managed. Override: *Webhooks Path*, or *Manual* webhook setup. */
export const WEBHOOKS_PATH = '/v1/webhooks';

/** A2: where instances are listed, and the field of an ID. Override: *Instances Path*. */
export const INSTANCES_PATH = '/v1/instances';
export const ID_FIELDS = ['id', 'instanceId'] as const;

/** A3: the field that holds `COMPOSING` or `PAUSED`. Override: *Presence Field*. */
export const PRESENCE_FIELD = 'presence';

/** A4: the query parameter for the `messageId` of a poll. Override: *Poll Parameter*. */
export const POLL_PARAMETER = 'messageId';

/** A5, A6: where lists and other results are, and `name` or `subject`. They are read either way. */
export const DATA_FIELD = 'data';

// A7: the event types (fields/common.ts). Override: *Custom Events*.
// A8: a chat is with a person unless its type or ID says otherwise. Override: no *Chat Types*.
// A9: with status 4xx nothing was done, with 5xx it may have been (gateway/call.ts). No override.
// A10: events come while one waits. Override: no *Combine Messages*, no *One Turn at a Time*.
