import type { IDataObject } from 'n8n-workflow';
import { groupIdAt } from '../../../simulator';
import { to } from '../../contract/document';
import { expectRefusal } from '../../support/refusal';
import { runOperation, type OperationResult, type OperationRun } from '../../support/runOperation';
import { engine, gateway } from '../../support/stage';

const run = async (what: OperationRun): Promise<OperationResult> =>
	await runOperation(engine, gateway, what);
const send = (parameters: OperationRun['parameters']): OperationRun => ({
	resource: 'message',
	operation: 'sendText',
	parameters: { text: 'Hello', ...parameters },
});
const sentBodies = () => gateway.requests.map(({ body }) => body);

describe('recipients', () => {
	it.each([
		['+55 (11) 98765-4321', '5511987654321'],
		['55.11.98765.4321', '5511987654321'],
		['5511 98765-4321', '5511987654321'],
		// The ninth digit is neither added nor taken away: which form the network knows cannot be told.
		['+55 11 8765-4321', '551187654321'],
		['+1 (212) 555-0142', '12125550142'],
	])('sends the digits of the phone %s as given', async (typed, digits) => {
		expect((await run(send({ to: to('phone', typed) }))).error).toBeUndefined();
		expect(sentBodies()).toEqual([{ to: digits, text: 'Hello' }]);
	});

	it.each([
		['201894637712045@lid', /Choose 'By ID'/],
		[groupIdAt(0), /Choose 'By ID'/],
		['11 98765-432a', /cannot be read as a phone number\. Enter one number with \+/],
		['+55 11 98765-4321; +55 11 98765-4322', /cannot be read as a phone number/],
		['51 98765-4321', /choose its country as 'Default Country'/],
		['={{ 21987654321 }}', /choose its country as 'Default Country'/],
		['={{ "" }}', /^To is empty/],
	])('refuses %s as a phone before any request', async (typed, words) => {
		expectRefusal(await run(send({ to: to('phone', typed) })), words);
	});

	it('sends what is a whole number by its digits as given, where no country is named', async () => {
		await run(send({ to: to('phone', '51987654321') }));
		expect(sentBodies()).toEqual([{ to: '51987654321', text: 'Hello' }]);
	});

	describe('with Default Country', () => {
		const sendAs = async (country: string, phone: string): Promise<OperationResult> =>
			await run({ ...send({ to: to('phone', phone) }), credential: { defaultCountry: country } });

		it.each([
			['51 98765-4321', '5551987654321'],
			['51987654321', '5551987654321'],
			['={{ 51987654321 }}', '5551987654321'],
			['041 21 98765-4321', '5521987654321'],
			['(11) 3123-4567', '551131234567'],
			['5511987654321', '5511987654321'],
			['+51 987 654 321', '51987654321'],
		])('Brazil, %s goes to %s', async (typed, digits) => {
			expect((await sendAs('BR', typed)).error).toBeUndefined();
			expect(sentBodies()).toEqual([{ to: digits, text: 'Hello' }]);
		});

		it.each(['98765-4321', '(20) 98765-4321', '351 912 345 678'])(
			'Brazil, %s is refused',
			async (typed) => {
				expectRefusal(await sendAs('BR', typed), /cannot be read as a phone number/);
			},
		);

		it('by an expression in the credential, each item is judged by its own', async () => {
			const items = ['BR', '', 'PT', 'XX'].map((country) => ({ country }));
			const { failedItems } = await run({
				...send({ to: to('phone', '21 98765 4321') }),
				items,
				onError: 'continueErrorOutput',
				credential: { defaultCountry: '={{ $json.country }}' },
			});
			expect(sentBodies()).toEqual([{ to: '5521987654321', text: 'Hello' }]);
			expect(failedItems.map(({ json }) => (json.error as IDataObject).message)).toEqual([
				expect.stringContaining("choose its country as 'Default Country'"),
				expect.stringContaining('"21 98765 4321" cannot be read as a phone number'),
				expect.stringContaining('"XX" is no country'),
			]);
		});

		it('leaves ids, and what is chosen from the list, alone', async () => {
			const credential = { defaultCountry: 'BR' };
			await run({ ...send({ to: to('id', '51 98765-4321') }), credential });
			await run({ ...send({ to: to('list', '51987654321') }), credential });
			await run({ ...send({ to: '={{ "51987654321@lid" }}' }), credential });
			expect(gateway.requests.map(({ body }) => (body as IDataObject).to)).toEqual([
				'51 98765-4321',
				'51987654321',
				'51987654321@lid',
			]);
		});

		it('judges in every operation that has a recipient', async () => {
			const [phone, credential] = [to('phone', '51 98765-4321'), { defaultCountry: 'BR' }];
			await run({ resource: 'chat', operation: 'archive', parameters: { to: phone }, credential });
			await run({
				...send({ to: phone, options: { typingSeconds: 0.01 } }),
				credential,
			});
			expect(gateway.requests.map(({ path, body }) => [path, (body as IDataObject).to])).toEqual([
				['/v1/chats/archive', '5551987654321'],
				['/v1/messages/presence', '5551987654321'],
				['/v1/messages/send-text', '5551987654321'],
			]);
		});

		it('keeps the order of one recipient, whether or not the country is written', async () => {
			gateway.faults.add({ times: 'always', fault: { kind: 'slow', delayMs: 20 } });
			const writings = ['51 98765-4321', '+55 51 98765-4321', '051 8765-4321'];
			const items = [...Array(30).keys()].map((index) => ({
				to: index % 2 ? writings[index % 3] : `+55 11 9000${1000 + index}`,
				text: `m${index}`,
			}));
			await run({
				...send({
					to: to('phone', '={{ $json.to }}'),
					text: '={{ $json.text }}',
					options: { concurrency: 10 },
				}),
				items,
				credential: { defaultCountry: 'BR' },
			});
			const ofOne = gateway.requests.filter(({ body }) =>
				String((body as IDataObject).to).endsWith('87654321'),
			);
			expect(ofOne.map(({ body }) => (body as IDataObject).text)).toEqual(
				items.filter((_item, index) => index % 2).map(({ text }) => text),
			);
			ofOne.reduce((one, next) => {
				expect(next.startedAt).toBeGreaterThanOrEqual(one.finishedAt);
				return next;
			});
		});
	});

	it.each([
		groupIdAt(3),
		'201894637712045@lid',
		'  spaces@g.us ',
		'ÄÖÜ@lid',
		'00-11.22@g.us',
		'a"b\\c@lid',
		'120363@newsletter',
	])('passes the id %j on byte for byte', async (id) => {
		await run(send({ to: to('id', id) }));
		expect(sentBodies()).toEqual([{ to: id, text: 'Hello' }]);
	});

	it('passes on the id of a group chosen from the list, whatever it looks like', async () => {
		await run(send({ to: to('list', groupIdAt(2)) }));
		expect(sentBodies()).toEqual([{ to: groupIdAt(2), text: 'Hello' }]);
	});

	it.each([
		['={{ "+55 11 98765-4321" }}', '5511987654321'],
		['={{ 5511987654321 }}', '5511987654321'],
		['={{ "201894637712045@lid" }}', '201894637712045@lid'],
	])(
		'takes %s in place of the whole field for a phone or an id, by its "@"',
		async (expression, recipient) => {
			await run(send({ to: expression }));
			expect(sentBodies()).toEqual([{ to: recipient, text: 'Hello' }]);
		},
	);
});

