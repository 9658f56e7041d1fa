import {
	answersHere,
	rememberQuestion,
} from '../../../nodes/MessagingGateway/question/knownQuestions';

it('remembers the newest 200 questions', () => {
	const ids = Array.from({ length: 201 }, (_, index) => `wh_${index}`);
	for (const webhookId of ids) {
		const listing = { answeredBy: 'event' };
		rememberQuestion({ question: { webhookId }, listing, url: '' } as never);
	}
	expect([...answersHere().keys()]).toEqual(ids.slice(1));
});
