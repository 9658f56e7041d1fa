/** Known words, folded: what they say, and what may stand beside them. */
export interface Word {
	/** Whether they approve; undefined for what only accompanies an answer. */
	approves?: boolean;
	/**
	 * `lead` may stand beside any `phrase`, of which a sentence has one. `verb` is a phrase that a "no" in front turns round.
	 * `sign` may stand beside everything. `well` is a lead that only greets back behind a `greeting`. `regret` accompanies a
	 * refusal only, `greeting` and `courtesy` both.
	 */
	role: 'lead' | 'phrase' | 'verb' | 'sign' | 'well' | 'greeting' | 'regret' | 'courtesy';
}

const YES =
	'yes,yep,yup,yeah,yea,ya,y,aye,ok,okay,okey,okie dokie,sure,sure thing,of course,absolutely,definitely,certainly,perfect,' +
	'sim,s,ss,claro,com certeza,com toda certeza,certeza,sem duvida,certo,ta,ta bom,ta ok,ta certo,perfeito,show,joia,logico,exato,exatamente,positivo,uhum,aham';
const WELL = 'alright,all right,fine,beleza,blz,tudo bem,tudo certo,td certo';
const YES_PHRASES =
	'by all means,go ahead,proceed,go for it,do it,please do,approve,approved,approve it,i approve,i approve it,accept,accepted,confirm,confirmed,i confirm,agree,agreed,i agree,fine by me,thats fine,that is fine,sounds good,sounds good to me,looks good,looks good to me,lgtm,good to go,correct,thats right,that is right,thats correct,that is correct,affirmative,sure why not,i do,deal,' +
	'claro que sim,pode,pode ser,pode fazer,pode fazer isso,pode mandar,pode seguir,pode prosseguir,pode aprovar,pode confirmar,pode ir,pode liberar,pode enviar,pode pagar,pode reembolsar,esta bem,esta bom,por mim tudo bem,por mim ok,por mim pode,tranquilo,fechado,fechou,combinado,correto,confirmo,confirmado,confirmada,aprovo,aprovado,aprovada,autorizo,autorizado,autorizada,concordo,de acordo,aceito,aceita,aceite,libera,libero,liberado,liberada,isso,isso mesmo,isso ai,e isso,e isso ai,bora,bora la,manda ver,quero';
const YES_SIGNS = '👍,👌,✅,✔,☑,🆗';
const NO = 'no,nope,nah,nay,n,nao,naum,nn';
const NO_SIGNS = '👎,❌,✖,🚫,🙅,🙅‍♀,🙅‍♂';
const NO_PHRASES =
	'no way,never,dont,do not,dont do it,do not do it,please dont,not approved,not ok,not okay,of course not,absolutely not,definitely not,certainly not,i do not approve,i dont approve,i do not agree,i dont agree,i dont,i do not,do not approve,dont approve,not a chance,hell no,unfortunately not,' +
	'nao pode,nao aprovo,nao aprovado,nao aprovada,nao autorizo,nao autorizado,nao concordo,nao confirmo,nao aceito,nao quero,nao faca,nao faca isso,nao libera,nao libere,nao liberado,nao liberada,nao pode fazer,nao pode aprovar,nao pode mandar,nao aprove,nao aprovar,nao mesmo,claro que nao,com certeza nao,melhor nao,de jeito nenhum,de forma alguma,de maneira nenhuma,de maneira alguma,nem a pau,sem chance,nem pensar,nunca,jamais';
const NO_VERBS =
	'negative,decline,declined,i decline,deny,denied,reject,rejected,i reject,i reject it,refuse,i refuse,refused,disapprove,disapproved,disagree,i disagree,' +
	'negativo,nego,negado,negada,recuso,recusado,recusada,reprovo,reprovado,reprovada,rejeito,rejeitado,rejeitada,discordo';
const COURTESY =
	'please,pls,plz,thanks,thank you,thx,sir,maam,boss,🙏,❤,😊,🙂,😀,😃,😄,😁,' +
	'por favor,pf,pfv,obrigado,obrigada,obg,valeu,vlw,chefe,senhor,senhora';
const GREETING =
	'hi,hello,hey,good morning,good afternoon,good evening,oi,ola,opa,bom dia,boa tarde,boa noite';
const REGRET = 'sorry,unfortunately,desculpe,desculpa,infelizmente,😢,😞,😔,😕,🙁';

function listWords(words: string, word: Word): Array<[string, Word]> {
	return words.split(',').map((each) => [each, { ...word }]);
}

export const KNOWN_WORDS: ReadonlyMap<string, Word> = new Map([
	...listWords(YES, { approves: true, role: 'lead' }),
	...listWords(YES_PHRASES, { approves: true, role: 'phrase' }),
	...listWords(NO, { approves: false, role: 'lead' }),
	...listWords(NO_PHRASES, { approves: false, role: 'phrase' }),
	...listWords(NO_VERBS, { approves: false, role: 'verb' }),
	...listWords(YES_SIGNS, { approves: true, role: 'sign' }),
	...listWords(NO_SIGNS, { approves: false, role: 'sign' }),
	...listWords(WELL, { approves: true, role: 'well' }),
	...listWords(GREETING, { role: 'greeting' }),
	...listWords(COURTESY, { role: 'courtesy' }),
	...listWords(REGRET, { role: 'regret' }),
]);
