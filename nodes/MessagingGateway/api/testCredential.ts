import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { readAccess, type Access } from './access';
import { readToken, type FurtherNumber } from './numbers';
import { LONGEST_WORDS, toPlainText } from './plainText';
import { TOKENS, whySecretUnfit, type TokenKind } from './token';
import { tryToken, type TokenTrouble } from './tryToken';

type Helpers = ICredentialTestFunctions['helpers'];

/** So many of the further numbers are tried at once, and none is begun later than this. */
const TOGETHER = 10;
const WITHIN_MS = 30_000;
const MOST_NAMED = 10;

/** Lists the webhooks with the token that the person typed, and says what came of it. */
export async function testAccountCredential(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await testCredential(this, credential, ['account']);
}

/**
 * Reads the settings of each number with the token that the person typed for it, and says what came of it. Where the
 * credential holds the account token as well, the webhooks are listed with that.
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
	let count = kinds.length;
	try {
		const held = kinds.map((kind) => ({ kind, access: readAccess(data as never, kind) }));
		count += held[0].access.numbers.numbers.length;
		trouble = findUnfitSecret(data) ?? (await tryAll(helpers, held));
	} catch (unusable) {
		trouble = (unusable as Error).message;
	}
	if (trouble !== undefined)
		return { status: 'Error', message: toPlainText(trouble, LONGEST_WORDS) };
	const tokens = count === 1 ? 'this token' : count === 2 ? 'both tokens' : `all ${count} tokens`;
	return { status: 'OK', message: `The gateway accepts ${tokens}.` };
}

function findUnfitSecret({ webhookSecret }: IDataObject): string | undefined {
	const secret = String(webhookSecret ?? '').trim();
	const unfit = secret === '' ? undefined : whySecretUnfit(secret);
	return (
		unfit &&
		`The webhook secret cannot be right: ${unfit}. Copy it again, whole, as the gateway showed it, or leave the field empty.`
	);
}

/** Tries each token, and says which of them fails, unless the same is true of all. */
async function tryAll(
	helpers: Helpers,
	held: Array<{ kind: TokenKind; access: Access }>,
): Promise<string | undefined> {
	const troubles = await Promise.all(
		held.map(async ({ kind, access }) => await tryToken(helpers, kind, access)),
	);
	const [{ access }] = held;
	const isAlone = access.numbers.numbers.length === 0;
	// What keeps the gateway from answering would keep it from answering a thousand times.
	const isSilent = troubles.some((trouble) => trouble?.isAnswered === false);
	const [first] = troubles;
	if ((isAlone || isSilent) && troubles.every((trouble) => trouble?.words === first?.words))
		return first?.words;
	const own = held.map(
		({ kind }, index) => troubles[index] && `${TOKENS[kind].fieldName}: ${troubles[index].words}`,
	);
	const further = isSilent ? undefined : await tryFurther(helpers, access);
	return [...own, further].filter(Boolean).join(' ') || undefined;
}

/** Tries the token of each further number, and names the lines of those that fail. */
async function tryFurther(helpers: Helpers, access: Access): Promise<string | undefined> {
	const { numbers } = access.numbers;
	const giveUpAt = Date.now() + WITHIN_MS;
	const troubles = new Map<FurtherNumber, TokenTrouble>();
	const left = [...numbers];
	const work = async (): Promise<void> => {
		while (Date.now() < giveUpAt) {
			const number = left.shift();
			if (number === undefined) return;
			const trouble = await tryToken(helpers, 'instance', { ...access, token: number.token });
			if (trouble !== undefined) troubles.set(number, trouble);
		}
	};
	await Promise.all(Array.from({ length: TOGETHER }, work));
	const places = new Map<string, string[]>();
	for (const number of numbers) {
		const words = troubles.get(number)?.words;
		if (words !== undefined) places.set(words, [...(places.get(words) ?? []), number.place]);
	}
	const failing = [...places].map(([words, failed]) => `${listPlaces(failed)}: ${words}`);
	const untried = left.at(0)?.place;
	if (untried !== undefined)
		failing.push(`${untried} and the numbers after it were not tried: the test took too long.`);
	return failing.length === 0 ? undefined : `Further Numbers, ${failing.join(' ')}`;
}

function listPlaces(places: string[]): string {
	const named = places.slice(0, MOST_NAMED).join(', ');
	const rest = places.length - MOST_NAMED;
	return rest > 0 ? `${named} and ${rest} more` : named;
}
