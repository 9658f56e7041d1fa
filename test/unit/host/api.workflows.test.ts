import { N8nApi } from '../../../host/api';
import { startFakeN8n, type FakeN8n, type Told } from './fakeN8n';

// An n8n with one workflow, which gets published and executed as told.

let n8n: FakeN8n;
let api: N8nApi;
let workflow: Record<string, unknown>;
let executions: Array<{ id: string; status: string }>;
/** What is said of the publication, one answer after another; the last one stays. */
let publications: Told[];

const published = { data: { status: 'published', triggers: [] } };

beforeAll(async () => {
	n8n = await startFakeN8n((line) => {
		if (line.includes('publication-status'))
			return publications.length > 1 ? publications.shift()! : publications[0];
		if (line.startsWith('GET /executions?')) return { data: { results: executions } };
		const [, id] = /^GET \/executions\/(\d+)$/.exec(line) ?? [];
		if (id !== undefined)
			return { data: { ...executions.find((each) => each.id === id), data: `["${id}"]` } };
		return { data: workflow };
	});
	api = new N8nApi(n8n.url);
});
beforeEach(() => {
	n8n.asked.length = 0;
	workflow = { id: '7', versionId: 'draft', activeVersionId: null, isArchived: false };
	publications = [published];
});
afterAll(() => n8n.stop());

const lines = () => n8n.asked.map(({ line }) => line).filter((line) => !line.startsWith('GET /w'));
const bodies = () => n8n.asked.map(({ body }) => body).filter((body) => body !== undefined);

describe('a publication', () => {
	it('is of the draft, or of the version named, and over when n8n says so', async () => {
		const status = (name: string) => ({ data: { status: name, triggers: [] } });
		publications = [status('not_published'), status('in_progress'), published];
		await api.publish('7');
		expect(publications).toHaveLength(1);
		await api.publish('7', 'older');
		expect(bodies()).toEqual([{ versionId: 'draft' }, { versionId: 'older' }]);
	});

	it.each(['partial', 'failed'])('that is %s throws with what the triggers say', async (status) => {
		const triggers = ['No token', null, 'No gateway'].map((errorMessage) => ({ errorMessage }));
		publications = [{ data: { status, triggers } }];
		await expect(api.publish('7')).rejects.toThrow(
			`The workflow was not published (${status}): No token; No gateway`,
		);
	});

	it('has no status in an n8n of the older path, which has done all by then', async () => {
		publications = [{ status: 404, text: '' }];
		await expect(api.publish('7')).resolves.toBeUndefined();
	});

	it('is taken back, and that is over even if nothing is published any more', async () => {
		publications = [{ data: { status: 'not_published', triggers: [] } }];
		await api.unpublish('7');
		expect(lines()).toEqual(['POST /workflows/7/deactivate']);
	});
});

it.each([
	['draft', {}, ['archive', 'DELETE']],
	['published one', { activeVersionId: 'v1' }, ['deactivate', 'archive', 'DELETE']],
	['archived one', { isArchived: true }, ['DELETE']],
])('a %s is deleted in the steps that n8n asks for', async (_what, changes, steps) => {
	Object.assign(workflow, changes);
	await api.deleteWorkflow('7');
	expect(lines()).toEqual(
		steps.map((step) => (step === 'DELETE' ? 'DELETE /workflows/7' : `POST /workflows/7/${step}`)),
	);
});

it('a change names the version that it changes', async () => {
	await api.updateWorkflow('7', { name: 'Bread' });
	expect(n8n.asked.at(-1)).toMatchObject({
		line: 'PATCH /workflows/7',
		body: { name: 'Bread', versionId: 'draft' },
	});
});

it('listening for a test says so if n8n has run the workflow instead', async () => {
	workflow.waitingForWebhook = true;
	await api.listenForTest('7', 'Trigger');
	expect(bodies()).toMatchObject([{ triggerToStartFrom: { name: 'Trigger' } }]);
	workflow.waitingForWebhook = false;
	await expect(api.listenForTest('7', 'Trigger')).rejects.toThrow('instead of waiting');
});

it('lists executions by workflow and by status', async () => {
	executions = [];
	await api.listExecutions('7', ['error']);
	await api.listExecutions('7');
	expect(lines()).toEqual([
		'GET /executions?filter={"workflowId":"7","status":["error"]}&limit=100',
		'GET /executions?filter={"workflowId":"7"}&limit=100',
	]);
});

it('asks an older n8n for the page behind the last execution, until a page is not full', async () => {
	const all = Array.from({ length: 150 }, (_, at) => ({ id: String(150 - at), status: 'success' }));
	const older = await startFakeN8n((line) => {
		const from = Number(/lastId=(\d+)$/.exec(line)?.[1] ?? 151);
		return { data: { results: all.filter(({ id }) => Number(id) < from).slice(0, 100) } };
	});
	try {
		expect(await new N8nApi(older.url).listExecutions('7')).toEqual(all);
		expect(older.asked).toHaveLength(2);
	} finally {
		older.stop();
	}
});
