import { parseArgs } from 'node:util';
import { checkReply } from './check';
import { introduce, stopOnSignal } from './present';
import { openStage } from './stage';

const { values } = parseArgs({
	options: {
		/** Tries the demo out without a person, and ends. */
		check: { type: 'boolean', default: false },
		/** Folder for the demo's data. */
		data: { type: 'string' },
	},
});

async function main(): Promise<void> {
	const started = Date.now();
	const elapsed = () => `${((Date.now() - started) / 1000).toFixed(1)} s`;
	console.log('Starting the gateway and n8n (usually 10 to 20 seconds)');
	const stage = await openStage({ folder: values.data });
	stopOnSignal(stage);
	if (values.check) {
		console.log(`✓ Gateway and n8n are up (${elapsed()})`);
		try {
			if (stage.workflow?.isPublished !== true)
				throw new Error(
					'The workflow of the demo is no longer published here, so nothing answers. Run the check with its own data: npm start -- --check --data FOLDER',
				);
			await checkReply(stage, stage.workflow.id, (step) => console.log(`✓ ${step} (${elapsed()})`));
		} finally {
			await stage.stop();
		}
		console.log(`The demo works (${elapsed()}).`);
		process.exit(0);
	}
	console.log(introduce(stage, elapsed()));
}

main().catch((error: Error) => {
	console.error(`\n${error.message}`);
	process.exit(1);
});
