import { parseArgs } from 'node:util';
import { SetupError } from './progress.mjs';

const help = { type: 'boolean', short: 'h' };
const data = { type: 'string' };

/** The tasks with options of our own; all others hand theirs on to jest, or have none. */
const tasks = {
	demo: {
		options: { check: { type: 'boolean' }, data, help },
		usage: `npm start                     starts the demo: n8n with the package, the simulated gateway, a phone
npm start -- --check          tries the demo without a person, and ends
npm start -- --data FOLDER    keeps the demo's data in a folder of its own`,
	},
	dev: {
		options: { data, help },
		usage: `npm run dev                     starts the demo, and reloads the package when a file is saved
npm run dev -- --data FOLDER    keeps the demo's data in a folder of its own`,
	},
};

/**
 * Reads the options of a task before anything is installed for it.
 * @param name of the task
 * @param args what stands behind it
 * @returns how the task is used, if that was asked for
 * @throws SetupError for an option that the task does not have
 */
export function findUsage(name, args) {
	const task = tasks[name];
	if (task === undefined) return undefined;
	try {
		return parseArgs({ args, options: task.options }).values.help ? task.usage : undefined;
	} catch (error) {
		throw new SetupError(`${error.message}\n\n${task.usage}`);
	}
}
