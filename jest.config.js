const transform = {
	'^.+\\.ts$': [
		'@swc/jest',
		{ jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
	],
};

const suite = (displayName) => ({
	displayName,
	testMatch: [`<rootDir>/test/${displayName}/**/*.test.ts`],
	testEnvironment: 'node',
	transform,
});

module.exports = {
	projects: [suite('unit'), suite('engine'), suite('e2e')],
};
