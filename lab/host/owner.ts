/** The one who sets up n8n in tests. In the demo, which has a password of its own, all but the password. */
export const OWNER = {
	email: 'owner@example.com',
	password: 'Messaging1',
	firstName: 'Gateway',
	lastName: 'Owner',
};
