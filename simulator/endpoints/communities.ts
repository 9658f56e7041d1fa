import { Refusal, type Gateway } from '../gateway';
import { guard, type App } from '../http/app';
import { answerList } from './list';
import { GroupsForCommunity, NewCommunity, Nothing } from './schemas';

/** API document, Endpoints: `/v1/communities…` and `GET /v1/groups`. */
export function addCommunityEndpoints(app: App, { settings, directory }: Gateway): void {
	app.post(
		'/v1/communities/create',
		guard('instance', { body: NewCommunity, querystring: Nothing }),
		async (request) => {
			const { id, name } = directory.createCommunity(request.body.name);
			return { data: { id, name } };
		},
	);

	const options = guard('instance', { body: GroupsForCommunity, querystring: Nothing });
	app.post('/v1/communities/add-groups', options, async (request) => {
		const community = directory.communities.find(({ id }) => id === request.body.id);
		if (!community)
			throw new Refusal(400, `There is no community with the id "${request.body.id}"`);
		return { data: directory.linkGroups(community, request.body.groups) };
	});

	app.get('/v1/communities', guard('instance', { querystring: Nothing }), async () => {
		return answerList(
			settings,
			'communities',
			directory.communities.map(({ id, name }) => ({ id, name })),
		);
	});

	app.get('/v1/groups', guard('instance', { querystring: Nothing }), async () => {
		const groups = directory.groups.map(({ id, name }) => ({
			id,
			[settings.groupNameField]: name,
		}));
		return answerList(settings, 'groups', groups);
	});
}
