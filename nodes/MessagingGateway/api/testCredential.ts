import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	IN8nHttpFullResponse,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { isObject, readList, readResult } from './answer';
import { connect, ownToken, readFurtherNumbers, type Connection } from './connection';
import { toPlainText } from './plainText';
import { TOKENS, whySecretUnfit } from './token';
import { adviseOnStatus, explainNetworkError } from './troubles';

type Helpers = ICredentialTestFunctions['helpers'];

const TIMEOUT_MS = 10_000;
const MAX_MESSAGE_LENGTH = 1_000;

/** Lists the webhooks with the account token. */
export async function testAccountCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const secret = String(data.webhookSecret ?? '').trim();
	const reason = secret === '' ? undefined : whySecretUnfit(secret);
	if (reason !== undefined) {
		return fail(`'Webhook Secret' cannot be right: ${reason}. Copy it again, or leave it empty.`);
	}
	return await testTokens(this.helpers, [() => connect(data as IDataObject, 'account')]);
}

/** Reads the settings of each number with its token, and lists the webhooks with the account token if there is one. */
export async function testInstanceCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const credential = data as IDataObject;
	const numbers = readFurtherNumbers(credential);
	const unreadable = numbers.filter(({ token }) => token === '').map(({ line }) => line);
	if (unreadable.length > 0) {
		return fail(
			`'Further Numbers', line ${unreadable.join(', ')}: a line holds an instance ID and its token, e.g. inst_1, svc_inst_…`,
		);
	}
	const hasAccountToken = ownToken(credential, 'account') !== '';
	return await testTokens(this.helpers, [
		() => connect(credential, 'instance'),
		...(hasAccountToken ? [() => connect(credential, 'account')] : []),
		...numbers.map(
			({ instanceId }) =>
				() =>
					connect(credential, 'instance', instanceId),
		),
	]);
}

/** n8n's own request of a credential test says no more of a refused connection than its code. */
async function testTokens(
	helpers: Helpers,
	connections: Array<() => Connection>,
): Promise<INodeCredentialTestResult> {
	try {
		for (const open of connections) {
			const connection = open();
			const trouble = await tryToken(helpers, connection);
			if (trouble !== undefined) return fail(trouble);
		}
	} catch (error) {
		return fail((error as Error).message);
	}
	const { length } = connections;
	const tokens = length === 1 ? 'the token' : `all ${length} tokens`;
	return { status: 'OK', message: `The gateway accepts ${tokens}.` };
}

async function tryToken(
	{ request }: Helpers,
	{ kind, baseUrl, token, names }: Connection,
): Promise<string | undefined> {
	const path = kind === 'account' ? names.webhooksPath : '/v1/instance/settings';
	const field = `'${TOKENS[kind].fieldName}': `;
	let response: IN8nHttpFullResponse;
	try {
		response = (await request({
			method: 'GET',
			uri: baseUrl + path,
			headers: { Accept: 'application/json', Authorization: `Bearer ${token}` },
			timeout: TIMEOUT_MS,
			followRedirect: false,
			simple: false,
			json: true,
			resolveWithFullResponse: true,
		})) as IN8nHttpFullResponse;
	} catch (error) {
		const { message, description } = explainNetworkError(error, baseUrl);
		return `${message}. ${description}`;
	}
	const { statusCode, body, headers } = response;
	const isExpected = kind === 'account' ? readList(body) !== undefined : isObject(readResult(body));
	if (statusCode === 200 && isExpected) return undefined;
	const location = headers.location as string | undefined;
	return `${field}${adviseOnStatus(statusCode, { kind, path, location })}`;
}

function fail(message: string): INodeCredentialTestResult {
	return { status: 'Error', message: toPlainText(message, MAX_MESSAGE_LENGTH) };
}
