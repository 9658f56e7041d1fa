import { runPublished } from '../../lab/host/drafts/workflows';
import { outputOf, type Execution } from '../../lab/host/executions';
import { describeRequest, documentedCalls } from '../contract/document';
import { fanOut, nameOf } from '../support/drafts/everyOperation';
import { host, useHost } from '../support/host';

useHost();

const told = (execution: Execution) => execution.data.resultData.error?.message;

describe('every operation, published in a real n8n with the one credential that it asks for', () => {
	it('each node makes the requests of docs/api.md, field by field, and puts out the response', async () => {
		const execution = await runPublished(
			host,
			fanOut(host, 'documented', documentedCalls),
			'documented',
		);

		expect([execution.status, told(execution)]).toEqual(['success', undefined]);
		expect(host.gateway.requests.map(describeRequest)).toEqual(
			documentedCalls.flatMap(({ requests }) => requests),
		);
		for (const call of documentedCalls) {
			const [items = []] = outputOf(execution, nameOf(call));
			expect([nameOf(call), items.map(({ json }) => json)]).toEqual([nameOf(call), call.output]);
			for (const { pairedItem } of items) expect(pairedItem).toEqual({ item: 0 });
		}
	});
});
