import { isAnswer, noteLook, noteQuestion } from '../../../nodes/MessagingGateway/question/memory';

const MOST = 10_000;

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
afterEach(() => void jest.useRealTimers());

const phoneOf = (index: number) => `5511${String(900_000_000 + index)}`;

const messageFrom = (index: number) => ({
	id: `evt_${index}`,
	type: 'MESSAGE.RECEIVED',
	data: { messageId: `M${index}`, chat: { id: `${index}@lid`, phone: phoneOf(index) } },
});

/** Whether a message is held back until the question to whoever wrote it has looked at it. */
async function isHeldBack(index: number): Promise<boolean> {
	let isDecided = false;
	const decided = isAnswer(messageFrom(index), Date.now() + 60_000).then(() => (isDecided = true));
	await new Promise(setImmediate);
	const isHeld = !isDecided;
	noteLook(`wh_${index}`, messageFrom(index), true);
	await decided;
	return isHeld;
}

it('keeps the latest 10,000 questions, however many a gateway lists and however long they are to wait', async () => {
	for (let index = 0; index <= MOST; index++)
		noteQuestion(`wh_${index}`, { to: phoneOf(index), until: Infinity });
	expect(await isHeldBack(MOST)).toBe(true);
	expect(await isHeldBack(0)).toBe(false);
});

it('still knows a question whose time is over while n8n may not have noticed', async () => {
	for (const [minutes, isHeld] of [
		[1, true],
		[3, false],
	] as const) {
		const index = MOST + minutes;
		noteQuestion(`wh_${index}`, { to: phoneOf(index), until: Date.now() - minutes * 60_000 });
		noteQuestion('wh_other', { to: phoneOf(0), until: Infinity });
		expect(await isHeldBack(index)).toBe(isHeld);
	}
});
