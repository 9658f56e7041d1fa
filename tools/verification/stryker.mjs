// What `npx stryker run` needs: the specs named by SPECS, each for all mutants that it runs through.
import jest from '../../jest.config.js';

const { displayName: _, testMatch: __, ...spec } = jest.projects[0];

export default {
	testRunner: 'jest',
	jest: {
		projectType: 'custom',
		config: {
			...spec,
			projects: undefined,
			testEnvironment: '@stryker-mutator/jest-runner/jest-env/node',
			testMatch: [`<rootDir>/test/spec/${process.env.SPECS}*.test.ts`],
		},
		// The specs load the sources through n8n's loader.
		enableFindRelatedTests: false,
	},
	coverageAnalysis: 'perTest',
	ignoreStatic: true,
	inPlace: true,
	concurrency: 1,
	reporters: ['clear-text', 'progress-append-only'],
};
