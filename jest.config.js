const transform = {
	'^.+\\.ts$': [
		'@swc/jest',
		{ jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
	],
};

// Tests against a real n8n wait for whole processes to start; the others have no reason to take long.
const REAL_N8N_MS = 180_000;

const suite = (displayName, testTimeout = 20_000) => ({
	displayName,
	testMatch: [`<rootDir>/test/${displayName}/**/*.test.ts`],
	testEnvironment: 'node',
	testTimeout,
	transform,
});

module.exports = {
	projects: [suite('unit'), suite('engine'), suite('e2e', REAL_N8N_MS), suite('queue', REAL_N8N_MS)],
};
