import { randomUUID } from 'node:crypto';
import { CredentialTestContext, LoadOptionsContext } from 'n8n-core';
import type {
	ICredentialTestFunctions,
	IDataObject,
	INodeCredentialTestResult,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';
import { credentialsOf } from './runOperation';
import { engine, gateway } from './stage';

type ListAnswer = INodeListSearchResult | INodePropertyOptions[];

/** What the editor asks for when somebody opens a list of a node. */
export function openLists(
	type: 'messagingGateway' | 'messagingGatewayTrigger',
	changes: Record<string, string> = {},
) {
	const { workflow, additionalData, node } = engine.build({
		nodes: [{ type }],
		credentials: credentialsOf(gateway, changes),
	});
	const { loadOptions = {}, listSearch = {} } = engine.nodeType(type).methods ?? {};
	return {
		context: new LoadOptionsContext(workflow, node(), additionalData, 'parameters.list'),
		loadOptions,
		listSearch,
	};
}

/** All lists of both nodes, or why they cannot be had. */
export async function askForLists(filter?: string): Promise<Array<ListAnswer | Error>> {
	const answers: Array<Promise<ListAnswer>> = [];
	for (const type of ['messagingGateway', 'messagingGatewayTrigger'] as const) {
		const { context, loadOptions, listSearch } = openLists(type);
		for (const load of Object.values(loadOptions)) answers.push(load.call(context));
		for (const search of Object.values(listSearch)) answers.push(search.call(context, filter));
	}
	return await Promise.all(
		answers.map(async (answer) => await answer.catch((error: Error) => error)),
	);
}

/** What n8n does when a person saves a credential or presses Retry. Each holds its own token alone, unless changed. */
export async function testCredential(
	kind: 'account' | 'instance',
	changes: Record<string, string> = {},
	of = gateway,
): Promise<INodeCredentialTestResult> {
	const type = kind === 'account' ? 'messagingGatewayAccountApi' : 'messagingGatewayInstanceApi';
	const { description, methods } = engine.nodeType('messagingGateway');
	const { testedBy } = description.credentials!.find(({ name }) => name === type)!;
	const context = new CredentialTestContext({} as never) as unknown as ICredentialTestFunctions;
	const alone = kind === 'instance' && { accountToken: '' };
	const data = { ...credentialsOf(of)[type], ...alone, ...changes };
	return await methods!.credentialTest![testedBy as string].call(context, {
		id: '1',
		name: 'Gateway',
		type,
		data,
	});
}

/** The tests of both credentials. */
export async function testCredentials(): Promise<INodeCredentialTestResult[]> {
	return [await testCredential('account'), await testCredential('instance')];
}

/** The trigger's life from its publication on: what is kept of it, and what each step answers or throws. */
export async function liveTrigger(): Promise<{ kept: IDataObject; said: unknown[] }> {
	const built = engine.build({
		id: randomUUID(),
		nodes: [{ type: 'messagingGatewayTrigger', name: 'Trigger', webhookId: 'hook' }],
		credentials: credentialsOf(gateway),
		staticData: {},
	});
	const said: unknown[] = [];
	for (const method of ['checkExists', 'create', 'checkExists', 'delete'] as const)
		said.push(await engine.hook(method, built).catch((error: unknown) => error));
	return { kept: built.staticData, said };
}
