import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	IN8nHttpFullResponse,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { isObject, readList, readResult } from './answer';
import { connect, ownToken, readFurtherNumbers, type Connection } from './connection';
import { joinSentences } from './failure';
import { toPlainText } from './plainText';
import { whySecretUnfit, type TokenKind } from './token';
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
	return await tryTokens(this.helpers, [readTrial(data as IDataObject, 'account')]);
}

/** Reads the settings of each number with its token, and lists the webhooks with the account token if there is one. */
export async function testInstanceCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const credential = data as IDataObject;
	const hasAccountToken = ownToken(credential, 'account') !== '';
	return await tryTokens(this.helpers, [
		readTrial(credential, 'instance'),
		...(hasAccountToken ? [readTrial(credential, 'account')] : []),
		...readFurtherNumbers(credential).map(({ line, instanceId, token }) => ({
			place: `line ${line} of 'Further Numbers'`,
			open: () => {
				if (token !== '') return connect(credential, 'instance', instanceId);
				throw new Error(
					`Line ${line} of 'Further Numbers' must hold an instance ID and its token, e.g. inst_1, svc_inst_…`,
				);
			},
		})),
	]);
}

/** A token to try. */
interface Trial {
	/** Its place in the credential, if it has no field of its own. */
	place?: string;
	/** @throws {Error} if the credential cannot work */
	open(): Connection;
}

function readTrial(credential: IDataObject, kind: TokenKind): Trial {
	return { open: () => connect(credential, kind) };
}

async function tryTokens(helpers: Helpers, trials: Trial[]): Promise<INodeCredentialTestResult> {
	for (const { place, open } of trials) {
		try {
			await tryToken(helpers, open(), place);
		} catch (error) {
			return fail((error as Error).message);
		}
	}
	const tokens = trials.length === 1 ? 'the token' : `all ${trials.length} tokens`;
	return { status: 'OK', message: `The gateway accepts ${tokens}.` };
}

/**
 * n8n's own request of a credential test says no more of a refused connection than its code.
 *
 * @throws {Error} if the gateway does not accept the token
 */
async function tryToken(
	{ request }: Helpers,
	{ kind, baseUrl, token, names }: Connection,
	place?: string,
): Promise<void> {
	const path = kind === 'account' ? names.webhooksPath : '/v1/instance/settings';
	const asking = request({
		method: 'GET',
		uri: baseUrl + path,
		headers: { Accept: 'application/json', Authorization: `Bearer ${token}` },
		timeout: TIMEOUT_MS,
		followRedirect: false,
		simple: false,
		json: true,
		resolveWithFullResponse: true,
	}) as Promise<IN8nHttpFullResponse>;
	const { statusCode, body, headers } = await asking.catch((error: unknown) => {
		const { message, description } = explainNetworkError(error, baseUrl);
		throw new Error(joinSentences(message, description));
	});
	const isExpected = kind === 'account' ? readList(body) !== undefined : isObject(readResult(body));
	if (statusCode === 200 && isExpected) return;
	const location = headers.location as string | undefined;
	throw new Error(adviseOnStatus(statusCode, { kind, path, location, place }));
}

function fail(message: string): INodeCredentialTestResult {
	return { status: 'Error', message: toPlainText(message, MAX_MESSAGE_LENGTH) };
}
