import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { projectFolder } from '../../lab/host/places';
import { waitFor } from '../../lab/host/waiting';
import { readWorkflow } from '../../lab/host/workflows';
import { host, useHost } from '../support/host';

useHost();

afterEach(() => host.gateway.reset());

/** Imports an example, with the credentials chosen. */
async function importExample(name: string): Promise<string> {
	const draft = readWorkflow(join(projectFolder, 'examples', `${name}.json`), host.credentials);
	return (await host.api.createWorkflow(draft)).id;
}

/** The path of one of n8n's data tables in its API. */
async function findTable(name: string): Promise<string> {
	const { id } = await host.api.request<{ id: string }>('GET', '/projects/personal');
	const tables = `/projects/${id}/data-tables`;
	const filter = encodeURIComponent(JSON.stringify({ name }));
	const { data } = await host.api.request<{ data: Array<{ id: string }> }>(
		'GET',
		`${tables}?filter=${filter}`,
	);
	return `${tables}/${data[0].id}`;
}

/** All rows of a table, in the order in which they were made. */
async function readRows(name: string): Promise<IDataObject[]> {
	const path = `${await findTable(name)}/rows?take=250&sortBy=id:asc`;
	return (await host.api.request<{ data: IDataObject[] }>('GET', path)).data;
}

describe('bulk send', () => {
	const TABLE = 'gateway campaign';
	let id: string;

	beforeAll(async () => {
		id = await importExample('bulk-send');
		// The first run only makes the table, as its note says.
		expect((await host.api.runManually(id, 'Start')).status).toBe('success');
	});

	const stateOf = async () =>
		Object.fromEntries(
			(await readRows(TABLE)).map(({ name, state, reason }) => [name, [state, reason ?? '']]),
		);
	const sendsTo = (name: string) =>
		host.gateway.acceptedSends().filter(({ text }) => text.includes(name)).length;
	const requestsFor = (name: string) =>
		host.gateway.requests.filter(({ body }) => (body as { text: string }).text.includes(name))
			.length;

	it('the table says who got the message, who did not and who perhaps did, and only those who did not are tried again', async () => {
		const people = [
			{ name: 'Ana', phone: '+55 11 98765-4321' },
			{ name: 'Bruno', phone: '5521912345678' },
			{ name: 'Carla', phone: 'no phone at all' },
			{ name: 'Davi', phone: '+55 31 99999-0000' },
			{ name: 'Elisa', phone: '+55 41 98888-7777' },
			{ name: 'Fabio', phone: '+55 51 97777-6666' },
			{ name: 'Gil', phone: '98765-4321' },
			{ name: 'Helena', phone: '+51 987 654 321' },
			{ name: 'Double', phone: '+55 11 8765-4321' },
		];
		await host.api.request('POST', `${await findTable(TABLE)}/insert`, {
			data: people,
			returnType: 'count',
		});

		const to = (phone: string) => ({ body: { to: phone } });
		host.gateway.faults.add({
			match: to('5521912345678'),
			fault: { status: 400, body: { error: 'Bruno has no account' } },
		});
		host.gateway.faults.add({ match: to('5531999990000'), fault: 'cutAfter' });
		host.gateway.faults.add({
			match: to('5541988887777'),
			fault: { status: 429, headers: { 'retry-after': '0' } },
		});

		const first = await host.api.runManually(id, 'Start');
		expect(first.status).toBe('success');
		expect(await stateOf()).toEqual({
			Ana: ['sent', ''],
			Bruno: ['not sent', 'Bruno has no account. The message was not sent.'],
			Carla: ['not sent', expect.stringContaining('phone')],
			Davi: ['check first', expect.any(String)],
			Elisa: ['sent', ''],
			Fabio: ['sent', ''],
			Gil: ['not sent', expect.stringContaining('cannot be read as a phone number')],
			Helena: ['sent', ''],
			Double: [null, ''],
		});

		const recipients = host.gateway.acceptedSends().map((sent) => sent.to);
		expect(recipients).toEqual(expect.arrayContaining(['5551977776666', '51987654321']));

		const rows = await readRows(TABLE);
		for (const { name, messageId } of rows.filter(({ state }) => state === 'sent')) {
			const send = host.gateway.acceptedSends().find(({ text }) => text.includes(String(name)));
			expect(messageId).toBe(send?.messageId);
		}

		await host.api.runManually(id, 'Start');
		expect(await stateOf()).toMatchObject({
			Bruno: ['sent', ''],
			Carla: ['not sent', expect.any(String)],
			Gil: ['not sent', expect.any(String)],
			Davi: ['check first', expect.any(String)],
		});
		expect(['Ana', 'Bruno', 'Davi', 'Elisa', 'Fabio'].map(sendsTo)).toEqual([1, 1, 1, 1, 1]);
		expect(sendsTo('Double')).toBe(0);
		expect(['Ana', 'Bruno', 'Davi', 'Elisa', 'Fabio'].map(requestsFor)).toEqual([1, 2, 1, 2, 1]);
	});
});

