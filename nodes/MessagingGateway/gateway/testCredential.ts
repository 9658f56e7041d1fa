import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	IN8nHttpFullResponse,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { isObject } from '../json';
import { adviseOnStatus, explainNetworkError } from './advice';
import { ownToken, readConnection, readFurtherNumbers, type Connection } from './connection';
import { readList, readResult } from './content';
import { ENDPOINTS, fillEndpoint } from './endpoints';
import { joinSentences } from './failure';
import { toPlainText } from './plainText';
import { whySecretUnfit } from './secrets';

const TIMEOUT_MS = 10_000;

/** Lists the webhooks with the account token. */
export async function testAccountCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await report(async () => {
		const secret = String(data.webhookSecret ?? '').trim();
		const reason = secret === '' ? undefined : whySecretUnfit(secret);
		if (reason !== undefined)
			throw new Error(
				`'Webhook Secret' cannot be right: ${reason}. Copy it again, or leave it empty.`,
			);
		await testToken(this.helpers, readConnection(data as IDataObject, 'account'));
	});
}

/** Reads the settings of each number with its token, and lists the webhooks with the account token if there is one. */
export async function testInstanceCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const credential = data as IDataObject;
	return await report(async () => {
		const own = readConnection(credential, 'instance');
		await testToken(this.helpers, own);
		if (ownToken(credential, 'account') !== '')
			await testToken(this.helpers, readConnection(credential, 'account'));
		for (const { line, token } of readFurtherNumbers(credential)) {
			const field = `line ${line} of 'Further Numbers'`;
			if (token === '')
				throw new Error(
					`There is no instance ID with its token in ${field}, e.g. inst_1, svc_inst_…`,
				);
			await testToken(this.helpers, { ...own, token }, field);
		}
	});
}

async function report(work: () => Promise<void>): Promise<INodeCredentialTestResult> {
	try {
		await work();
	} catch (error) {
		return { status: 'Error', message: toPlainText((error as Error).message) };
	}
	return { status: 'OK', message: 'The gateway accepts every token of this credential.' };
}

// A declarative test of n8n would show a code only.
async function testToken(
	{ request }: ICredentialTestFunctions['helpers'],
	{ kind, baseUrl, token, overrides }: Connection,
	field?: string,
): Promise<void> {
	const endpoint = kind === 'account' ? ENDPOINTS.getWebhooks : 'GET /v1/instance/settings';
	const { method, path } = fillEndpoint(endpoint, overrides);
	const sending = request({
		method,
		uri: baseUrl + path,
		headers: { Accept: 'application/json', Authorization: `Bearer ${token}` },
		timeout: TIMEOUT_MS,
		followRedirect: false,
		simple: false,
		json: true,
		resolveWithFullResponse: true,
	}) as Promise<IN8nHttpFullResponse>;
	const { statusCode, body, headers } = await sending.catch((error: unknown) => {
		const { message, description } = explainNetworkError(error, baseUrl);
		throw new Error(joinSentences(message, description));
	});
	const isExpected = kind === 'account' ? readList(body) !== undefined : isObject(readResult(body));
	if (statusCode === 200 && isExpected) return;
	const location = headers.location as string | undefined;
	throw new Error(adviseOnStatus(statusCode, { kind, path, location, field }));
}
