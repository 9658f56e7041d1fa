import type { AcceptedSend } from '../../lab/simulator';

/**
 * The number of a label of an approval, as the message that was sent shows it.
 *
 * @throws {Error} if the message shows none
 */
export function numberOf({ sent }: { sent: AcceptedSend }, label: 'yes' | 'no' = 'yes'): string {
	const end = label === 'yes' ? 1 : 2;
	const [number] = new RegExp(`^\\d{2,3}${end}(?=\\. )`, 'm').exec(sent.text) ?? [];
	if (number === undefined) throw new Error(`The message shows no number: ${sent.text}`);
	return number;
}
