import { createRandom } from '../../random';

// A case that fails once fails again.
const random = createRandom(20_260_114);

export const draw = (choices: string | string[]): string => random.pick([...choices]);

export const drawDigits = (length: number): string =>
	Array.from({ length }, () => draw('0123456789')).join('');
