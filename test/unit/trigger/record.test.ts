import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import {
	clearStaticRecord,
	isComplete,
	readClockLead,
	readStaticRecord,
	writeClockLead,
	writeStaticRecord,
	type WebhookRecord,
} from '../../../nodes/MessagingGateway/trigger/record';

const RECORD: WebhookRecord = {
	webhookId: 'wh_1',
	secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
	url: 'https://n8n.example.com/webhook/hook',
	events: ['MESSAGE.RECEIVED'],
};

/** A context with this static data, which n8n always gives as the same object. */
function contextOf(staticData: IDataObject = {}) {
	return { getWorkflowStaticData: () => staticData } as unknown as IWebhookFunctions;
}

describe('the record in static data', () => {
	it('is what was written last, and nothing of what was there before', () => {
		const context = contextOf({ secret: 'whsec_old', parked: true, other: 1 });
		writeStaticRecord(context, RECORD);
		expect(readStaticRecord(context)).toEqual(RECORD);
	});

	it('stays whole where it is written from itself', () => {
		const context = contextOf({ ...RECORD, parked: true });
		writeStaticRecord(context, readStaticRecord(context) as WebhookRecord);
		expect(readStaticRecord(context)).toEqual({ ...RECORD, parked: true });
	});

	it('has everything or is not complete', () => {
		expect(isComplete(RECORD)).toBe(true);
		for (const field of ['webhookId', 'secret', 'url'] as const)
			expect(isComplete({ ...RECORD, [field]: undefined })).toBe(false);
		expect(isComplete({})).toBe(false);
		expect(isComplete({ ...RECORD, secret: 'whsec_[hidden]' })).toBe(false);
	});
});

describe('the lead of the gateway’s clock', () => {
	it.each([[{}], [{ clockLeadSeconds: 'soon' }], [{ clockLeadSeconds: null }]])(
		'is 0 where static data has %j',
		(staticData) => {
			expect(readClockLead(contextOf(staticData))).toBe(0);
		},
	);

	it('outlasts every record, and is the one that was written last', () => {
		const context = contextOf();
		writeClockLead(context, 120);
		// It was read when the lead was another one.
		writeStaticRecord(context, { ...RECORD, clockLeadSeconds: 60 } as WebhookRecord);
		expect(readClockLead(context)).toBe(120);
		clearStaticRecord(context);
		expect(readStaticRecord(context)).toEqual({ clockLeadSeconds: 120 });
		expect(readClockLead(context)).toBe(120);
	});
});
