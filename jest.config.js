const transform = {
	'^.+\\.ts$': [
		'@swc/jest',
		{ jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
	],
};

const SETUP = '<rootDir>/test/support/jest';

/**
 * The tests in one folder.
 * @param limit the file that sets the time after which a test has failed. Jest has no such setting for a project.
 */
const suite = (name, limit) => ({
	displayName: name,
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	setupFilesAfterEnv: [`${SETUP}/tidy.ts`, `${SETUP}/${limit}`],
	transform,
});

const withRealN8n = {
	globalSetup: `${SETUP}/share.ts`,
	globalTeardown: `${SETUP}/unshare.ts`,
};

const COVERED = ['trigger', 'incoming', 'question', 'action', 'gateway', 'n8n'];

module.exports = {
	// By default, jest leaves one core to itself.
	maxWorkers: '100%',
	// For `npm run spec -- --coverage`, which fails below the thresholds.
	collectCoverageFrom: COVERED.map((name) => `nodes/MessagingGateway/${name}/**/*.ts`),
	coverageThreshold: Object.fromEntries(
		COVERED.map((name) => [`./nodes/MessagingGateway/${name}/`, { branches: 95 }]),
	),
	coverageProvider: 'v8',
	coverageReporters: ['text'],
	testSequencer: `${SETUP}/longestFirst.cjs`,
	projects: [
		{ ...suite('spec', 'limitSpec.ts'), setupFiles: ['<rootDir>/test/support/environment.ts'] },
		{ ...suite('e2e', 'limitRealN8n.ts'), ...withRealN8n },
		{ ...suite('nightly', 'limitRealN8n.ts'), ...withRealN8n },
	],
};
