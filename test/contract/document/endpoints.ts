/** Every endpoint of the API document ("Endpoints", and those that "Gaps" names), retyped from it. */
export const ENDPOINTS = [
	'POST /v1/messages/send-text',
	'POST /v1/messages/presence',
	'GET /v1/messages/poll-results',
	'POST /v1/chats/archive',
	'POST /v1/chats/mute',
	'POST /v1/labels/assign-message',
	'POST /v1/labels/unassign-message',
	'POST /v1/profile/update-status',
	'POST /v1/communities/create',
	'POST /v1/communities/add-groups',
	'GET /v1/communities',
	'GET /v1/groups',
	'POST /v1/newsletters/create',
	'GET /v1/newsletters',
	'POST /v1/instance/disconnect',
	'POST /v1/instance/reconnect',
	'POST /v1/instance/settings',
	'GET /v1/instance/settings',
] as const;

/** Endpoints that the document names without showing where they are: the paths are this package's guesses. */
export const GUESSED_ENDPOINTS = [
	'GET /v1/instances',
	'POST /v1/webhooks',
	'GET /v1/webhooks',
	'PATCH /v1/webhooks/{id}',
	'DELETE /v1/webhooks/{id}',
] as const;
