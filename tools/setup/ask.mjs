import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';

/** Whether a person sits at the terminal. */
export function canAnswer() {
	return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** Asks a question that is answered with yes or no; no, unless somebody says yes. */
export async function agrees(question) {
	const terminal = createInterface({ input: process.stdin, output: process.stdout });
	// Whoever ends the input, or interrupts, has not agreed.
	const ended = once(terminal, 'close').then(() => '');
	const answer = await Promise.race([terminal.question(question), ended]).catch(() => '');
	terminal.close();
	return /^\s*y(es)?\s*$/i.test(answer);
}
