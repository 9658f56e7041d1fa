const phoneOf = (index: number) => `5511${String(900_000_000 + index)}`;

/** A message that the person of this index writes. */
export const messageFrom = (index: number) => ({
	id: `evt_${index}`,
	type: 'MESSAGE.RECEIVED',
	data: { messageId: `M${index}`, chat: { id: `${index}@lid`, phone: phoneOf(index) } },
});

/** What is known of an open question to them. */
export const open = (index: number, until = Infinity) => ({
	to: phoneOf(index),
	until,
	url: `url ${index}`,
});
