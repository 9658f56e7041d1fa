import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	IN8nHttpFullResponse,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { readAccess, readToken, type Access } from './access';
import { nameGateway } from './address';
import { isObject, readList, readResult } from './answer';
import { withinTime } from './deadline';
import { isSuccess } from './exchange';
import { judgeLoss } from './loss';
import { LONGEST_WORDS, toPlainText } from './plainText';
import { LARGEST_LIST, readAnswer } from './readAnswer';
import { hideSecrets } from './secrets';
import { TOKEN_FIELDS, whySecretUnfit, type TokenKind } from './token';

const TIMEOUT_MS = 10_000;

/** Lists the webhooks with the token that the person typed, and says what came of it. */
export async function testAccountCredential(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await testCredential(this, credential, ['account']);
}

/**
 * Reads the settings of the number with the token that the person typed, and says what came of it. Where the credential
 * holds the account token as well, the webhooks are listed with that.
 */
export async function testInstanceCredential(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const holdsBoth = readToken({ ...credential.data } as IDataObject, 'account') !== '';
	return await testCredential(this, credential, holdsBoth ? ['instance', 'account'] : ['instance']);
}

/**
 * n8n could make the request of a test by itself, but of a connection that is not made it says no more than
 * its code, such as ECONNREFUSED.
 */
async function testCredential(
	{ helpers }: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
	kinds: TokenKind[],
): Promise<INodeCredentialTestResult> {
	let trouble: string | undefined;
	try {
		const held = kinds.map((kind) => ({ kind, access: readAccess(data as never, kind) }));
		trouble = findUnfitSecret(data) ?? (await tryAll(helpers, held));
	} catch (unusable) {
		trouble = (unusable as Error).message;
	}
	return trouble === undefined
		? {
				status: 'OK',
				message: `The gateway accepts ${kinds.length > 1 ? 'both tokens' : 'this token'}.`,
			}
		: { status: 'Error', message: toPlainText(trouble, LONGEST_WORDS) };
}

function findUnfitSecret({ webhookSecret }: IDataObject): string | undefined {
	const secret = String(webhookSecret ?? '').trim();
	const unfit = secret === '' ? undefined : whySecretUnfit(secret);
	return (
		unfit &&
		`The webhook secret cannot be right: ${unfit}. Copy it again, whole, as the gateway showed it, or leave the field empty.`
	);
}

/** A token of the credential that is tried. */
interface HeldToken {
	kind: TokenKind;
	access: Access;
}

/** Tries each token, and says which of them fails, unless the same is true of all. */
async function tryAll(
	helpers: ICredentialTestFunctions['helpers'],
	held: HeldToken[],
): Promise<string | undefined> {
	const troubles = await Promise.all(held.map(async (each) => await tryToken(helpers, each)));
	if (troubles.every((trouble) => trouble === troubles[0])) return troubles[0];
	return held
		.map(({ kind }, index) => troubles[index] && `${TOKEN_FIELDS[kind]}: ${troubles[index]}`)
		.filter(Boolean)
		.join(' ');
}

async function tryToken(
	{ request }: ICredentialTestFunctions['helpers'],
	{ kind, access: { baseUrl, token, secrets, paths } }: HeldToken,
): Promise<string | undefined> {
	const place = nameGateway(baseUrl);
	try {
		const { status, body } = await withinTime(TIMEOUT_MS, undefined, async (signal) => {
			const response = (await request({
				method: 'GET',
				uri: baseUrl + (kind === 'account' ? paths.webhooksPath : '/v1/instance/settings'),
				headers: { Accept: 'application/json', Authorization: `Bearer ${token}` },
				timeout: TIMEOUT_MS,
				followRedirect: false,
				simple: false,
				useStream: true,
				resolveWithFullResponse: true,
			})) as IN8nHttpFullResponse;
			const reading = { hide: hideSecrets(secrets), mostBytes: LARGEST_LIST, signal };
			return { status: response.statusCode, ...(await readAnswer(response, reading)) };
		});
		if (!isSuccess({ status })) return describeStatus(status, kind);
		return isExpected(body, kind)
			? undefined
			: 'Something answers at this address, but it is not the gateway. Check Base URL.';
	} catch (thrown) {
		return describeLoss(thrown, place);
	}
}

function isExpected(body: unknown, kind: TokenKind): boolean {
	return kind === 'account' ? readList(body) !== undefined : isObject(readResult(body));
}

function describeLoss(thrown: unknown, place: string): string {
	const { reason, code, text } = judgeLoss(thrown);
	switch (reason) {
		case 'certificate':
			return `n8n does not trust the certificate of ${place} (${code}). Use a valid certificate there, or correct Base URL.`;
		case 'unreached':
			return `The gateway cannot be reached at ${place} (${code}). Check Base URL, and that the gateway is running and reachable from n8n.`;
		case 'late':
			return `${place} did not answer within ${TIMEOUT_MS / 1000} seconds. Check Base URL, or try again later.`;
		case 'forbidden':
			return `n8n does not allow requests to ${place}: ${text}`;
		default:
			return `The connection to ${place} broke off before an answer arrived. Check Base URL, or try again later.`;
	}
}

function describeStatus(status: number, kind: TokenKind): string {
	switch (status) {
		case 401:
			return kind === 'account'
				? 'The gateway does not accept this account token. Copy it again from the dashboard, or generate a new one.'
				: 'The gateway does not accept this instance token. Copy it again, or ask for a new one.';
		case 403:
			return kind === 'account'
				? 'The gateway knows this token but does not let it manage webhooks. Use the account token (svc_acct_…).'
				: 'The gateway knows this token but does not let it act for a number. Use the instance token (svc_inst_…).';
		case 404:
			return kind === 'account'
				? 'Something answers at this address, but there are no webhooks under this path. Check Base URL and Webhooks Path.'
				: 'Something answers at this address, but it is not the gateway. Check Base URL.';
		case 429:
			return 'Too many requests in a short time. Wait a minute and test again.';
		case 502:
			return 'The messaging network behind the gateway did not respond (HTTP 502). Try again later.';
		default:
			if (status >= 300 && status < 400)
				return 'The gateway points to another address. Put the final address into Base URL.';
			return status >= 500
				? `The gateway could not process the request (HTTP ${status}). Try again later.`
				: `The gateway does not accept this test (HTTP ${status}). Check Base URL and the token.`;
	}
}
