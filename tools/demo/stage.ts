import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startN8n, type N8n } from '../../host/n8n';
import { OWNER } from '../../host/owner';
import { findPlace } from '../../host/places';
import { makeNumbers, startSimulator, type FurtherNumber, type Simulator } from '../../simulator';
import { furnish, type Furniture } from './furnish';
import { keepNote, readNote, type Note } from './note';
import { choosePorts, USUAL_PORTS, type Ports, type TakenPort } from './ports';
import { startStandIns, type StandIns } from './standIns';

/** The demo, running: its data outlives it. */
export interface Stage extends Furniture {
	/** Where the data is kept. */
	folder: string;
	gateway: Simulator;
	standIns: StandIns;
	n8n: N8n;
	/** Of n8n's owner. */
	password: string;
	takenPorts: TakenPort[];
	stop(): Promise<void>;
}

export interface StageOptions {
	/** Where the data is kept; the cache folder's by default. */
	folder?: string;
	/** The ports to take unless they are taken; the usual ones by default. */
	ports?: Ports;
	/** For n8n, beside the usual. */
	env?: NodeJS.ProcessEnv;
}

/**
 * Starts gateway, stand-ins and n8n on their usual ports, or on free ones where those are taken, with the data of the
 * last time.
 * @throws when the demo runs already: two of them must not share their data
 */
export async function openStage({
	folder = join(findPlace('cache'), 'demo'),
	ports: wanted = USUAL_PORTS,
	env,
}: StageOptions = {}): Promise<Stage> {
	mkdirSync(folder, { recursive: true });
	const leave = enter(join(folder, 'running.json'));
	const opened: Array<() => Promise<void>> = [];
	const stop = async () => {
		for (const close of opened.splice(0).reverse()) await close();
		leave();
	};
	try {
		const note = readNote(folder);
		const keep = () => keepNote(folder, note);
		const { ports, taken } = await choosePorts(wanted);
		const gateway = await startSimulator({
			port: ports.gateway,
			dataFile: join(folder, 'gateway.json'),
			demoMessages: true,
			furtherNumbers: nameShops(),
			statusDelaysMs: { sent: 300, delivered: 900, read: 2500 },
			// For longer than the trigger puts off what it cannot judge.
			retryDelaysMs: [1000, 2000, 4000, 8000, 15_000, 30_000, ...Array<number>(9).fill(60_000)],
			recordLimit: 5000,
		});
		opened.push(async () => await gateway.stop());
		const standIns = await startStandIns({
			folder,
			port: ports.standIns,
			smtpPort: ports.smtp,
			redisPort: ports.redis,
			phoneUrl: gateway.pageUrl,
		});
		opened.push(async () => await standIns.stop());

		// Before it is used: a webhook of this address may be left over however this ends.
		const url = `http://127.0.0.1:${ports.n8n}`;
		note.n8nUrls = [...new Set([...note.n8nUrls, url])];
		keep();
		const n8n = await startN8n({
			folder: join(folder, 'n8n'),
			port: ports.n8n,
			env: { ...ownerOf(note), ...env },
		});
		opened.push(async () => await n8n.stop());
		const furniture = await furnish(n8n, gateway, standIns, note, keep);
		const { password } = note;
		return { ...furniture, folder, gateway, standIns, n8n, password, takenPorts: taken, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** Beside the bakery of the first number, two shops: what one bot answers for. */
function nameShops(): FurtherNumber[] {
	const names = ['Café Aurora', 'Empório Aurora'];
	return makeNumbers(names.length).map((number, index) => ({ ...number, name: names[index] }));
}

/** n8n sets up its owner by itself at each start, whatever the person or an earlier version has made of the password. */
function ownerOf({ passwordHash }: Note): NodeJS.ProcessEnv {
	return {
		N8N_INSTANCE_OWNER_MANAGED_BY_ENV: 'true',
		N8N_INSTANCE_OWNER_EMAIL: OWNER.email,
		N8N_INSTANCE_OWNER_FIRST_NAME: OWNER.firstName,
		N8N_INSTANCE_OWNER_LAST_NAME: OWNER.lastName,
		N8N_INSTANCE_OWNER_PASSWORD_HASH: passwordHash,
	};
}

function enter(note: string): () => void {
	if (existsSync(note)) {
		const { pid } = JSON.parse(readFileSync(note, 'utf8')) as { pid: number };
		if (isAlive(pid))
			throw new Error(
				`The demo is running already (process ${pid}). Stop it there with Ctrl-C first.`,
			);
	}
	writeFileSync(note, JSON.stringify({ pid: process.pid }));
	return () => rmSync(note, { force: true });
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}
