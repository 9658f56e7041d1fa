import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installCommunityPackage } from './packages';
import { findPlace, projectFolder } from './places';
import { findFreePort } from './ports';
import { startNode, type SpawnedProcess } from './processes';
import { copyTables, findShared, shareTables } from './shared';
import { waitFor } from './waiting';

const START_TIMEOUT_MS = 180_000;
/** Whoever comes next would be given the connection while n8n closes it. */
const WITHOUT_KEEPING = { headers: { connection: 'close' } };

export interface N8nOptions {
	/** n8n's user folder, kept when n8n stops. Without it a temporary one is made and removed. */
	folder?: string;
	/** A port of 127.0.0.1; without it a free one. */
	port?: number;
	/** What to run: the whole n8n, or one part of a queue mode. */
	command?: 'start' | 'webhook' | 'worker';
	/** Environment variables beside, or in place of, the usual ones. `undefined` takes one away. */
	env?: NodeJS.ProcessEnv;
	/** Folders of the packages to pack and install as community packages; this project by default. */
	packages?: string[];
}

/**
 * What stands in n8n 2.41's log when it has ended by itself while it started: it came to an execution that was made, and
 * not begun, before a kill. What runs n8n then starts it again.
 */
const ENDS_WHILE_RECOVERING = 'WorkflowStatisticsService.workflowExecutionCompleted';
const MOST_STARTS = 5;

/** A running n8n with its own data, on 127.0.0.1. */
export interface N8n {
	url: string;
	port: number;
	folder: string;
	/** The process id of n8n's own process; changes with a restart. */
	readonly pid: number;
	/** Resolves when the process that runs now has ended, for whatever reason. */
	readonly ended: Promise<number | null>;
	/** Everything printed since the first start. */
	log(): string;
	/** Computing time that n8n's own process has taken since its start, in milliseconds. Linux only. */
	computing(): number;
	/** Ends the process in order; `start` brings it back on the same port with the same data. */
	shutDown(): Promise<void>;
	/** Ends it as `kill -9` does. */
	kill(): Promise<void>;
	/** Starts it, and again where n8n ends by itself while it recovers from a kill: what runs n8n does so. */
	start(): Promise<void>;
	restart(): Promise<void>;
	/** Ends the process and removes a temporary folder. */
	stop(): Promise<void>;
}

/**
 * Installs the packages into an n8n user folder and starts n8n on it.
 * @throws when n8n ends or does not get ready within three minutes, with the end of its log
 */
export async function startN8n(options: N8nOptions = {}): Promise<N8n> {
	const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'n8n-'));
	const port = options.port ?? (await findFreePort());
	const url = `http://127.0.0.1:${port}`;
	const log = join(folder, 'n8n.log');
	const bin = join(findPlace('n8n'), 'node_modules', 'n8n', 'bin', 'n8n');
	mkdirSync(folder, { recursive: true });
	const isTemporary = options.folder === undefined;
	if (isTemporary) copyTables(folder);
	for (const packageFolder of options.packages ?? [projectFolder]) {
		await installCommunityPackage(packageFolder, folder);
	}

	const command = options.command ?? 'start';
	// Addresses that answer 200 when n8n is ready.
	const signs = [
		`${url}/healthz/readiness`,
		...(command === 'start' ? [`${url}/rest/settings`] : []),
	];
	let running: SpawnedProcess;
	const readLog = () => (existsSync(log) ? readFileSync(log, 'utf8') : '');
	const n8n: N8n = {
		url,
		port,
		folder,
		get pid() {
			return running.pid;
		},
		get ended() {
			return running.ended;
		},
		log: readLog,
		computing: () => readComputing(running.pid),
		shutDown: async () => await running.stop(),
		kill: async () => await running.kill(),
		async start() {
			for (let left = MOST_STARTS; ; left--) {
				const env = environmentOf(folder, port, await findFreePort(), options);
				const before = readLog().length;
				running = startNode(bin, [command], env, log);

				const readStart = () => readLog().slice(before);
				const ready = waitUntilReady(running, signs, readStart);
				const failure = await ready.then(
					() => undefined,
					(error: Error) => error,
				);
				if (failure === undefined) return;
				if (left === 1 || !readStart().includes(ENDS_WHILE_RECOVERING)) throw failure;
			}
		},
		async restart() {
			await n8n.shutDown();
			await n8n.start();
		},
		async stop() {
			await running.stop();
			if (isTemporary) rmSync(folder, { recursive: true, force: true });
		},
	};
	await n8n.start();
	if (isTemporary) await shareTables(folder);
	return n8n;
}

function environmentOf(
	folder: string,
	port: number,
	brokerPort: number,
	options: N8nOptions,
): NodeJS.ProcessEnv {
	const { PATH, HOME, LANG, TZ } = process.env;
	const compiled = findShared('compiled');

	return {
		PATH,
		HOME,
		LANG,
		TZ,

		NODE_ENV: 'production',
		N8N_USER_FOLDER: folder,
		N8N_PORT: String(port),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_WEBHOOK_URL: `http://127.0.0.1:${port}/`,
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(port),

		N8N_ENCRYPTION_KEY: 'only-for-this-machine',
		N8N_SECURE_COOKIE: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		...(compiled !== undefined && { NODE_COMPILE_CACHE: compiled }),
		N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
		...options.env,
	};
}

async function waitUntilReady(
	running: SpawnedProcess,
	signs: string[],
	readLog: () => string,
): Promise<void> {
	const isReady = async () => {
		if (!running.isRunning()) return 'ended' as const;
		for (const sign of signs) {
			if (!(await fetch(sign, WITHOUT_KEEPING)).ok) return false;
		}
		return 'ready' as const;
	};

	try {
		if ((await waitFor('n8n to get ready', isReady, START_TIMEOUT_MS)) === 'ended')
			throw new Error(`n8n ended: ${(await running.ended) ?? 'by a signal'}.`);
	} catch (cause) {
		await running.kill();
		const end = readLog().slice(-4000);
		throw new Error(`n8n did not start. Its log ends with:\n${end}`, { cause });
	}
}

/** Computing time in milliseconds. Linux counts it in hundredths of a second, as the 14th and 15th word; the 2nd, in brackets, may hold blanks. */
export function readComputing(pid: number): number {
	const words = readFileSync(`/proc/${pid}/stat`, 'utf8')
		.replace(/^.*\) /s, '')
		.split(' ');
	return 10 * (Number(words[11]) + Number(words[12]));
}
