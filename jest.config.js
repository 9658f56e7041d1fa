const transform = {
	'^.+\\.ts$': [
		'@swc/jest',
		{ jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
	],
};

const suite = (displayName, setupFilesAfterEnv = []) => ({
	displayName,
	testMatch: [`<rootDir>/test/${displayName}/**/*.test.ts`],
	testEnvironment: 'node',
	setupFilesAfterEnv,
	transform,
});

const withRealN8n = ['<rootDir>/test/host/patience.ts'];

module.exports = {
	projects: [suite('unit'), suite('engine'), suite('e2e', withRealN8n), suite('queue', withRealN8n)],
};
