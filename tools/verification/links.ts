import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { projectFolder } from '../../host/places';
import type { Check } from './checks';
import { Finding } from './command';

const LARGEST_PICTURE = 200_000;
const pictures = join(projectFolder, 'docs', 'pictures');

/** Fails when a page of the documentation links to what is not there, or a picture is too large or shown nowhere. */
export const checkLinks: Check = async () => {
	const pages = globSync(['*.md', 'examples/*.md', 'docs/**/*.md', 'tools/**/*.md'], {
		cwd: projectFolder,
	});
	const findings: string[] = [];
	const shown = new Set<string>();
	for (const page of pages) {
		for (const link of readLinks(readFileSync(join(projectFolder, page), 'utf8'))) {
			const [path, anchor] = link.split('#');
			const target =
				path === '' ? join(projectFolder, page) : join(projectFolder, dirname(page), path);
			if (!existsSync(target)) findings.push(`${page} links to ${link}, which is not there.`);
			else if (anchor !== undefined && !anchorsOf(target).includes(anchor))
				findings.push(`${page} links to ${link}, but no heading has this name.`);
			else shown.add(target);
		}
	}
	for (const name of existsSync(pictures) ? readdirSync(pictures) : []) {
		const picture = join(pictures, name);
		const { size } = statSync(picture);
		if (size >= LARGEST_PICTURE)
			findings.push(
				`${relative(projectFolder, picture)} has ${size} bytes; ${LARGEST_PICTURE} are too many.`,
			);
		if (!shown.has(picture)) findings.push(`${relative(projectFolder, picture)} is shown nowhere.`);
	}
	if (findings.length > 0) throw new Finding(findings.join('\n'));
	return `${pages.length} pages`;
};

/** Targets of all links and pictures that lie in the project. */
function readLinks(markdown: string): string[] {
	return [...markdown.matchAll(/\]\(([^)\s]+)\)/g)]
		.map(([, target]) => target)
		.filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors that GitHub gives to a page's headings. */
function anchorsOf(page: string): string[] {
	const headings = readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm);
	return [...headings].map(([, heading]) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.replaceAll(' ', '-'),
	);
}
