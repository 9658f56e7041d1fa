import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { N8nApi, type StoredCredential } from '../../host/api';
import { createModelCredential, startChatModel } from '../../host/chatModel';
import { createCredentials } from '../../host/host';
import { startN8n, type N8n } from '../../host/n8n';
import { OWNER } from '../../host/owner';
import { findFreePort } from '../../host/ports';
import { startProgram } from '../../host/processes';
import { readWorkflow } from '../../host/workflows';
import { makeNumbers, startSimulator, type Simulator } from '../../simulator';
import { answer } from './model';

const MAILDEV = 'maildev@2.2.1';
const NAMES = ['n8n', 'gateway', 'model', 'smtp', 'mailbox', 'redis'] as const;
type Ports = Record<(typeof NAMES)[number], number>;
const USUAL_PORTS: Ports = {
	n8n: 5678,
	gateway: 3100,
	model: 3101,
	smtp: 1025,
	mailbox: 1080,
	redis: 6380,
};

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
 * @param anyPorts free ports in place of the usual ones, and no mailbox: for checks and pictures
 * @throws if one of the usual ports is taken
 */
export async function openDemo({
	folder,
	env,
	anyPorts = false,
}: {
	folder: string;
	env?: NodeJS.ProcessEnv;
	anyPorts?: boolean;
}): Promise<Demo> {
	const ports = await choosePorts(anyPorts);
	const isFirst = !existsSync(join(folder, 'n8n'));
	mkdirSync(folder, { recursive: true });
	const opened: Array<{ stop(): Promise<void> }> = [];
	const open = <T extends { stop(): Promise<void> }>(part: T): T => {
		opened.unshift(part);
		return part;
	};
	const stop = async () => {
		for (const part of opened.splice(0)) await part.stop();
	};
	const openProgram = (command: string, args: string[]) =>
		open(startProgram(command, args, join(folder, `${command}.log`)));
	try {
		const gateway = open(
			await startSimulator({
				port: ports.gateway,
				dataFile: join(folder, 'gateway.json'),
				demoMessages: true,
				furtherNumbers: makeNumbers(1),
				statusDelaysMs: { sent: 300, delivered: 900, read: 2500 },
				retryDelaysMs: [1000, 2000, 4000, 8000, 15_000, 30_000, ...Array<number>(9).fill(60_000)],
				recordLimit: 5000,
			}),
		);
		const model = open(await startChatModel(answer, ports.model));
		if (!anyPorts) {
			const { smtp, mailbox } = ports;
			const where = ['--ip', '127.0.0.1', '--smtp', `${smtp}`, '--web', `${mailbox}`];
			openProgram('npx', ['--yes', MAILDEV, ...where]);
		}
		const hasRedis = !anyPorts && findOnPath('redis-server');
		if (hasRedis)
			openProgram('redis-server', [
				'--port',
				`${ports.redis}`,
				'--bind',
				'127.0.0.1',
				'--save',
				'',
			]);
		const n8n = open(await startN8n({ folder: join(folder, 'n8n'), port: ports.n8n, env }));
		const api = new N8nApi(n8n.url);
		if (isFirst) await api.setUpOwner(OWNER);
		else await api.signIn(OWNER.email, OWNER.password);
		const demo = { n8n, api, gateway, ports, hasRedis, stop };
		if (!isFirst) return demo;
		const credentials = await createCredentials(api, gateway);
		await createModelCredential(api, model);
		await createServiceCredentials(api, ports);
		const workflowId = await publishWorkflow(api, credentials);
		return { ...demo, workflowId };
	} catch (error) {
		await stop();
		throw error;
	}
}

async function choosePorts(anyPorts: boolean): Promise<Ports> {
	const ports = { ...USUAL_PORTS };
	for (const name of NAMES) {
		ports[name] = await findFreePort(anyPorts ? undefined : USUAL_PORTS[name]);
		if (!anyPorts && ports[name] !== USUAL_PORTS[name])
			throw new Error(
				`Port ${USUAL_PORTS[name]} is taken, and the demo needs it (${name}). Stop the other program, perhaps another demo, and start again.`,
			);
	}
	return ports;
}

async function createServiceCredentials(api: N8nApi, { smtp, redis }: Ports): Promise<void> {
	const host = '127.0.0.1';
	const login = { user: '', password: '', host };
	const mail = { ...login, port: smtp, secure: false, disableStartTls: true };
	await api.createCredential('smtp', 'Mailbox of the demo', mail);
	const store = { ...login, port: redis, database: 0, ssl: false };
	await api.createCredential('redis', 'Redis of the demo', store);
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
