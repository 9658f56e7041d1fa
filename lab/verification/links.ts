import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFolder } from '../host/places';

/** Fails if a page links to a file or a heading that does not exist, or if a picture is on no page. */
export async function checkLinks(): Promise<void> {
	const find = (...patterns: string[]) => globSync(patterns, { cwd: projectFolder });
	const findings: string[] = [];
	const unused = new Set(find('docs/pictures/*'));
	for (const page of find('*.md', 'examples/*.md', 'docs/**/*.md')) {
		const text = readFileSync(join(projectFolder, page), 'utf8');
		for (const [, link] of text.matchAll(/(?:\]\(|src(?:set)?=")([^)"\s:]+)[)"]/g)) {
			const [path, anchor] = link.split('#');
			const target = path === '' ? page : join(dirname(page), path);
			unused.delete(target);
			if (
				!existsSync(join(projectFolder, target)) ||
				(anchor && !anchorsOf(target).includes(anchor))
			)
				findings.push(`${page} links to ${link}, which does not exist.`);
		}
	}
	for (const picture of unused) findings.push(`${picture} is on no page.`);
	if (findings.length > 0) throw new Error(findings.join('\n'));
}

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(page: string): string[] {
	const text = readFileSync(join(projectFolder, page), 'utf8');
	return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.replaceAll(' ', '-'),
	);
}
