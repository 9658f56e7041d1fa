import type {
	IBinaryData,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
} from 'n8n-workflow';
import { flagField, numberField } from '../fields/field';
import type { Field } from '../fields/types';
import type { Gateway, GatewayRequest } from '../gateway/call';
import type { Expected } from '../gateway/content';
import type { Effect } from '../gateway/failure';
import type { TokenKind } from '../gateway/secrets';

/** The parameters of one item by name, parsed. */
export type Values = IDataObject & { options: IDataObject };

export interface Result {
	items: IDataObject[];
	file?: IBinaryData;
	hint?: string;
}

export interface PerformContext {
	context: IExecuteFunctions;
	itemIndex: number;
	gateway: Gateway;
	/** Throws if the node stops meanwhile. */
	wait(milliseconds: number): Promise<void>;
}

/** n8n's declarative routing cannot say whether a send may have happened. */
export interface Operation {
	name: string;
	value: string;
	action: string;
	description: string;
	/** The endpoint as in `endpoints.ts`; left out if `perform` makes no request. */
	request?: `${IHttpRequestMethods} ${string}` | ((values: Values) => GatewayRequest);
	/** Left out: a GET is harmless, everything else a change. A function takes also typed values. */
	effect?: Effect | ((parameters: IDataObject) => Effect);
	/** The content of a success: an object if left out, of a send always a messageId. */
	expects?: Expected;
	fields: Field[];
	/** Left out: the options that all operations of a number share. */
	options?: Field[];
	/** Left out: makes the request of the fields, and puts out the items of the response. */
	perform?: (item: PerformContext, values: Values, request: GatewayRequest) => Promise<Result>;
	/** Left out: a failed item that the workflow goes on with is its `error` alone. */
	outputOfFailure?: (
		context: IExecuteFunctions,
		error: IDataObject,
		itemIndex: number,
	) => IDataObject;
}

/** The effect of an operation, by its parameters as typed or as read. */
export function effectOf({ request, effect }: Operation, parameters: IDataObject): Effect {
	if (typeof effect === 'function') return effect(parameters);
	if (effect !== undefined) return effect;

	return String(request).startsWith('GET ') ? 'harmless' : 'change';
}

/** The operation *Get Many*. The gateway shows no paging, so the node cuts the whole list. */
export const getMany = (things: string): Omit<Operation, 'request'> => ({
	name: 'Get Many',
	value: 'getAll',
	action: `Get many ${things}`,
	description: `List the ${things} with their IDs`,
	expects: 'list',
	fields: [
		flagField({
			displayName: 'Return All',
			name: 'returnAll',
			description: 'Whether to return all results or only up to a given limit',
		}),
		numberField({
			displayName: 'Limit',
			name: 'limit',
			default: 50,
			range: [1, 100_000],
			isWhole: true,
			description: 'Max number of results to return',
			displayOptions: { show: { returnAll: [false] } },
			typeOptions: { minValue: 1 },
		}),
	],
	perform: async ({ gateway }, { returnAll, limit }, request) => {
		const { items } = await gateway.call(request);
		return { items: returnAll ? items : items.slice(0, Number(limit)) };
	},
});

export interface Resource {
	name: string;
	value: string;
	tokenKind?: TokenKind;
	operations: Operation[];
}