describe('phone', () => {
	const ask = async (
		operation: string,
		parameters: OperationRun['parameters'],
	): Promise<OperationResult> => await run({ resource: 'phone', operation, parameters });

	it('normalize reads a number by its own country', async () => {
		const { items } = await ask('normalize', { phone: '041 21 98765-4321', defaultCountry: 'BR' });
		expect(items.map(({ json }) => json)).toEqual([
			{ phone: '5521987654321', e164: '+5521987654321', personKey: '552187654321' },
		]);
		const { error } = await ask('normalize', { phone: '041 21 98765-4321' });
		expect(error?.message).toContain('"041 21 98765-4321" cannot be read as a phone number');
	});

	it('compare does so for both numbers', async () => {
		const numbers = { phone: '21 98765-4321', otherPhone: '+55 (21) 8765-4321' };
		const { items } = await ask('compare', { ...numbers, defaultCountry: 'BR' });
		expect(items[0].json).toEqual({ same: true, phones: ['5521987654321', '552187654321'] });
		expect((await ask('compare', numbers)).error?.message).toContain('"21 98765-4321"');
	});
});

describe('fields', () => {
	it('say that a recipient cannot be a list', async () => {
		expectRefusal(
			await run(send({ to: to('id', '={{ [1] }}') })),
			/^To must be a phone number or an ID/,
		);
	});

	it.each<[string, OperationRun, RegExp]>([
		[
			'an empty text',
			send({ to: to('phone', '5511987654321'), text: '={{ "" }}' }),
			/^Text is empty/,
		],
		[
			'a text of blanks',
			send({ to: to('phone', '5511987654321'), text: '={{ "  \\n\\t " }}' }),
			/^Text holds only blanks/,
		],
		[
			'a status of blanks',
			{ resource: 'profile', operation: 'updateStatus', parameters: { status: '={{ "  " }}' } },
			/^Status holds only blanks/,
		],
		...[-1, 61, 'soon', true].map((value): [string, OperationRun, RegExp] => [
			`${value} seconds of typing`,
			send({
				to: to('phone', '5511987654321'),
				options: { typingSeconds: `={{ ${JSON.stringify(value)} }}` },
			}),
			new RegExp(`^"${value}" cannot be Typing Seconds. Enter a number from 0 to 60`),
		]),
		...[0, -1, 1.5, 51, 'many'].map((value): [string, OperationRun, RegExp] => [
			`${value} items at once`,
			send({
				to: to('phone', '5511987654321'),
				options: { concurrency: `={{ ${JSON.stringify(value)} }}` },
			}),
			new RegExp(`^"${value}" cannot be Concurrency. Enter a whole number from 1 to 50`),
		]),
		...[0, -1, 301, 'long'].map((value): [string, OperationRun, RegExp] => [
			`a timeout of ${value}`,
			send({
				to: to('phone', '5511987654321'),
				options: { timeout: `={{ ${JSON.stringify(value)} }}` },
			}),
			new RegExp(`^"${value}" cannot be Timeout. Enter a number from 1 to 300`),
		]),
		...(['create', 'update'] as const).flatMap((operation) =>
			['example', 'example.com/hook', 'ftp://example.com', 'https://', 'https:// a', ' '].map(
				(url): [string, OperationRun, RegExp] => [
					`the URL "${url}" to ${operation} a webhook`,
					{
						resource: 'webhook',
						operation,
						parameters:
							operation === 'create'
								? { url: `=${url}` }
								: { webhookId: 'wh_1', options: { url: `=${url}` } },
					},
					/is not a web address\. Enter the whole URL/,
				],
			),
		),
		[
			'a text that is a list',
			send({ to: to('phone', '5511987654321'), text: '={{ [1, 2] }}' }),
			/^Text must be text.*list/,
		],
		[
			'an expression that gives nothing',
			send({ to: to('phone', '5511987654321'), text: '={{ $json.missing }}' }),
			/^Text is empty/,
		],
		[
			'no group',
			{
				resource: 'community',
				operation: 'addGroups',
				parameters: { communityId: to('id', 'c@g.us'), groupIds: '={{ [] }}' },
			},
			/^Group Names or IDs is empty/,
		],
		[
			'group ids of commas only',
			{
				resource: 'community',
				operation: 'addGroups',
				parameters: { communityId: to('id', 'c@g.us'), groupIds: '= , ,' },
			},
			/No group is chosen/,
		],
		[
			'no community',
			{
				resource: 'community',
				operation: 'addGroups',
				parameters: { communityId: to('id', '={{ "" }}'), groupIds: ['g@g.us'] },
			},
			/^Community is empty/,
		],
		[
			'no setting',
			{ resource: 'instance', operation: 'updateSettings', parameters: { settings: {} } },
			/nothing to change/,
		],
		[
			'a switch that is neither',
			{
				resource: 'instance',
				operation: 'updateSettings',
				parameters: { settings: { readMessages: 'maybe' } },
			},
			/"maybe" is neither true nor false/,
		],
		[
			'no event',
			{
				resource: 'webhook',
				operation: 'create',
				parameters: { url: 'https://example.com', events: '={{ [] }}' },
			},
			/No event is chosen/,
		],
		[
			'nothing to update',
			{ resource: 'webhook', operation: 'update', parameters: { webhookId: 'wh_1' } },
			/nothing to change/,
		],
		[
			'an id that leads elsewhere',
			{ resource: 'webhook', operation: 'delete', parameters: { webhookId: '..' } },
			/cannot be part of the address/,
		],
		[
			'no webhook',
			{ resource: 'webhook', operation: 'delete', parameters: { webhookId: '={{ "" }}' } },
			/^Webhook ID is empty/,
		],
		[
			'a limit that is none',
			{ resource: 'group', operation: 'getAll', parameters: { limit: '={{ "many" }}' } },
			/"many" cannot be the limit/,
		],
		[
			'a presence that does not exist',
			{
				resource: 'message',
				operation: 'sendPresence',
				parameters: { to: to('phone', '5511987654321'), presence: '={{ "typing" }}' },
			},
			/"typing" is none of the choices of Presence: PAUSED, COMPOSING/,
		],
		[
			'no presence',
			{
				resource: 'message',
				operation: 'sendPresence',
				parameters: { to: to('phone', '5511987654321'), presence: '={{ $json.missing }}' },
			},
			/^Presence is empty/,
		],
		[
			'a token that does not exist',
			{
				resource: 'api',
				operation: 'request',
				parameters: { path: '/v1/groups', token: '={{ "root" }}' },
			},
			/none of the choices of Token/,
		],
		[
			'a body that is no JSON',
			{
				resource: 'api',
				operation: 'request',
				parameters: { method: 'POST', path: '/v1/groups', options: { body: '{ "a": }' } },
			},
			/body is not valid JSON/,
		],
	])('refuses %s before any request', async (_what, what, words) => {
		expectRefusal(await run(what), words);
	});

	it('sends what is text as text, also when an expression gives a number', async () => {
		await run(send({ to: to('phone', '5511987654321'), text: '={{ 42 }}' }));
		expect(sentBodies()).toEqual([{ to: '5511987654321', text: '42' }]);
	});

	it('keeps an id in the path from meaning anything else', async () => {
		await run({
			resource: 'webhook',
			operation: 'delete',
			parameters: { webhookId: 'a/../b?c#d' },
		});
		expect(gateway.requests.map(({ path }) => path)).toEqual(['/v1/webhooks/a%2F..%2Fb%3Fc%23d']);
	});
});

