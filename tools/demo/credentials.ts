import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { N8nApi, StoredCredential } from '../../host/api';
import { credentialData } from '../../host/host';
import type { Simulator } from '../../simulator';
import type { Note } from './note';
import type { StandIns } from './standIns';

interface DemoCredential {
	type: string;
	/** As n8n shows it. */
	name: string;
	data: ICredentialDataDecryptedObject;
	/** What of the data changes with the addresses of a start. */
	address: ICredentialDataDecryptedObject;
}

/** Everything that the demo and the examples sign in with. */
export function describeCredentials(gateway: Simulator, standIns: StandIns): DemoCredential[] {
	const { account, instance } = credentialData(gateway);
	const { smtp, redis, modelUrl } = standIns;
	const withoutLogin = { user: '', password: '', secure: false, disableStartTls: true };
	return [
		{
			type: 'messagingGatewayAccountApi',
			name: 'Messaging Gateway account',
			data: account,
			address: { baseUrl: gateway.url },
		},
		{
			type: 'messagingGatewayInstanceApi',
			name: 'Messaging Gateway instance',
			data: instance,
			address: { baseUrl: gateway.url },
		},
		{
			type: 'smtp',
			name: 'Mailbox of the demo',
			data: { ...withoutLogin, ...smtp },
			address: { ...smtp },
		},
		{
			type: 'redis',
			name: 'Redis of the demo',
			data: { user: '', password: '', database: 0, ssl: false, ...redis },
			address: { ...redis },
		},
		{
			type: 'openAiApi',
			name: 'Language model of the demo',
			data: { apiKey: 'none-is-needed', url: modelUrl },
			address: { url: modelUrl },
		},
	];
}

/**
 * Makes each once. Then those follow that still hold the address of the last start, also if the person has made them.
 * @returns those of the demo that are there
 */
export async function provideCredentials(
	api: N8nApi,
	wanted: DemoCredential[],
	note: Note,
): Promise<Record<string, StoredCredential>> {
	const stored = await api.listCredentials();
	for (const { type, name, data, address } of wanted) {
		for (const credential of stored.filter((each) => each.type === type))
			await follow(api, credential, note.addresses[type], address);
		note.credentialIds[type] ??= (await api.createCredential(type, name, data)).id;
		note.addresses[type] = address;
	}
	const ids = Object.values(note.credentialIds);
	const there = (await api.listCredentials()).filter(({ id }) => ids.includes(id));
	return Object.fromEntries(there.map((credential) => [credential.type, credential]));
}

async function follow(
	api: N8nApi,
	credential: StoredCredential,
	before: ICredentialDataDecryptedObject | undefined,
	now: ICredentialDataDecryptedObject,
): Promise<void> {
	if (before === undefined || isPart(now, before)) return;
	const data = await api.readCredential(credential.id);
	if (isPart(before, data)) await api.updateCredential(credential, { ...data, ...now });
}

function isPart(
	part: ICredentialDataDecryptedObject,
	whole: ICredentialDataDecryptedObject,
): boolean {
	return Object.entries(part).every(([name, value]) => whole[name] === value);
}
