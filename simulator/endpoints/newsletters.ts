import type { Gateway } from '../gateway';
import { guard, type App } from '../http/app';
import { answerList } from './list';
import { NewNewsletter, Nothing } from './schemas';

/** API document, Endpoints: `/v1/newsletters…`. */
export function addNewsletterEndpoints(app: App, { settings, directory }: Gateway): void {
	app.post(
		'/v1/newsletters/create',
		guard('instance', { body: NewNewsletter, querystring: Nothing }),
		async (request) => {
			return {
				data: directory.createNewsletter(request.body.name, request.body.description ?? ''),
			};
		},
	);

	app.get('/v1/newsletters', guard('instance', { querystring: Nothing }), async () => {
		return answerList(settings, 'newsletters', directory.newsletters);
	});
}
