import type { INode } from 'n8n-workflow';
import type { StoredCredential, WorkflowDraft } from '../../../host/api';
import { lead, makeNode, makeNothing, makeTrigger } from '../../../host/drafts/nodes';

/** What a person changes of the workflow during the soak. */
export interface Shape {
	/** Another version for n8n, though the trigger stays as it is. */
	edition: number;
	events: string[];
	/** Whether a trigger that polls the feed is in the workflow too. */
	polls: boolean;
	/** Whether there is a second trigger, whose gateway refuses connections. */
	hasNeighbour: boolean;
}

export interface Surroundings {
	account: StoredCredential;
	neighbourAccount: StoredCredential;
	webhookId: string;
	runsUrl: string;
	feedUrl: string;
}

/** The text of an event whose execution takes its time, and writes static data at its end. */
export const LINGER = 'linger';
export const LINGERS_MS = 8_000;

/** A workflow that tells the ids of its events as soon as it runs. */
export function draftSoaked(
	{ edition, events, polls, hasNeighbour }: Shape,
	{ account, neighbourAccount, webhookId, runsUrl, feedUrl }: Surroundings,
): WorkflowDraft {
	const trigger = makeTrigger(account, { events, output: 'raw' }, { webhookId });
	const tell: INode = makeNode(
		'n8n-nodes-base.httpRequest',
		'Tell',
		{
			method: 'POST',
			url: runsUrl,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ JSON.stringify($("Trigger").all().map((item) => item.json.id)) }}',
		},
		{ id: 'tell', typeVersion: 4.2, executeOnce: true, notes: `Edition ${edition}` },
	);
	const choose = makeNode(
		'n8n-nodes-base.if',
		'Choose',
		{
			conditions: {
				string: [{ value1: '={{ $("Trigger").first().json.data.text }}', value2: LINGER }],
			},
		},
		{ id: 'choose' },
	);
	const linger = makeNode(
		'n8n-nodes-base.code',
		'Linger',
		{
			jsCode: `const data = $getWorkflowStaticData('global');
await new Promise((resolve) => setTimeout(resolve, ${LINGERS_MS}));
data.seen = Date.now();
return [];`,
		},
		{ id: 'linger', typeVersion: 2 },
	);
	const poller = makeNode(
		'n8n-nodes-base.rssFeedReadTrigger',
		'Feed',
		// Every minute: n8n allows no shorter interval.
		{ feedUrl, pollTimes: { item: [{ mode: 'everyMinute' }] } },
		{ id: 'feed' },
	);
	const neighbour = makeTrigger(neighbourAccount, undefined, {
		id: 'neighbour',
		name: 'Neighbour',
		webhookId: `${webhookId}-neighbour`,
	});
	return {
		name: 'Soak',
		nodes: [
			trigger,
			tell,
			choose,
			linger,
			...(polls ? [poller, { ...makeNothing('Read'), id: 'read' }] : []),
			...(hasNeighbour ? [neighbour] : []),
		],
		connections: {
			Trigger: { main: [lead(['Tell'])] },
			Tell: { main: [lead(['Choose'])] },
			Choose: { main: [lead(['Linger'])] },
			...(polls && { Feed: { main: [lead(['Read'])] } }),
		},
	};
}
