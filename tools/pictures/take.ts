import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { openEditor, type Editor } from '../../host/editor';
import { projectFolder } from '../../host/places';
import { openStage } from '../demo/stage';
import { takeWorkflow } from './canvas';
import { takeAlarm, takeCredential, takeSendText, takeTrigger } from './panels';
import { takePhone } from './phone';
import type { Take } from './picture';

const folder = join(projectFolder, 'docs', 'pictures');
const LARGEST = 200_000;

const examples = readdirSync(join(projectFolder, 'examples'))
	.filter((file) => file.endsWith('.json'))
	.map(
		(file) =>
			[basename(file, '.json'), takeWorkflow(join(projectFolder, 'examples', file))] as const,
	);

const pictures: Record<string, Take> = {
	'first-workflow': takeWorkflow(join(projectFolder, 'tools', 'demo', 'workflow.json')),
	phone: takePhone,
	credential: takeCredential,
	trigger: takeTrigger,
	'send-text': takeSendText,
	'trigger-alarm': takeAlarm,
	...Object.fromEntries(examples),
};

/** Takes the pictures named, or all, from the demo as a newcomer finds it. */
async function main(names: string[]): Promise<void> {
	mkdirSync(folder, { recursive: true });
	const data = mkdtempSync(join(tmpdir(), 'pictures-'));
	const stage = await openStage({ folder: data });
	let editor: Editor | undefined;
	try {
		editor = await openEditor(stage);
		for (const name of names.length === 0 ? Object.keys(pictures) : names) {
			const page = await openSharpPage(editor.page);
			const taken = await pictures[name](page, stage);
			await page.context().close();
			// A screen has few colours: a palette of them makes a third of the size.
			const { size } = await sharp(taken)
				.png({ palette: true, effort: 10 })
				.toFile(join(folder, `${name}.png`));
			console.log(`${name}.png, ${(size / 1000).toFixed(0)} kB`);
			if (size > LARGEST) throw new Error(`${name}.png is larger than ${LARGEST / 1000} kB.`);
		}
	} finally {
		await editor?.close();
		await stage.stop();
		rmSync(data, { recursive: true, force: true });
	}
}

/** A page of its own with the same person signed in, with more pixels than usual. */
async function openSharpPage(page: Page): Promise<Page> {
	const browser = page.context().browser();
	if (browser === null) throw new Error('The editor has no browser.');
	const context = await browser.newContext({
		storageState: await page.context().storageState(),
		viewport: { width: 1280, height: 800 },
		deviceScaleFactor: 1.5,
		colorScheme: 'light',
		locale: 'en-GB',
	});
	return await context.newPage();
}

main(process.argv.slice(2)).then(
	() => process.exit(0),
	(error: Error) => {
		console.error(error);
		process.exit(1);
	},
);
