import { GROWS_ALIKE, growthOf } from '../growth';

const look = (size: number) => {
	let sum = 0;
	for (let at = 0; at < size; at++) sum += at % 7;
	return sum;
};

it('what grows with the amount alone is told from what grows with its square', () => {
	expect(growthOf((size) => void look(size * 1_000), 100)).toBeLessThan(GROWS_ALIKE);
	expect(growthOf((size) => void look(size * size), 300)).toBeGreaterThan(GROWS_ALIKE);
});
