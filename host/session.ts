export interface OwnerDetails {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}

/** What n8n answered when it refused a request: its status and its own words. */
export class N8nRefusal extends Error {
	constructor(
		readonly status: number,
		message: string,
	) {
		super(message);
	}
}

/** Somebody signed in at an n8n. */
export class N8nSession {
	/** What the browser would send along. */
	cookie = '';

	/** @param url n8n's address without a trailing slash */
	constructor(readonly url: string) {}

	/** Makes the first user, the owner, and is signed in as them from then on. */
	async setUpOwner(owner: OwnerDetails): Promise<void> {
		await this.request('POST', '/owner/setup', owner);
	}

	async signIn(email: string, password: string): Promise<void> {
		await this.request('POST', '/login', { emailOrLdapLoginId: email, password });
	}

	/**
	 * Any request of the editor.
	 * @param path under `/rest`
	 * @returns the answer's `data`
	 * @throws N8nRefusal when n8n answers with anything but 2xx
	 */
	async request<T>(method: string, path: string, body?: object): Promise<T> {
		const response = await fetch(`${this.url}/rest${path}`, {
			method,
			// n8n closes a connection after five idle seconds, on a busy machine just as the next request is sent.
			headers: {
				'content-type': 'application/json',
				'browser-id': 'test',
				cookie: this.cookie,
				connection: 'close',
			},
			...(body && { body: JSON.stringify(body) }),
		});
		const cookies = response.headers.getSetCookie();
		if (cookies.length > 0) this.cookie = cookies.map((cookie) => cookie.split(';')[0]).join('; ');
		const text = await response.text();
		if (!response.ok)
			throw new N8nRefusal(response.status, `${method} ${path}: ${response.status} ${text}`);
		return (text === '' ? undefined : (JSON.parse(text) as { data: T }).data) as T;
	}
}
