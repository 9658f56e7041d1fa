import { join } from 'node:path';
import type * as Report from '../../../tools/bench/report';
import { putAmong } from '../aroundScript';

// What becomes of measured figures, in a project whose n8n has a version alone.

const script = join('tools', 'bench', 'report.ts');
const folder = putAmong(script, {
	'host/places.ts': `
		import { join } from 'node:path';
		export const projectFolder = join(__dirname, '..');
		export const findPlace = (name) => join(projectFolder, name);`,
	'package.json': '{"version":"1.2.3"}',
	'n8n/node_modules/n8n/package.json': '{"version":"9.8.7"}',
});

let report: typeof Report;

beforeAll(() => {
	report = require(join(folder, script)) as typeof Report;
});

const figure = (what: string, changes: Partial<Report.Figure> = {}): Report.Figure => ({
	what,
	unit: 'ms',
	ours: 10,
	other: { what: 'the library', value: 20 },
	better: 'less',
	...changes,
});

it.each([
	[0, '0'],
	[1_234.6, '1,235'],
	[123.45, '123'],
	[12.34, '12.3'],
	[1.234, '1.23'],
	[0.01234, '0.0123'],
	[-12.34, '-12.3'],
	[Infinity, 'Infinity'],
])('%d has three digits that count: %s', (value, told) => {
	expect(report.round(value)).toBe(told);
});

it.each([
	[[5, 1, 3], 3],
	[[100, 9, 10], 10],
	[[4, 1, 3, 2], 3],
	[[7], 7],
])('the median of %j is %d, and they stay as they are', (values, median) => {
	const given = [...values];
	expect(report.medianOf(given)).toBe(median);
	expect(given).toEqual(values);
});

it('half the time is twice as good, and half as many is half as good', () => {
	expect(report.ratioOf(figure('a'))).toBe(2);
	expect(report.ratioOf(figure('a', { better: 'more' }))).toBe(0.5);
});

it('the report shows both figures of a line in its unit, and how many times as good ours is', () => {
	const how = 'One after another.';
	const told = report.compose([{ title: 'Baking', how, figures: [figure('bread')] }], false);
	expect(told).toContain(
		[
			'## Baking\n\nOne after another.\n',
			'| what  | this package | the other | times as good | the other is |',
			'| ----- | ------------ | --------- | ------------- | ------------ |',
			'| bread | 10 ms        | 20 ms     | 2             | the library  |\n',
		].join('\n'),
	);
	expect(told).toMatch(/^# Benchmark\n\n\d{4}-\d\d-\d\d · n8n-nodes-messaging-gateway 1\.2\.3 · /);
	expect(told).toContain(` · n8n 9.8.7 · Node ${process.versions.node} · `);
	expect(told).not.toContain('Worse than');
	expect(told).not.toContain('A quick run');
	expect(report.compose([], true)).toContain('A quick run');
});

it('says why a line is worse, once for all of the same reason, and not of what two runs differ by', () => {
	const slower = (what: string, ours: number, because?: string) => figure(what, { ours, because });
	const figures = [
		slower('bread', 40, 'it is baked.'),
		slower('cake', 22, 'it is baked.'),
		slower('roll', 21, 'it is small.'),
		slower('pie', 30),
		slower('bun', 5, 'it is fast.'),
	];
	const told = report.compose([{ title: 'Baking', how: '', figures }], false);
	expect(told.match(/^- Worse than .*$/gm)).toEqual([
		'- Worse than the library (bread; cake): it is baked.',
		'- Worse than the library (pie): not explained yet.',
	]);
});
