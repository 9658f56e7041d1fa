import type {
	IBinaryKeyData,
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeExecutionData,
	IRun,
	NodeExecutionHint,
	NodeParameterValueType,
} from 'n8n-workflow';
import type { Simulator } from '../../lab/simulator';
import { outputOf, type Engine, type TestCredentials, type TestNode } from './engine';

export interface OperationRun {
	resource: string;
	operation: string;
	parameters?: Record<string, NodeParameterValueType>;
	/** Input items; a single empty one when left out. */
	items?: IDataObject[];
	/** Their files, by index. */
	files?: IBinaryKeyData[];
	onError?: TestNode['onError'];
	/** What is different in the credentials, e.g. another base URL. */
	credential?: ICredentialDataDecryptedObject;
}

export interface OperationResult {
	run: IRun;
	items: INodeExecutionData[];
	/** What goes out of the error output. */
	failedItems: INodeExecutionData[];
	hints: NodeExecutionHint[];
	/** Why the node stopped, in the words a person reads. */
	error?: { message: string; description: string };
}

const NODE = 'Messaging Gateway';

/** Both credentials of a simulated gateway, each with all that it may hold. */
export function credentialsOf(
	gateway: Simulator,
	changes: ICredentialDataDecryptedObject = {},
): TestCredentials {
	const { url: baseUrl, accountToken, instanceToken, numberLines } = gateway;
	return {
		messagingGatewayAccountApi: { baseUrl, accountToken, ...changes },
		messagingGatewayInstanceApi: {
			baseUrl,
			instanceToken,
			accountToken,
			furtherNumbers: numberLines,
			defaultCountry: 'international',
			...changes,
		},
	};
}

/** Runs one operation of the built node in n8n's engine. */
export async function runOperation(
	engine: Engine,
	gateway: Simulator,
	{ resource, operation, parameters, items, files, onError, credential }: OperationRun,
): Promise<OperationResult> {
	const run = await engine.run({
		nodes: [
			{ type: 'messagingGateway', onError, parameters: { resource, operation, ...parameters } },
		],
		credentials: credentialsOf(gateway, credential),
		items,
		files,
	});

	const record = run.data.resultData.runData[NODE]?.at(-1);
	const error = record?.error ?? run.data.resultData.error;

	return {
		run,
		items: outputOf(run, NODE),
		failedItems: outputOf(run, NODE, 1),
		hints: record?.hints ?? [],
		...(error && {
			error: {
				message: error.message,
				description: String((error as { description?: string }).description ?? ''),
			},
		}),
	};
}
