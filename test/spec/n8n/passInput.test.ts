import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { passOn } from '../../../nodes/MessagingGateway/n8n/passInput';

/** As much of n8n's execution as the function touches. */
function execute(items: INodeExecutionData[], node: Partial<INode> = {}) {
	const executeData = { node: { name: 'Ask', ...node } as INode, data: { main: [items] } };
	const context = { getExecuteData: () => executeData } as unknown as IExecuteFunctions;
	return { context, executeData };
}

const withoutOrder = ({ order: _order, ...others }: IDataObject): IDataObject => others;

it('changes the items that n8n passes on, and leaves those of the node before as they are', () => {
	const item = { json: { order: 42, note: 'soon' }, pairedItem: 3, binary: {} };
	const { context, executeData } = execute([item]);

	expect(passOn(context, withoutOrder)).toEqual({ note: 'soon' });
	expect(executeData.data.main).toEqual([[{ json: { note: 'soon' }, pairedItem: 3, binary: {} }]]);
	expect(item.json).toEqual({ order: 42, note: 'soon' });
});

it('lets n8n disable its own copy of the node, which other calls of an agent share', () => {
	const node = { name: 'Ask' } as INode;
	const { context, executeData } = execute([{ json: {} }]);
	executeData.node = node;

	passOn(context, withoutOrder);
	executeData.node.disabled = true;

	expect(node.disabled).toBeUndefined();
});
