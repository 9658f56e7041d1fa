import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { INodeExecutionData, IRunExecutionData, WorkflowExecuteMode } from 'n8n-workflow';
import { findPlace } from './places';

export type ExecutionStatus =
	'canceled' | 'crashed' | 'error' | 'new' | 'running' | 'success' | 'unknown' | 'waiting';

export interface ExecutionSummary {
	id: string;
	workflowId: string;
	mode: WorkflowExecuteMode;
	status: ExecutionStatus;
	createdAt: string;
	startedAt: string;
	stoppedAt?: string;
}

export interface Execution extends ExecutionSummary {
	data: IRunExecutionData;
}

/** An execution as n8n answers it. */
export interface StoredExecution extends ExecutionSummary {
	data: string;
}

export interface ExecutionsPage {
	results: ExecutionSummary[];
	/** Null on the last page. Older n8n have one page alone. */
	nextCursor?: string | null;
}

/** Executions on one page of n8n's list: the most that it gives. */
export const PAGE_SIZE = 100;

/** The items that a node put out in its last run of an execution, output by output. */
export function outputOf(execution: Execution, node: string): INodeExecutionData[][] {
	const runs = execution.data.resultData.runData[node] ?? [];
	return (runs.at(-1)?.data?.main ?? []).map((items) => items ?? []);
}

export function hasEnded({ status }: ExecutionSummary): boolean {
	return !['new', 'running', 'waiting'].includes(status);
}

/** n8n keeps the data of executions in a format of a library of its own, with which it is read here too. */
export function readExecution({ data, ...summary }: StoredExecution): Execution {
	const requireFromN8n = createRequire(join(findPlace('n8n'), 'package.json'));
	const { parse } = requireFromN8n('flatted') as { parse: (text: string) => IRunExecutionData };
	return { ...summary, data: parse(data) };
}
