import { startSimulator, type Simulator } from '../../../simulator';
import { callGateway } from '../../../simulator/client';

// What the simulator has invented where the API document shows nothing.

let simulator: Simulator;

beforeAll(async () => {
	simulator = await startSimulator();
});
afterAll(async () => await simulator.stop());
beforeEach(() => simulator.reset());

const SEND = '/v1/simulator-invention/send-picture';
const TO = '5511900000001';
const BYTES = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]);

async function sendForm(path: string, fields: Record<string, string | File>): Promise<Response> {
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) form.append(name, value);
	const headers = { authorization: `Bearer ${simulator.instanceToken}` };
	return await fetch(simulator.url + path, { method: 'POST', headers, body: form });
}

const sendJson = async (body: unknown) =>
	await callGateway(simulator, 'POST', SEND, { body, token: simulator.instanceToken });

const picture = () => new File([BYTES], 'Pão "de" queijo.png', { type: 'image/png' });
const lastMessage = () =>
	simulator
		.chats()
		.find(({ phone }) => phone === TO)
		?.messages.at(-1);

it('takes a picture as a form and gives it back as a file', async () => {
	const answer = await sendForm(SEND, { to: TO, caption: 'Look', picture: picture() });
	expect(answer.status).toBe(202);
	const { data } = (await answer.json()) as { data: { messageId: string } };
	expect(simulator.acceptedSends()).toMatchObject([{ ...data, to: TO, text: 'Look' }]);

	const path = `/v1/simulator-invention/files/${data.messageId}`;
	const headers = { authorization: `Bearer ${simulator.instanceToken}` };
	const file = await fetch(simulator.url + path, { headers });
	expect(file.headers.get('content-type')).toBe('image/png');
	expect(file.headers.get('content-disposition')).toBe(
		"attachment; filename*=UTF-8''P%C3%A3o%20%22de%22%20queijo.png",
	);
	expect(Buffer.from(await file.arrayBuffer())).toEqual(BYTES);
});

it.each([
	['voice', 'When do you open?', undefined, 'audio/wav'],
	['picture', '', undefined, 'image/svg+xml'],
	['picture', 'Like this one', 'Like this one', 'image/svg+xml'],
] as const)(
	'tells of a %s with %j only the document’s fields, and has its file',
	async (as, text, told, type) => {
		const { data } = simulator.write(text, { phone: TO, as });
		expect((data as { text?: string }).text).toBe(told);
		const { messageId } = data as { messageId: string };
		expect(Object.keys(data).filter((field) => field !== 'text')).toEqual(
			Object.keys(simulator.write('Hello', { phone: TO }).data).filter((field) => field !== 'text'),
		);
		const headers = { authorization: `Bearer ${simulator.instanceToken}` };
		const path = `/v1/simulator-invention/files/${messageId}`;
		const file = await fetch(simulator.url + path, { headers });
		expect([file.status, file.headers.get('content-type')]).toEqual([200, type]);
	},
);

it.each([
	['', 'image/png'],
	['data:image/jpeg;base64,', 'image/jpeg'],
])('takes a picture as base64 in JSON with %j in front', async (prefix, mediaType) => {
	const base64 = BYTES.toString('base64');
	const { status } = await sendJson({ to: TO, picture: { data: prefix + base64 } });
	expect(status).toBe(202);
	expect(lastMessage()).toMatchObject({ text: '', picture: { mediaType, base64 } });
});

it.each(['', 'not base64', 'data:text/html;base64,AAAA', 'AAA', 'AAAA='])(
	'refuses %j as base64',
	async (data) => {
		const { status } = await sendJson({ to: TO, picture: { data } });
		expect(status).toBe(400);
	},
);

it('refuses a form without a file, and one where the document shows JSON', async () => {
	const answers = [
		await sendForm(SEND, { to: TO, picture: 'no file' }),
		await sendForm(SEND, { to: TO }),
		await sendForm('/v1/messages/send-text', { to: TO, text: 'Hello' }),
	];
	expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
	expect(simulator.acceptedSends()).toEqual([]);
});
