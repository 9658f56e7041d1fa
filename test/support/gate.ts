import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { INode } from 'n8n-workflow';
import { makeNode } from '../../lab/host/drafts/nodes';
import { waitFor } from '../../lab/host/waiting';

/** An execution that waits at the gate, with the texts of its events. */
interface Visit {
	texts: string[];
	/** The execution goes on, if it still waits; with a status of 400 or above it fails. */
	answer(status?: number): void;
}

/** An HTTP server at which executions wait, so that a test decides how long they take and how they end. */
export interface Gate {
	/** All visits in order. */
	visits: Visit[];
	/** Answers each visit at once with this status from now on; undefined makes visits wait again. */
	open(status: number | undefined): void;
	/** Waits for as many visits as this, and answers the latest. */
	visit(count: number): Promise<Visit>;
	/** A node that visits the gate once for all of its items. */
	node(): INode;
	stop(): void;
}

export async function startGate(): Promise<Gate> {
	const visits: Visit[] = [];
	let opened: number | undefined;
	const server = createServer((request, response) => {
		void json(request).then((body) => {
			const visit: Visit = {
				texts: body as string[],
				answer: (status = 200) => {
					if (response.writableEnded) return;
					response.writeHead(status, { 'content-type': 'application/json' });
					response.end('{"secret":"of the workflow"}');
				},
			};
			visits.push(visit);
			if (opened) visit.answer(opened);
		});
	});

	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;

	return {
		visits,
		open: (status) => {
			opened = status;
		},
		visit: async (count) => {
			await waitFor(`visit ${count}`, () => visits.length >= count, 60_000);
			return visits[count - 1];
		},
		node: () =>
			makeNode(
				'n8n-nodes-base.httpRequest',
				'Gate',
				{
					method: 'POST',
					url: `http://127.0.0.1:${port}/`,
					sendBody: true,
					specifyBody: 'json',
					jsonBody: '={{ JSON.stringify($("Trigger").all().map((item) => item.json.text)) }}',
					options: {},
				},
				{ typeVersion: 4.2, executeOnce: true },
			),
		stop: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}
