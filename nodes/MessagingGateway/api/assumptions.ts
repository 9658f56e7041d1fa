/**
 * Every guess this package makes about the service, and nothing else: the API document leaves these things open ("Gaps").
 * `docs/gaps.md` lists them for people.
 */

/**
 * A1. The document names webhook management (create, list, edit, delete) but shows neither paths nor request bodies.
 * Guessed: `POST`/`GET {path}`, `PATCH`/`DELETE {path}/{id}`, body `{ url, events }`.
 * Override: *Webhooks Path* in the credential, or *Manual* webhook setup in the trigger.
 */
export const WEBHOOKS_PATH = '/v1/webhooks';

/**
 * A2. The document names the listing of instances but does not show its path.
 * Override: *Instances Path* in the account credential.
 */
export const INSTANCES_PATH = '/v1/instances';

/**
 * A2 as well: the fields of an instance record are not shown. Its ID is in the first of these that is filled in; events
 * call it `instanceId`. Override: an expression in place of the list.
 */
export const ID_FIELDS = ['id', 'instanceId'] as const;

/**
 * A3. The document shows the values `COMPOSING` and `PAUSED` but not the field that carries them.
 * Override: *Presence Field* in the instance credential.
 */
export const PRESENCE_FIELD = 'presence';

/**
 * A4. The document says that a poll is identified by its `messageId`, not where that ID goes.
 * Guessed: a query parameter of this name. Override: *Poll Parameter* in the instance credential.
 */
export const POLL_PARAMETER = 'messageId';

/**
 * A5. List payloads are not shown "beyond the id they return". The list is the array in `data`, or the first array
 * inside it; the label of an element is its `name`, its `subject`, or its ID.
 *
 * A6. The wrapper of the `202` response to a send is not shown beyond `messageId`: it is looked for in `data`, then at the
 * top. Settings are read the same way.
 */
export const DATA_FIELD = 'data';

/*
 * A7. The full list of event types is not shown; fields/events.ts offers the five that are. Override: *Custom Events*.
 *
 * A8. Of the values of `chat.type` only `GROUP` and `STATUS` are shown. The trigger takes every other chat for that of a
 * person, unless its ID is that of a channel. Override: no *Chat Types* chosen.
 *
 * A9. "Which condition yields which status code" is not shown. api/gateway.ts reads each as HTTP means it: with 4xx
 * nothing was done, with 5xx it may have been. No override: the service's own words are shown beside the advice.
 *
 * A10. Whether an event is delivered while an earlier one still waits for its response is not shown. The trigger gathers
 * only events that are. Override: *Combine Messages* left out.
 */
