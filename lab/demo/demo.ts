import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { N8nApi, type StoredCredential } from '../host/api';
import { createModelCredential, startChatModel } from '../host/chatModel';
import { createCredentials } from '../host/host';
import { startN8n, type N8n } from '../host/n8n';
import { OWNER } from '../host/owner';
import { findFreePort } from '../host/ports';
import { startNode, startProgram, type SpawnedProcess } from '../host/processes';
import { readWorkflow } from '../host/workflows';
import { FOR_A_PERSON, makeNumbers, startSimulator, type Simulator } from '../simulator';
import { answer } from './model';

/** Those of the first start, as far as they are free: n8n's usual port is left to another n8n of this machine. */
const USUAL_PORTS = {
	n8n: 5680,
	gateway: 5681,
	model: 5682,
	mailbox: 5683,
	smtp: 5684,
	redis: 5685,
};
type Ports = typeof USUAL_PORTS;

/** Kept beside the data. */
interface Note {
	ports: Ports;
	/** Whether a first start has set everything up. */
	isComplete: boolean;
}

/** The running demo. */
export interface Demo {
	n8n: N8n;
	api: N8nApi;
	gateway: Simulator;
	ports: Ports;
	/** Absent after the first start: a person may have changed or deleted it. */
	workflowId?: string;
	/** Whether Redis is installed here. */
	hasRedis: boolean;
	stop(): Promise<void>;
}

/**
 * Starts n8n, the simulated gateway, the stand-in model, the mailbox, and Redis if it is installed. The data of the last
 * start is used again.
 * @param tell is called with one sentence if a part ends by itself
 * @param anyPorts ports that nobody else chooses at the same time, in place of the usual ones
 * @throws if a port is taken that this demo has used before
 */
export async function openDemo(
	folder: string,
	tell: (sentence: string) => void,
	{ env, anyPorts = false }: { env?: NodeJS.ProcessEnv; anyPorts?: boolean } = {},
): Promise<Demo> {
	const note = join(folder, 'demo.json');
	const kept = existsSync(note) ? (JSON.parse(readFileSync(note, 'utf8')) as Note) : undefined;
	const isFirst = kept?.isComplete !== true;
	const wasCutShort = kept !== undefined && isFirst;
	if (wasCutShort) removeData(folder);

	const ports = await choosePorts(kept?.ports, folder, anyPorts);
	mkdirSync(folder, { recursive: true });
	const writeNote = (written: Note) => writeFileSync(note, JSON.stringify(written));
	if (isFirst) writeNote({ ports, isComplete: false });

	const { open, openProcess, watch, stop } = makeParts(folder, tell);
	try {
		const gateway = open(
			await startSimulator({
				...FOR_A_PERSON,
				port: ports.gateway,
				dataFile: join(folder, 'gateway.json'),
				furtherNumbers: makeNumbers(1),
			}),
		);
		const model = open(await startChatModel(answer, ports.model));
		openProcess('mailbox', (log) => startMailbox(ports, log));
		const hasRedis = findOnPath('redis-server');
		if (hasRedis) openProcess('redis', (log) => startRedis(ports, log));

		const n8n = open(await startN8n({ folder: join(folder, 'n8n'), port: ports.n8n, env }));
		watch('n8n', n8n, join(n8n.folder, 'n8n.log'));

		const api = new N8nApi(n8n.url);
		const demo = { n8n, api, gateway, ports, hasRedis, stop };
		if (!isFirst) {
			await api.signIn(OWNER.email, OWNER.password);
			return demo;
		}

		await api.setUpOwner(OWNER);
		const credentials = await createCredentials(api, gateway);
		await createModelCredential(api, model);
		await createServiceCredentials(api, ports);
		const workflowId = await publishWorkflow(api, credentials);
		writeNote({ ports, isComplete: true });
		return { ...demo, workflowId };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** A first start that was cut short begins anew. */
function removeData(folder: string): void {
	for (const name of ['n8n', 'gateway.json']) {
		rmSync(join(folder, name), { recursive: true, force: true });
	}
}

interface Part {
	stop(): Promise<void>;
}

/** The parts of a demo: the last one opened is the first one stopped. */
function makeParts(folder: string, tell: (sentence: string) => void) {
	const opened: Part[] = [];
	let isStopping = false;

	const open = <T extends Part>(part: T): T => {
		opened.unshift(part);
		return part;
	};

	const watch = (name: string, { ended }: { ended: Promise<unknown> }, log: string): void => {
		void ended.then(() => {
			if (isStopping) return;
			tell(`${name} has ended by itself. Press Ctrl-C, look into ${log}, and start again.`);
		});
	};

	const openProcess = (name: string, start: (log: string) => SpawnedProcess): void => {
		const log = join(folder, `${name}.log`);
		watch(name, open(start(log)), log);
	};

	const stop = async (): Promise<void> => {
		isStopping = true;
		for (const part of opened.splice(0)) await part.stop();
	};

	return { open, openProcess, watch, stop };
}

function startMailbox({ smtp, mailbox }: Ports, log: string): SpawnedProcess {
	const maildev = require.resolve('maildev/bin/maildev');
	const args = ['--ip', '127.0.0.1', '--smtp', String(smtp), '--web', String(mailbox)];
	return startNode(maildev, args, process.env, log);
}

function startRedis({ redis }: Ports, log: string): SpawnedProcess {
	const args = ['--port', String(redis), '--bind', '127.0.0.1', '--save', ''];
	return startProgram('redis-server', args, log);
}

/** Chooses ports at the first start, and keeps them: addresses and credentials name them. */
async function choosePorts(kept: Ports | undefined, folder: string, any: boolean): Promise<Ports> {
	const ports = { ...(kept ?? USUAL_PORTS) };

	for (const name of Object.keys(USUAL_PORTS) as Array<keyof Ports>) {
		const wanted = ports[name];
		ports[name] = await findFreePort(any ? undefined : wanted);

		const isTaken = kept !== undefined && ports[name] !== wanted;
		if (isTaken) {
			throw new Error(
				`Port ${wanted} (${name}) is taken, perhaps by this demo in another terminal. Stop the other program; or delete ${folder} to begin anew with other ports.`,
			);
		}
	}

	return ports;
}

async function createServiceCredentials(api: N8nApi, { smtp, redis }: Ports): Promise<void> {
	await api.createCredential('smtp', 'Mailbox of the demo', {
		host: '127.0.0.1',
		port: smtp,
		user: '',
		password: '',
		secure: false,
		disableStartTls: true,
	});
	await api.createCredential('redis', 'Redis of the demo', {
		host: '127.0.0.1',
		port: redis,
		user: '',
		password: '',
		database: 0,
		ssl: false,
	});
}

async function publishWorkflow(
	api: N8nApi,
	credentials: Record<string, StoredCredential>,
): Promise<string> {
	const { id } = await api.createWorkflow(
		readWorkflow(join(__dirname, 'workflow.json'), credentials),
	);
	await api.publish(id);
	return id;
}

function findOnPath(program: string): boolean {
	const folders = (process.env.PATH ?? '').split(delimiter);
	return folders.some((folder) => existsSync(join(folder, program)));
}
