import { randomUUID } from 'node:crypto';
import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { receive } from '../../../../nodes/MessagingGateway/trigger/delivery/receive';
import { signDelivery } from '../../../../nodes/MessagingGateway/webhooks/standardWebhooks';
import { makeEvent } from '../event';

const SECRET = `whsec_${Buffer.alloc(32, 'a').toString('base64')}`;
const CHANGED = { type: 'CONNECTION.UPDATED', data: { status: 'CONNECTED' } };

/** A trigger with these parameters, as n8n hands a delivery to it. */
function publish(parameters: IDataObject = {}) {
	const workflowId = randomUUID();
	const record = { webhookId: 'wh_1', secret: SECRET, url: 'https://n8n.example.com', events: [] };
	const errors: string[] = [];
	return {
		parameters,
		errors,
		async post(
			event = makeEvent(CHANGED),
			secret = SECRET,
		): Promise<[number, IWebhookResponseData]> {
			const body = JSON.stringify(event);
			let status = 200;
			const response = {
				headersSent: false,
				writableEnded: false,
				statusCode: 200,
				end: () => response,
				status: (code: number) => ({ json: () => (status = code) }),
			};
			const context = {
				getMode: () => 'webhook',
				getNode: () => ({ id: 'node', parameters: {} }),
				getWorkflow: () => ({ id: workflowId }),
				getWorkflowStaticData: () => record,
				getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
				getRequestObject: () => ({
					rawHeaders: Object.entries(signDelivery(secret, event.id, body)).flat(),
					rawBody: Buffer.from(body),
				}),
				getResponseObject: () => response,
				logger: {
					error: (message: string) => errors.push(message),
					warn: () => {},
					info: () => {},
				},
			};
			const answer = await receive.call(context as unknown as IWebhookFunctions);
			return [status, answer];
		},
	};
}

const WANTED = { events: ['CONNECTION.UPDATED'] };

it('starts an execution with a genuine event that is wanted', async () => {
	const [status, { workflowData }] = await publish(WANTED).post();
	expect(status).toBe(200);
	expect(workflowData).toEqual([[{ json: expect.objectContaining({ status: 'CONNECTED' }) }]]);
});

it('acknowledges an event that nobody has chosen, and starts nothing', async () => {
	const [status, answer] = await publish({ events: ['MESSAGE.SENT'] }).post();
	expect([status, answer]).toEqual([200, { webhookResponse: { message: 'Not subscribed to' } }]);
});

it('defers what it cannot process, says so in the log, and takes the repeat', async () => {
	const trigger = publish(WANTED);
	const event = makeEvent(CHANGED);
	// What nobody can choose in the editor, an expression can give.
	trigger.parameters.options = { maxPerExecution: 0 };
	expect(await trigger.post(event)).toEqual([503, { noWebhookResponse: true }]);
	expect(trigger.errors).toEqual(['Messaging Gateway Trigger: a delivery could not be processed']);

	trigger.parameters.options = {};
	const [status, { workflowData }] = await trigger.post(event);
	expect([status, workflowData]).toEqual([200, [[expect.anything()]]]);
});

it('starts nothing for a delivery of somebody else', async () => {
	const other = `whsec_${Buffer.alloc(32, 'b').toString('base64')}`;
	const [status, { workflowData }] = await publish(WANTED).post(makeEvent(CHANGED), other);
	expect([status, workflowData]).toEqual([503, undefined]);
});
