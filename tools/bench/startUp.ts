import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startN8n } from '../../host/n8n';
import { packPackage } from '../../host/packages';
import { projectFolder } from '../../host/places';
import { LARGEST_TARBALL } from '../verification/checks';
import { medianOf, type Figure } from './report';

const execute = promisify(execFile);

const LOADS = 5;

/** What the package adds to n8n's start, and what it weighs. */
export async function measureStartUp(rounds: number): Promise<Figure[]> {
	const bare: Start[] = [];
	for (let round = 0; round < rounds; round++) bare.push(await startBare());
	const loads: Load[] = [];
	for (let round = 0; round < LOADS; round++) loads.push(await loadPackage());
	const added = {
		time: medianOf(loads.map(({ milliseconds }) => milliseconds)),
		memory: medianOf(loads.map(({ bytes }) => bytes)) / 2 ** 20,
	};
	return [
		{
			what: 'time that loading the package adds',
			unit: 'ms',
			ours: added.time,
			other: { what: 'start of n8n without it', value: medianOf(bare.map(({ time }) => time)) },
			better: 'less',
		},
		{
			what: 'memory that loading the package adds',
			unit: 'MB',
			ours: added.memory,
			other: {
				what: 'n8n without it',
				value: medianOf(bare.map(({ memory }) => memory)) / 2 ** 20,
			},
			better: 'less',
		},
		{
			what: 'size of the tarball',
			unit: 'kB',
			ours: (await weighTarball()) / 1000,
			other: { what: 'the most it may be', value: LARGEST_TARBALL / 1000 },
			better: 'less',
		},
	];
}

interface Load {
	milliseconds: number;
	bytes: number;
}

interface Start {
	/** Milliseconds until n8n is ready. */
	time: number;
	/** Bytes resident then. */
	memory: number;
}

/** Starts n8n without any community package, on data that a start before has made. */
async function startBare(): Promise<Start> {
	const n8n = await startN8n({ packages: [] });
	try {
		await n8n.shutDown();
		const started = performance.now();
		await n8n.start();
		return { time: performance.now() - started, memory: n8n.memory() };
	} finally {
		await n8n.stop();
	}
}

async function loadPackage(): Promise<Load> {
	const script = join(__dirname, 'loadPackage.cjs');
	const { stdout } = await execute(process.execPath, ['--expose-gc', script, projectFolder], {
		cwd: projectFolder,
	});
	return JSON.parse(stdout.slice(stdout.lastIndexOf('{'))) as Load;
}

async function weighTarball(): Promise<number> {
	const folder = mkdtempSync(join(tmpdir(), 'weigh-'));
	try {
		return statSync(await packPackage(projectFolder, folder)).size;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
