import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { toNodeError, type Failure } from '../../../nodes/MessagingGateway/gateway/failure';

const NODE = { name: 'Node', type: 'node' } as INode;
const REFUSED: Failure = {
	message: 'The baker is asleep',
	description: 'Knock',
	outcome: 'rejected',
	retryable: false,
};

it.each(['connect ECONNREFUSED 10.0.0.7:443', 'read ECONNRESET', 'ETIMEDOUT', 'Not found'])(
	'keeps the words %j, for which n8n has others',
	(message) => {
		expect(toNodeError(NODE, { ...REFUSED, message, status: 502 }).message).toBe(message);
		expect(toNodeError(NODE, { ...REFUSED, message }).message).toBe(message);
	},
);

it('makes the error that n8n shows', () => {
	const answered = toNodeError(NODE, { ...REFUSED, status: 403 }, 3);
	expect(answered).toBeInstanceOf(NodeApiError);
	expect(answered).toMatchObject({
		httpCode: '403',
		description: 'Knock',
		context: { itemIndex: 3 },
	});
	expect(toNodeError(NODE, REFUSED)).toBeInstanceOf(NodeOperationError);
});

it('shows no HTML and no token', () => {
	const spoken = { ...REFUSED, message: '<b>svc_inst_abc</b>', description: '<i>whsec_abc' };
	const error = toNodeError(NODE, { ...spoken, status: 401 });
	expect(error).toMatchObject({ message: '‹b>svc_inst_…‹/b>', description: '‹i>whsec_…' });
	// n8n saves these too.
	expect(JSON.stringify({ ...error })).not.toMatch(/<b>|_abc/);
});
