/** Far more than a label has; what a stranger writes is not looked at for nothing. */
const LONGEST = 1_000;

const ASSENT =
	'yes,y,yep,yeah,yup,sure,ok,okay,of course,go ahead,do it,please do,yes go ahead,yes do it,approve,approved,i approve,accept,accepted,agree,agreed,i agree,confirm,confirmed,👍,✅,✔,👌,' +
	'sim,s,claro,claro que sim,com certeza,pode,pode sim,sim pode,pode ser,pode fazer,ta bom,tudo bem,isso,beleza,blz,aprovo,aprovado,aprovada,aceito,aceita,aceite,concordo,confirmo,confirmado,autorizo,autorizado';
const REFUSAL =
	'no,n,nope,nah,never,dont,don t,do not,no way,dont do it,don t do it,do not do it,decline,declined,i decline,deny,denied,reject,rejected,i reject,refuse,refused,disapprove,disapproved,disagree,👎,❌,✖,🚫,' +
	'nao,nao pode,claro que nao,de jeito nenhum,negativo,negado,nego,nao aprovo,nao aprovado,nao autorizo,nao autorizado,nao concordo,nao confirmo,nao aceito,nao faca,nem pensar,recuso,recusado,reprovo,reprovado,rejeito,rejeitado';

const assent = new Set(ASSENT.split(','));
const refusal = new Set(REFUSAL.split(','));

const POLITE_END = /(?: (?:please|thanks|thank you|por favor|obrigad[oa])){1,5}$/;
const SIGN = / ?\p{Extended_Pictographic}/gu;
const REPEATED = /^(\S+)(?: \1)+$/u;

/** What remains of a text where case, accents, punctuation and skin tones do not matter. */
export function fold(text: string): string {
	return text
		.slice(0, LONGEST)
		.toLowerCase()
		.normalize('NFKD')
		.replace(/[\p{M}\p{Emoji_Modifier}]/gu, '')
		.replace(/[^\p{L}\p{N}\p{Extended_Pictographic}]+/gu, ' ')
		.trim();
}

/** A folded text without signs such as 👍 or 🙏. */
export function dropSigns(folded: string): string {
	return folded.replace(SIGN, '').trim();
}

/**
 * Whether a folded text says yes or no in plain words of English or Portuguese; undefined where it says more, or neither.
 * Of signs beside words, those count that are a yes or a no themselves.
 *
 * @param readLabel whether its words are a label that stands for one of them
 */
export function readConsent(
	folded: string,
	readLabel: (words: string) => boolean | undefined = () => undefined,
): boolean | undefined {
	const words = dropSigns(folded);
	const plain = words.replace(POLITE_END, '').replace(REPEATED, '$1');
	const signs = (folded.match(SIGN) ?? []).map(readPlain).filter((sign) => sign !== undefined);
	const meant = new Set([...signs, ...(words ? [readLabel(words) ?? readPlain(plain)] : [])]);
	return meant.size === 1 ? [...meant][0] : undefined;
}

function readPlain(said: string): boolean | undefined {
	if (assent.has(said.trim())) return true;
	return refusal.has(said.trim()) ? false : undefined;
}
