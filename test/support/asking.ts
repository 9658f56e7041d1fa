import { CredentialTestContext, LoadOptionsContext } from 'n8n-core';
import type { ICredentialTestFunctions, INodeCredentialTestResult } from 'n8n-workflow';
import { engine, gateway } from './engineAndGateway';
import { credentialsOf } from './runOperation';

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