describe('the profile status', () => {
	const update = (
		parameters: OperationRun['parameters'],
		items?: OperationRun['items'],
	): OperationRun => ({
		resource: 'profile',
		operation: 'updateStatus',
		parameters,
		items,
	});
	it('is asked for by n8n itself when it is left empty', async () => {
		await expect(run(update({ status: '' }))).rejects.toThrow('Parameter "Status" is required');
	});

	it.each([
		['an expression that gives nothing', { status: '={{ $json.missing }}' }],
		['an expression that gives null', { status: '={{ null }}' }],
	])('is never cleared by accident: %s', async (_what, parameters) => {
		expectRefusal(await run(update(parameters)), /^Status is empty/);
	});

	it('is cleared or set as the expression of the switch says for each item', async () => {
		const { items, error } = await run(
			update({ clearStatus: '={{ $json.clear }}', status: '={{ $json.status }}' }, [
				{ clear: true, status: '' },
				{ clear: false, status: 'Open' },
				{ clear: 'false', status: 'Still open' },
				{ clear: 'TRUE', status: 'ignored' },
			]),
		);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(4);
		expect(sentBodies()).toEqual([
			{ status: '' },
			{ status: 'Open' },
			{ status: 'Still open' },
			{ status: '' },
		]);
	});

	it('is not cleared by a switch whose expression gives nothing', async () => {
		const clearing = { clearStatus: '={{ $json.missing }}', status: '={{ $json.missing }}' };
		expectRefusal(await run(update(clearing)), /^Status is empty/);
	});
});

