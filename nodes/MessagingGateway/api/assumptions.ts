/**
 * Every guess this package makes about the service, and nothing else: the API document leaves these
 * things open ("Gaps"). What can be overridden is so where it is used; `docs/gaps.md` lists them for people.
 */

/**
 * A1. The document names webhook management (create, list, edit, delete) but shows neither paths nor
 * request bodies. Guessed: `POST`/`GET {path}`, `PATCH`/`DELETE {path}/{id}`, body `{ url, events }`.
 * Override: "Webhooks Path" in the credential, or "Manual" webhook setup in the trigger.
 */
export const WEBHOOKS_PATH = '/v1/webhooks';

/**
 * A2. The document names the listing of instances but does not show its path.
 * Override: "Instances Path" in the account credential.
 */
export const INSTANCES_PATH = '/v1/instances';

/**
 * A2 as well: the fields of an instance record are not shown. Its id is in the first of these that is filled
 * in; events call it `instanceId`. Override: an expression in place of the list.
 */
export const INSTANCE_ID_FIELDS = ['id', 'instanceId'] as const;

/**
 * A3. The document shows the values `COMPOSING` and `PAUSED` but not the field that carries them.
 * Override: option "Presence Field".
 */
export const PRESENCE_FIELD = 'presence';

/**
 * A4. The document says that a poll is identified by its `messageId`, not where that identifier goes.
 * Guessed: a query parameter of this name. Override: option "Poll Parameter".
 */
export const POLL_PARAMETER = 'messageId';

/**
 * A5. List payloads are not shown "beyond the id they return". The list is the array in `data`, or the
 * first array found inside it; an element's label is the first of these that is filled in, else its id.
 */
export const LABEL_PATHS = [['name'], ['subject'], ['threadMetadata', 'name', 'text']] as const;

/**
 * A6. The wrapper of the `202` answer to a send is not shown beyond `messageId`: it is looked for in
 * `data`, then at the top. Settings answers are read the same way.
 */
export const ANSWER_WRAPPER = 'data';

/*
 * A7. The full list of event types is not shown; fields/events.ts offers the five that are. Override: option
 * "Custom Events".
 *
 * A8. Of the values of `chat.type` only `GROUP` and `STATUS` are shown. trigger/delivery/filter.ts takes every chat for a
 * person's that is neither, nor a channel by its id. Override: no "Chat Types" chosen.
 *
 * A9. "Which condition yields which status code" is not shown. api/explain.ts reads each as HTTP means it: with 4xx
 * nothing was done, with 5xx it may have been. No override: the service's own words are shown beside the advice.
 *
 * A11. Whether an event is delivered while an earlier one still waits for its answer is not shown.
 * trigger/memory/conversations.ts gathers only events that are. Override: option "Combine Messages" left out.
 */

/**
 * A10. The document shows no lists in pages, and further pages are not read. Should the list of webhooks be cut all the
 * same, these fields or the header `Link` are taken to say so. They are looked for in the answer, in `data`, and in what
 * `inside` names, whatever their case, with or without "_".
 * No override: n8n's log says that the list is cut.
 */
export const PAGING_FIELDS = {
	next: ['next', 'nextpage', 'nexturl'],
	cursor: ['nextcursor', 'cursor'],
	more: ['hasmore', 'hasnext', 'hasnextpage'],
	page: ['page', 'currentpage'],
	pages: ['pages', 'totalpages', 'lastpage'],
	total: ['total', 'totalcount'],
	offset: ['offset'],
	count: ['count'],
	size: ['limit', 'perpage', 'pagesize'],
	inside: ['meta', 'pagination', 'paging', 'pageinfo', 'links', 'cursors'],
} as const;