describe('delivery tracking', () => {
	let id: string;

	beforeAll(async () => {
		id = await importExample('delivery-tracking');
		await host.api.publish(id);
	});

	/** Waits until the table says so of the messages named; the table is made by the first event. */
	async function waitForRows(expected: Record<string, unknown>): Promise<IDataObject[]> {
		let rows: IDataObject[] = [];
		const agree = async () => {
			rows = await readRows('gateway messages');
			const seen = Object.fromEntries(rows.map(({ messageId, status }) => [messageId, status]));
			return Object.entries(expected).every(([messageId, status]) => seen[messageId] === status);
		};
		await waitFor('the table', agree).catch((error: unknown) => {
			throw new Error(`The table is ${JSON.stringify(rows)}`, { cause: error });
		});
		return rows;
	}

	async function settle(): Promise<void> {
		await host.gateway.drained();
		await waitFor('all executions', async () => {
			const executions = await host.api.listExecutions(id);
			return executions.every(({ status }) => status === 'success');
		});
	}

	it('the table never lowers a status, and gets a row at the first event of a message, whichever it is', async () => {
		const { gateway } = host;
		const update = (status: string, ...messageIds: string[]) => {
			gateway.emit({ type: 'MESSAGE.STATUS_UPDATED', data: { messageIds, status } });
		};
		const leave = (messageId: string) => {
			const chat = { id: '5511987654321@c.us', type: 'CONTACT', phone: '5511987654321' };
			gateway.emit({
				type: 'MESSAGE.SENT',
				data: { messageId, chat, fromMe: true, text: `Text of ${messageId}`, messageType: 'TEXT' },
			});
		};

		update('DELIVERED', 'late', 'early');
		await waitForRows({ late: 'DELIVERED', early: 'DELIVERED' });
		leave('late');
		update('READ', 'early');
		await waitForRows({ early: 'READ' });
		update('DELIVERED', 'early');
		update('SENT', 'early', 'late');
		leave('early');
		// A status beyond the three of the API documentation
		update('PLAYED', 'early', 'late', 'other');
		await waitForRows({ other: 'PLAYED' });
		update('DELIVERED', 'new', 'early');
		await waitForRows({ new: 'DELIVERED' });
		await settle();

		const rows = await waitForRows({ late: 'DELIVERED', early: 'READ', new: 'DELIVERED' });
		const ours = rows.filter(({ messageId }) =>
			['late', 'early', 'new'].includes(String(messageId)),
		);
		expect(ours).toHaveLength(3);
		expect(ours).toEqual(
			expect.arrayContaining([
				expect.objectContaining({
					messageId: 'early',
					status: 'READ',
					statusStep: 3,
					text: 'Text of early',
					recipient: '+5511987654321',
				}),
				expect.objectContaining({
					messageId: 'late',
					status: 'DELIVERED',
					statusStep: 2,
					text: 'Text of late',
					recipient: '+5511987654321',
				}),
				expect.objectContaining({
					messageId: 'new',
					status: 'DELIVERED',
					statusStep: 2,
					text: null,
					recipient: null,
				}),
			]),
		);
	});
});

describe('ask many people', () => {
	/** More than may be open at once with Send and Wait for Reply. */
	const COUNT = 52;
	const TABLE = 'gateway appointments';
	const MINUTES = 5 * 60_000;
	/** As the network spells it; mobile numbers of Brazil and Argentina are written with a 9 more in the table. */
	const phoneOf = (index: number, nine = '') =>
		index % 2 ? `+55 11 ${nine}${8_000_0000 + index}` : `+54 ${nine}11 ${5_000_0000 + index}`;

	/** Everybody of a range writes; twenty at once. */
	async function writeAll(from: number, to: number, text: string): Promise<void> {
		for (let index = from; index < to; index++) {
			host.gateway.write(text, { phone: phoneOf(index) });
			if (index % 20 === 19) await host.gateway.drained();
		}
		await host.gateway.drained();
	}

	it('the example asks 52 people without an execution that waits, and the table has the first answer of each', async () => {
		const { api, gateway } = host;
		const id = await importExample('ask-many');
		const { nodes } = await api.getWorkflow(id);
		Object.assign(nodes.find(({ name }) => name === 'Ask')!.parameters, {
			options: { concurrency: 20 },
		});
		await api.updateWorkflow(id, { nodes });
		await api.publish(id);
		// The first run only makes the table, as its note says.
		await api.runManually(id, 'Start');

		const people = Array.from({ length: COUNT }, (_, index) => ({
			name: `Person ${index}`,
			phone: phoneOf(index, '9'),
			appointment: 'on Friday at 9:30',
		}));
		const table = await findTable(TABLE);
		await api.request('POST', `${table}/insert`, { data: people, returnType: 'count' });

		await api.runManually(id, 'Start', MINUTES);
		expect(gateway.acceptedSends()).toHaveLength(COUNT);
		const listening = gateway
			.webhooks()
			.filter(({ events }) => events.includes('MESSAGE.RECEIVED'));
		expect(listening).toHaveLength(1);

		await writeAll(0, 10, 'Who is this?');
		await writeAll(0, 10, 'What?');
		await writeAll(0, 30, '1');
		await writeAll(30, 50, '2.');
		await writeAll(50, COUNT, 'I cannot come!');
		await writeAll(10, 20, '2');
		await waitFor(
			'each to be thanked',
			() => gateway.acceptedSends().length >= 2 * COUNT + 10,
			MINUTES,
		);

		const rows = await readRows(TABLE);
		expect(rows.map(({ state, answer }) => [state, answer])).toEqual(
			people.map((_, index) => ['asked', index < 30 ? 'yes' : 'no']),
		);
		// Each was asked and thanked once; ten got the choices once more.
		const sends = gateway.acceptedSends().map(({ text }) => text);
		expect(sends.filter((text) => text.startsWith('Hello'))).toHaveLength(COUNT);
		expect(sends.filter((text) => text.startsWith('Thank you'))).toHaveLength(COUNT);
		expect(sends).toHaveLength(2 * COUNT + 10);
		await api.deleteWorkflow(id);
	}, 600_000);
});
