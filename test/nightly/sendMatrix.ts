import { setTimeout as pause } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import type { StoredCredential } from '../../host/api';
import { noteOf, publishSendWorkflow } from '../../host/drafts/workflows';
import { outputOf, type Execution } from '../../host/executions';
import type { Host } from '../../host/host';
import { waitFor } from '../../host/waiting';
import {
	judgeSendCell,
	listSendCells,
	makeDoor,
	needsDoorOpened,
	textOf,
	type SendCell,
} from '../contract/sends';

// A door opens after the first try, and before the second or third.
const DOOR_OPENS_AFTER_MS = 1000;
const WAIT_FOR_DOOR_MS = 3000;
// Nobody sees a refused connection, and a first try so late that it finds the door open proves nothing: then the cell
// is run again, and its door stays closed for longer.
const MOST_ATTEMPTS = 3;

/**
 * Runs every cell of the matrix in a real n8n, one execution each.
 * @returns everything that is wrong, in words
 */
export async function runSendMatrix(host: Host): Promise<{ cells: number; wrong: string[] }> {
	const cells = listSendCells();
	const { gateway, api } = host;
	// The address is each item's own, so that one item of five can meet a closed door.
	const credential = await api.createCredential('messagingGatewayInstanceApi', 'By item', {
		baseUrl: '={{ $json.gateway }}',
		instanceToken: gateway.instanceToken,
	});
	const wrong: string[] = [];
	for (const group of groupBySettings(cells))
		wrong.push(...(await runGroup(host, credential, group)));
	return { cells: cells.length, wrong };
}

/** Cells that one workflow can run. */
function groupBySettings(cells: SendCell[]): SendCell[][] {
	const groups = new Map<string, SendCell[]>();
	for (const cell of cells) {
		const key = [cell.onError, cell.retryOnFail, cell.concurrency, needsDoorOpened(cell)].join();
		groups.set(key, [...(groups.get(key) ?? []), cell]);
	}
	return [...groups.values()];
}

async function runGroup(
	host: Host,
	credential: StoredCredential,
	cells: SendCell[],
	attempt = 1,
): Promise<string[]> {
	const [{ onError, retryOnFail, concurrency }] = cells;
	const workflow = await publishSendWorkflow(host, {
		credential,
		options: { concurrency, timeout: '={{ $json.timeout }}' },
		settings: {
			onError,
			retryOnFail,
			maxTries: 3,
			waitBetweenTries: needsDoorOpened(cells[0]) ? WAIT_FOR_DOOR_MS : 50,
		},
	});
	const closing = await Promise.all(
		cells.map(async (cell) => await startCell(host, workflow.start, cell, attempt)),
	);
	const late: SendCell[] = [];
	const wrong: string[] = [];
	try {
		const executions = await host.api.waitForExecutions(workflow.id, cells.length, 120_000);
		const byCell = new Map(executions.map((execution) => [noteOf(execution), execution]));
		for (const cell of cells) {
			const execution = byCell.get(cell.id);
			if (attempt < MOST_ATTEMPTS && isLate(cell, execution)) late.push(cell);
			else wrong.push(...(await judge(host, cell, execution)));
		}
	} finally {
		await Promise.all(closing.map(async (close) => await close()));
		await host.api.deleteWorkflow(workflow.id);
	}
	if (late.length === 0) return wrong;
	const again = late.map((cell) => ({ ...cell, id: `${cell.id} again,` }));
	return [...wrong, ...(await runGroup(host, credential, again, attempt + 1))];
}

const runOf = (execution?: Execution) => execution?.data.resultData.runData.Send?.at(-1);

/** Whether the first try found the door open already. */
function isLate(cell: SendCell, execution: Execution | undefined): boolean {
	const node = runOf(execution);
	return needsDoorOpened(cell) && node !== undefined && node.executionTime < WAIT_FOR_DOOR_MS;
}

/** Sets the trouble up and starts the execution. Answers what takes the trouble away again. */
async function startCell(
	{ gateway }: Host,
	start: (items: IDataObject[], note: string) => Promise<void>,
	cell: SendCell,
	attempt: number,
): Promise<() => Promise<void>> {
	const { trouble, struck, count } = cell;
	const door = trouble.door && (await makeDoor(gateway, trouble.door));
	if (trouble.fault)
		gateway.faults.add({ match: { text: textOf(cell, struck) }, fault: trouble.fault });
	const items = [...Array(count).keys()].map((index) => ({
		to: `551198765${String(1000 + index)}`,
		text: textOf(cell, index),
		gateway: door && index === struck ? door.url : gateway.url,
		timeout: index === struck ? (trouble.timeout ?? 30) : 30,
	}));
	await start(items, cell.id);
	if (needsDoorOpened(cell)) {
		await pause(DOOR_OPENS_AFTER_MS * attempt);
		await door?.open();
	}
	return async () => await door?.close();
}

async function judge(
	{ gateway }: Host,
	cell: SendCell,
	execution: Execution | undefined,
): Promise<string[]> {
	const node = runOf(execution);
	if (!execution || !node) return [`${cell.name}: the node did not run`];
	if (cell.trouble.taken) {
		const text = textOf(cell, cell.struck);
		await waitFor(`"${text}" to be accepted`, () =>
			gateway.acceptedSends().some((send) => send.text === text),
		);
	}
	const wrong = judgeSendCell(cell, gateway, {
		error: node.error,
		outputs: outputOf(execution, 'Send'),
	});
	if (isLate(cell, execution)) wrong.push(`${cell.name}: there was no second try`);
	return wrong;
}
