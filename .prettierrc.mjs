/** The style of n8n's own template for packages, and one order of imports: Node, packages, ours. */
export default {
	semi: true,
	trailingComma: 'all',
	bracketSpacing: true,
	useTabs: true,
	tabWidth: 2,
	arrowParens: 'always',
	singleQuote: true,
	quoteProps: 'as-needed',
	endOfLine: 'lf',
	printWidth: 100,
	plugins: ['@ianvs/prettier-plugin-sort-imports'],
	importOrder: ['<BUILTIN_MODULES>', '<THIRD_PARTY_MODULES>', '^[.]'],
	importOrderTypeScriptVersion: '5.9.0',
};
