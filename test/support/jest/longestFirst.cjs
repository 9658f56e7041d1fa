const { default: Sequencer } = require('@jest/test-sequencer');

/** Files that take long although they are short, which is all that jest knows of a file on a fresh machine. */
const UNDERESTIMATED = /(hearing|reviewing)\.test\.ts$/;

/** Begins with what takes longest, so that at the end no file runs alone for minutes. */
module.exports = class extends Sequencer {
	sort(tests) {
		const sorted = super.sort(tests);
		const rank = ({ path, duration }) =>
			duration === undefined && UNDERESTIMATED.test(path) ? 0 : 1;
		return sorted.toSorted((one, other) => rank(one) - rank(other));
	}
};