describe('settings', () => {
	it('are read and written for each item', async () => {
		const { items } = await run({
			resource: 'instance',
			operation: 'updateSettings',
			parameters: {
				settings: { rejectCall: '={{ $json.reject }}', msgRejectCall: '={{ $json.words }}' },
			},
			items: [
				{ reject: true, words: 'Write to me' },
				{ reject: 'false', words: '' },
			],
		});
		const others = { readMessages: false, ignoreGroups: false, ignoreStatus: false };
		expect(items.map(({ json }) => json)).toEqual([
			{ rejectCall: true, msgRejectCall: 'Write to me', ...others },
			{ rejectCall: false, msgRejectCall: '', ...others },
		]);
		expect(gateway.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET', 'POST']);
	});

	it('can be switched off and emptied again', async () => {
		const update = async (settings: Record<string, string | boolean>) =>
			await run({ resource: 'instance', operation: 'updateSettings', parameters: { settings } });
		await update({ ignoreGroups: true, msgRejectCall: 'Write to me' });
		await update({ ignoreGroups: 'false', msgRejectCall: '' });
		expect(sentBodies().at(-1)).toEqual({
			rejectCall: false,
			msgRejectCall: '',
			readMessages: false,
			ignoreGroups: false,
			ignoreStatus: false,
		});
	});

	it.each([
		['success: false', { data: { success: false } }, { success: false }, 1],
		[
			'success: true',
			{ data: { success: true } },
			expect.objectContaining({ readMessages: true }),
			0,
		],
		['nothing', undefined, expect.objectContaining({ readMessages: true }), 0],
	])(
		'are put out as written unless the gateway says otherwise: %s',
		async (_what, body, output, hintCount) => {
			const fault =
				body === undefined
					? { status: 204 as const, kind: 'empty' as const }
					: { status: 200, body };
			gateway.faults.add({ match: { method: 'POST', path: '/v1/instance/settings' }, fault });
			const { error, items, hints } = await run({
				resource: 'instance',
				operation: 'updateSettings',
				parameters: { settings: { readMessages: true } },
			});
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json)).toEqual([output]);
			expect(hints.map(({ message }) => message)).toEqual(
				Array(hintCount).fill(expect.stringContaining('did not succeed')),
			);
		},
	);

	it.each([{ rejectCall: true }, null, []])(
		'are not written when the gateway does not tell what they are now, but %j',
		async (data) => {
			gateway.faults.add({
				match: { method: 'GET', path: '/v1/instance/settings' },
				fault: { status: 200, body: { data } },
			});
			const { error } = await run({
				resource: 'instance',
				operation: 'updateSettings',
				parameters: { settings: { readMessages: true } },
			});
			expect(error?.message).toMatch(/did not say what "ignoreGroups" is set to/);
			expect(gateway.requests.map(({ method }) => method)).toEqual(['GET']);
		},
	);
});

