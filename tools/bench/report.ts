import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { findPlace, projectFolder } from '../../host/places';

/** One measured thing beside what it is measured against, in the same unit and from the same run. */
export interface Figure {
	what: string;
	unit: string;
	ours: number;
	/** What a person would use instead, or the limit of what is possible. */
	other: { what: string; value: number };
	/** Whether more of the unit is better, or less. */
	better: 'more' | 'less';
	/** Why it is worse than the alternative, where that can be; said only if it is. */
	because?: string;
}

export interface Section {
	title: string;
	/** What was done, so that somebody can do it again. */
	how: string;
	figures: Figure[];
}

/** What counts as worse: anything less is within what two runs of the same thing differ by. */
const WORSE_BELOW = 0.95;

/** How many times as good as the other; below 1 it is worse. */
export function ratioOf({ ours, other, better }: Figure): number {
	return better === 'more' ? ours / other.value : other.value / ours;
}

/** The whole report, as Markdown that is a table on a terminal too. */
export function compose(sections: Section[], quick: boolean): string {
	const parts = sections.map(({ title, how, figures }) =>
		[`## ${title}`, how, layOut(figures), ...explainWorse(figures)].join('\n\n'),
	);
	return ['# Benchmark', describeRun(quick), READING, ...parts].join('\n\n') + '\n';
}

const READING =
	'"Times as good" compares the two figures of a line, which come from the same run on the same machine: above 1 the package is better, below 1 the other is. Absolute figures are those of this machine and mean little elsewhere.';

function describeRun(quick: boolean): string {
	const { n8n } = versionsIn(join(findPlace('n8n'), 'node_modules', 'n8n', 'package.json'));
	const { own } = versionsIn(join(projectFolder, 'package.json'), 'own');
	const [{ model }] = cpus();
	const facts = [
		new Date().toISOString().slice(0, 10),
		`n8n-nodes-messaging-gateway ${own}`,
		`n8n ${n8n}`,
		`Node ${process.versions.node}`,
		`${cpus().length} cores (${model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB`,
		`SQLite`,
	];
	const warning = quick ? '\n\n**A quick run: figures for trying, not for quoting.**' : '';
	return facts.join(' · ') + warning;
}

function versionsIn(manifest: string, name = 'n8n'): Record<string, string> {
	return { [name]: (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version };
}

function layOut(figures: Figure[]): string {
	const head = ['what', 'this package', 'the other', 'times as good', 'the other is'];
	const rows = figures.map((figure) => [
		figure.what,
		`${round(figure.ours)} ${figure.unit}`,
		`${round(figure.other.value)} ${figure.unit}`,
		round(ratioOf(figure)),
		figure.other.what,
	]);
	const widths = head.map((_, column) =>
		Math.max(...[head, ...rows].map((row) => row[column].length)),
	);
	const line = (cells: string[]) =>
		`| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
	return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** One sentence for all the lines that are worse for the same reason. */
function explainWorse(figures: Figure[]): string[] {
	const worse = figures.filter((figure) => ratioOf(figure) < WORSE_BELOW);
	const reasons = [...new Set(worse.map(({ because }) => because))];
	const lines = reasons.map((reason) => {
		const which = worse.filter(({ because }) => because === reason);
		const others = [...new Set(which.map(({ other }) => other.what))].join(', ');
		return `- Worse than ${others} (${which.map(({ what }) => what).join('; ')}): ${reason ?? 'not explained yet.'}`;
	});
	return lines.length === 0 ? [] : [lines.join('\n')];
}

/** Three significant digits, without exponents. */
export function round(value: number): string {
	if (value === 0 || !Number.isFinite(value)) return String(value);
	const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
	return value.toLocaleString('en', { maximumFractionDigits: Math.min(digits, 4) });
}

export function medianOf(values: number[]): number {
	return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}
