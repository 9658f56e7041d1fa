import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	IN8nHttpFullResponse,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { adviseOnStatus, explainNetworkError } from '../gateway/advice';
import { describeResponse, ownWordsOf } from '../gateway/call';
import {
	ownToken,
	readConnection,
	readFurtherNumbers,
	type Connection,
} from '../gateway/connection';
import { isWebPage, readItems } from '../gateway/content';
import { ENDPOINTS, fillEndpoint } from '../gateway/endpoints';
import { joinSentences, toPlainText } from '../gateway/failure';
import { whySecretUnfit } from '../gateway/secrets';

const TIMEOUT_MS = 10_000;

/** Lists the webhooks with the account token. */
export const testAccountCredential = makeTest(async (credential, testToken) => {
	requireFitSecret(credential);
	await testToken(readConnection(credential, 'account'));
});

/** Reads the settings of each number, and lists the webhooks if there is an account token. */
export const testInstanceCredential = makeTest(async (credential, testToken) => {
	const own = readConnection(credential, 'instance');
	await testToken(own);

	if (ownToken(credential, 'account') !== '') {
		await testToken(readConnection(credential, 'account'));
	}

	for (const { line, token } of readFurtherNumbers(credential)) {
		const field = `line ${line} of 'Further Numbers'`;
		if (token === '') {
			throw new Error(
				`There is no instance ID with its token in ${field}, e.g. inst_1, svc_inst_…`,
			);
		}
		await testToken({ ...own, token }, field);
	}
});

function requireFitSecret({ webhookSecret }: IDataObject): void {
	const secret = String(webhookSecret ?? '').trim();
	const reason = secret === '' ? undefined : whySecretUnfit(secret);
	if (reason === undefined) return;

	throw new Error(`'Webhook Secret' cannot be right: ${reason}. Copy it again, or leave it empty.`);
}

/** Throws what is wrong with a token. `field` is its place, if not the credential's own field. */
type TokenTest = (connection: Connection, field?: string) => Promise<void>;

/** n8n's method for a test, which throws what is wrong. A declarative one shows a code only. */
function makeTest(test: (credential: IDataObject, testToken: TokenTest) => Promise<void>) {
	return async function (
		this: ICredentialTestFunctions,
		{ data = {} }: ICredentialsDecrypted,
	): Promise<INodeCredentialTestResult> {
		try {
			await test(data as IDataObject, makeTokenTest(this.helpers));
		} catch (error) {
			return { status: 'Error', message: toPlainText((error as Error).message, MAX_LENGTH) };
		}
		return { status: 'OK', message: 'The gateway accepts every token of this credential.' };
	};
}

/** The gateway's words and the advice together. */
const MAX_LENGTH = 1_000;

function makeTokenTest({ request }: ICredentialTestFunctions['helpers']): TokenTest {
	return async (connection, field) => {
		const { kind, baseUrl, token, overrides } = connection;
		const isAccount = kind === 'account';
		const endpoint = isAccount ? ENDPOINTS.getWebhooks : 'GET /v1/instance/settings';
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
		const received = await sending.catch((error: unknown) => {
			const { message, description } = explainNetworkError(error, baseUrl);
			throw new Error(joinSentences(message, description));
		});

		const { statusCode: status, body } = received;
		const headers = received.headers as Record<string, string>;
		const response = { status, headers, body, path };
		const isExpected = readItems(body, isAccount ? 'list' : 'object') !== undefined;
		if (status === 200 && isExpected) return;

		const isPage = isWebPage(response);
		const advice = adviseOnStatus(status, {
			kind,
			path: toPlainText(path),
			location: headers.location,
			field,
			isPage,
			isCredentialTest: true,
		});
		const words = ownWordsOf(body) ?? (isPage ? describeResponse(response) : '');
		throw new Error(joinSentences(words, advice));
	};
}
