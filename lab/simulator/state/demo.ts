import { makeMessageId, type Chats, type Message } from './chats';

const HOUR_MS = 3_600_000;

/** Earlier messages, without events: the first look at the page shows a conversation. */
export function addDemoMessages(chats: Chats): void {
	const [ana, bruno, , , , family] = chats.list();
	const write = (
		chatId: string,
		hoursAgo: number,
		message: Partial<Message> & { text: string },
	): string => {
		const id = makeMessageId();
		const at = new Date(Date.now() - hoursAgo * HOUR_MS).toISOString();
		chats.keep({ id, chatId, at, fromMe: false, messageType: 'TEXT', ...message });
		return id;
	};

	write(family.id, 27, { sender: family.members[1], text: 'Who brings the cake on Sunday?' });
	write(family.id, 26, { sender: family.members[0], text: 'I will ask at the bakery!' });

	write(bruno.id, 5, {
		fromMe: true,
		status: 'READ',
		text: 'Your order is ready. How would you like to get it?',
	});

	const question = write(ana.id, 2, {
		sender: { ...ana },
		text: 'Good morning! Do you have pão de queijo today?',
	});
	write(ana.id, 1.9, {
		fromMe: true,
		status: 'READ',
		text: 'We do, fresh at nine.',
		quotedMessageId: question,
	});
}
