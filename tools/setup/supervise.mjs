import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { projectFolder } from './project.mjs';

const LOOK_EVERY_MS = 500;
/** So long a process that hangs may take to write down what it waits for. */
const TELL_WITHIN_MS = 10_000;

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
	const leftOpen = `${report}.open`;
	rmSync(leftOpen, { force: true });
	const child = spawn(process.execPath, [...tellingOnSignal(leftOpen), ...args], {
		cwd: projectFolder,
		stdio: ['inherit', 2, 'inherit'],
	});
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
		process.on(signal, () => child.kill(signal));
	let grace;
	const look = setInterval(() => {
		if (!existsSync(report)) return;
		clearInterval(look);
		grace = setTimeout(() => void endHanging(child, leftOpen), graceMs);
	}, LOOK_EVERY_MS);
	try {
		const code = await new Promise((resolve, reject) => {
			child.once('error', reject);
			child.once('exit', resolve);
		});
		const hasReport = existsSync(report);
		const wasEnded = child.signalCode === 'SIGKILL' && hasReport;
		if (wasEnded) noteLeftOpen(report, graceMs, readLeftOpen(leftOpen));
		else if (child.signalCode !== null)
			console.error(`Somebody ended it with ${child.signalCode}.`);
		// A test that ends the process takes all that were still to come with it, and its code says nothing of them.
		return wasEnded || !hasReport ? code || 1 : (code ?? 1);
	} finally {
		clearInterval(look);
		clearTimeout(grace);
	}
}

/** Options of Node: on SIGUSR2 it writes down everything that it has open. */
function tellingOnSignal(file) {
	return [
		'--report-on-signal',
		'--report-signal=SIGUSR2',
		`--report-directory=${dirname(file)}`,
		`--report-filename=${basename(file)}`,
	];
}

async function endHanging(child, leftOpen) {
	child.kill('SIGUSR2');
	const until = Date.now() + TELL_WITHIN_MS;
	while (readLeftOpen(leftOpen) === undefined && Date.now() < until) await pause(LOOK_EVERY_MS);
	child.kill('SIGKILL');
}

/** What keeps a process alive, in words; undefined while it has not written that down. */
function readLeftOpen(file) {
	if (!existsSync(file)) return undefined;
	try {
		const { libuv } = JSON.parse(readFileSync(file, 'utf8'));
		const open = libuv.filter((handle) => handle.is_active && handle.is_referenced);
		return open.map(describeHandle).join(', ') || 'nothing that Node can name';
	} catch {
		// Node is still writing it.
		return undefined;
	}
}

function describeHandle({ type, pid, firesInMsFromNow, localEndpoint, remoteEndpoint }) {
	const nameOf = ({ host, port }) => `${host}:${port}`;
	if (type === 'process') return `process ${pid}`;
	if (type === 'timer') return `a timer that fires in ${Math.round(firesInMsFromNow / 1000)} s`;
	if (!localEndpoint?.port) return `a ${type}`;
	return remoteEndpoint?.port
		? `a connection from ${nameOf(localEndpoint)} to ${nameOf(remoteEndpoint)}`
		: `a server at ${nameOf(localEndpoint)}`;
}

function noteLeftOpen(report, graceMs, open = 'it does not say what') {
	const leftOpen = `All tests had come to their end, but jest had not ${graceMs / 1000} s later, and was ended. Left open: ${open}.`;
	writeFileSync(report, JSON.stringify({ ...JSON.parse(readFileSync(report, 'utf8')), leftOpen }));
}