describe('presence', () => {
	it('leaves isAudio out where it is stopped, also by an expression', async () => {
		await run({
			resource: 'message',
			operation: 'sendPresence',
			parameters: {
				to: to('phone', '5511987654321'),
				presence: '={{ $json.presence }}',
				isAudio: true,
			},
			items: [{ presence: 'PAUSED' }, { presence: 'COMPOSING' }],
		});
		expect(sentBodies()).toEqual([
			{ to: '5511987654321', presence: 'PAUSED' },
			{ to: '5511987654321', presence: 'COMPOSING', isAudio: true },
		]);
	});
});

describe('a webhook', () => {
	const create = (): OperationRun => ({
		resource: 'webhook',
		operation: 'create',
		parameters: { url: ' https://example.com/receiver?key=1 ' },
	});

	it('is made for the address without the blanks around it', async () => {
		const { error, hints } = await run(create());
		expect(error).toBeUndefined();
		expect(sentBodies()).toEqual([
			{ url: 'https://example.com/receiver?key=1', events: ['MESSAGE.RECEIVED'] },
		]);
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringContaining('The secret is shown only now'),
		]);
	});

	it('that was not made after all has no secret to be kept', async () => {
		gateway.faults.add({ fault: { status: 200, body: { data: { success: false } } } });
		const { hints } = await run(create());
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringContaining('did not succeed'),
		]);
	});
});

describe('typing before a message', () => {
	const typing = send({ to: to('phone', '5511987654321'), options: { typingSeconds: 0.05 } });
	const steps = () =>
		gateway.requests.map(({ path, body }) => (body as { presence?: string }).presence ?? path);

	it('is shown, then the message goes out', async () => {
		await run(typing);
		expect(steps()).toEqual(['COMPOSING', '/v1/messages/send-text']);
		const [shown, sent] = gateway.requests;
		expect(sent.startedAt - shown.startedAt).toBeGreaterThanOrEqual(50);
	});

	it.each([400, 401, 502])('is taken back when the message is answered %i', async (status) => {
		gateway.faults.add({ match: { path: '/v1/messages/send-text' }, fault: { status } });
		const { error } = await run(typing);
		expect(error).toBeDefined();
		expect(steps()).toEqual(['COMPOSING', '/v1/messages/send-text', 'PAUSED']);
	});

	it('does not keep the message back when it cannot be shown, and says so', async () => {
		gateway.faults.add({ match: { path: '/v1/messages/presence' }, fault: { status: 403 } });
		const { error, items, hints } = await run(typing);
		expect(error).toBeUndefined();
		expect(items[0].json).toEqual({ messageId: expect.any(String) });
		expect(hints[0].message).toMatch(/^Typing could not be shown: /);
	});
});
