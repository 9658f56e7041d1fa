/** The one who sets up n8n in tests and in the demo. */
export const OWNER = {
	email: 'owner@example.com',
	password: 'Messaging1',
	firstName: 'Gateway',
	lastName: 'Owner',
};
