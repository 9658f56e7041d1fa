import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { projectFolder } from './project.mjs';

const LOOK_EVERY_MS = 500;

/**
 * Runs tests that leave a report in the shape of jest's JSON, and ends them if they do not end by themselves although
 * they have left it: something that a test has left open keeps them alive then, which goes into the report as a failure.
 * What they print goes to stderr.
 * @param args what Node runs
 * @param report the report's path; an older one is removed
 * @param graceMs how long they may go on after their report
 * @returns the exit code; never 0 if they had to be ended or have left no report
 */
export async function superviseTests(args, { report, graceMs }) {
	rmSync(report, { force: true });
	const child = spawn(process.execPath, args, {
		cwd: projectFolder,
		stdio: ['inherit', 2, 'inherit'],
	});
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
		process.on(signal, () => child.kill(signal));
	let grace;
	const look = setInterval(() => {
		if (!existsSync(report)) return;
		clearInterval(look);
		grace = setTimeout(() => child.kill('SIGKILL'), graceMs);
	}, LOOK_EVERY_MS);
	try {
		const code = await new Promise((resolve, reject) => {
			child.once('error', reject);
			child.once('exit', resolve);
		});
		const hasReport = existsSync(report);
		const wasEnded = child.signalCode === 'SIGKILL' && hasReport;
		if (wasEnded) noteLeftOpen(report, graceMs);
		else if (child.signalCode !== null)
			console.error(`Somebody ended it with ${child.signalCode}.`);
		// A test that ends the process takes all that were still to come with it, and its code says nothing of them.
		return wasEnded || !hasReport ? code || 1 : (code ?? 1);
	} finally {
		clearInterval(look);
		clearTimeout(grace);
	}
}

function noteLeftOpen(report, graceMs) {
	const leftOpen = `All tests had come to their end, but jest had not ${graceMs / 1000} s later, and was ended: a server, a socket or a timer was left open. jest tells which when it is run with --detectOpenHandles.`;
	writeFileSync(report, JSON.stringify({ ...JSON.parse(readFileSync(report, 'utf8')), leftOpen }));
}
