import { openBuilder, type Builder } from '../../../host/builder';
import { GATEWAY_NODE, TRIGGER_NODE } from '../../../host/drafts/nodes';
import { openEditor, type Editor } from '../../../host/editor';
import { startHost, type Host } from '../../../host/host';

let host: Host;
let editor: Editor;
let builder: Builder;

beforeAll(async () => {
	host = await startHost();
	editor = await openEditor(host);
	builder = await openBuilder(host.api);
});

afterAll(async () => {
	await editor?.close();
	await host?.stop();
});

describe('a person who searches the panel', () => {
	const WORDS = [
		'messaging',
		'gateway',
		'whatsapp',
		'chat',
		'sms',
		'message',
		'send message',
		'text message',
		'send text',
		'receive message',
		'reply',
		'group',
	];

	it.each(WORDS)('finds the package under "%s"', async (word) => {
		const { page } = editor;
		if (!page.url().includes('/workflow/')) {
			await page.goto(`${host.n8n.url}/workflow/new`);
			await page.getByTestId('canvas-add-button').click();
		}
		await page.getByTestId('node-creator-search-bar').fill(word);
		const found = page.getByTestId('item-iterator-item').filter({ hasText: 'Messaging Gateway' });
		await found.first().waitFor();
	});
});

describe("a model that asks n8n's catalogue of nodes", () => {
	/** What people ask for, and the node that does it. */
	const QUESTIONS: Array<[string, string]> = [
		['send messages through our messaging gateway', GATEWAY_NODE],
		['send a text message to a phone number', GATEWAY_NODE],
		['write a message to a group', GATEWAY_NODE],
		['answer every message that arrives', TRIGGER_NODE],
		['whatsapp', GATEWAY_NODE],
		['show typing before the answer', GATEWAY_NODE],
		['tell me when the number is disconnected', TRIGGER_NODE],
		['was my message delivered or read', TRIGGER_NODE],
		['create a newsletter channel', GATEWAY_NODE],
		['send a picture', GATEWAY_NODE],
	];

	it.each(QUESTIONS)('"%s"', async (question, node) => {
		const answer = await builder.use('search_nodes', { queries: [question] });
		expect(answer).toMatch(new RegExp(`- ${node.replaceAll('.', '\\.')}\\b`));
		expect(answer).toMatch(/never invent/i);
	});

	it('is told how to answer, whom to leave alone, and where media goes', async () => {
		const answer = await builder.use('search_nodes', { queries: ['messaging gateway'] });
		for (const word of ['replyTo', 'chatTypes', 'HTTP Request', 'Pictures', 'chatInput']) {
			expect(answer).toContain(word);
		}
	});

	it.each([
		[{ nodeId: GATEWAY_NODE, resource: 'message', operation: 'sendText' }, 'sendText'],
		[{ nodeId: TRIGGER_NODE }, 'chatTypes'],
	])('reads what the node can do: %j', async (node, word) => {
		const answer = await builder.use('get_node_types', { nodeIds: [node] });
		expect(answer).toContain(word);
	});
});

it('shows what the trigger puts out before anything has arrived', async () => {
	const fetchPreview = async (name: string) => {
		const type = encodeURIComponent(TRIGGER_NODE);
		const answer = await fetch(`${host.n8n.url}/schemas/${type}/2.0.0/${name}.json`);
		return (await answer.json()) as { properties: object };
	};
	for (const name of ['output', 'simplified/MESSAGE.RECEIVED']) {
		expect((await fetchPreview(name)).properties).toMatchObject({ text: { type: 'string' } });
	}
	expect((await fetchPreview('raw/MESSAGE.RECEIVED')).properties).toHaveProperty('data');
});
