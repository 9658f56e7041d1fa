import type {
	IBinaryData,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
} from 'n8n-workflow';
import { listFields } from '../fields/common';
import type { Field } from '../fields/field';
import type { Gateway, GatewayRequest } from '../gateway/call';
import type { Expected } from '../gateway/content';
import type { Effect } from '../gateway/failure';
import type { TokenKind } from '../gateway/secrets';

/** The parameters of one item by name, as `action/values.ts` has parsed them. */
export type Values = IDataObject & { options: IDataObject };

export interface Result {
	items: IDataObject[];
	/** Put out with each item. */
	file?: IBinaryData;
	/** Shown in the node's output panel. */
	hint?: string;
}

export interface PerformContext {
	context: IExecuteFunctions;
	itemIndex: number;
	/** Each request waits for its slot of the rate limit. */
	gateway: Gateway;
	/** Throws if the node stops meanwhile. */
	wait(milliseconds: number): Promise<void>;
}

/**
 * One entry of the menu *Operation*. Not n8n's declarative routing: a request there cannot say whether a send may have happened,
 * nor be remembered for a retry.
 */
export interface Operation {
	name: string;
	value: string;
	action: string;
	description: string;
	/**
	 * Method and path, e.g. `POST /v1/chats/mute`; a field with `in: 'path'` fills in `{name}`. Or a function of the values. Left
	 * out if `perform` asks the gateway nothing.
	 */
	request?: `${IHttpRequestMethods} ${string}` | ((values: Values) => GatewayRequest);
	/** Left out: a GET is harmless, everything else a change. A function takes the parameters, also as they were typed. */
	effect?: Effect | ((parameters: IDataObject) => Effect);
	/** The content of a success: an object if left out, of a send always a messageId. */
	expects?: Expected;
	fields: Field[];
	/** Left out: the options that all operations of a number share. */
	options?: Field[];
	/** Left out: it makes the request, which is built from the fields, and puts out the items of the response. */
	perform?: (item: PerformContext, values: Values, request: GatewayRequest) => Promise<Result>;
}

/** The effect of an operation. A send or a change is never repeated once the gateway may have taken it. */
export function effectOf({ request, effect }: Operation, parameters: IDataObject): Effect {
	if (typeof effect === 'function') return effect(parameters);
	return effect ?? (String(request).startsWith('GET ') ? 'harmless' : 'change');
}

/** The operation *Get Many* of a resource, without its request. n8n shows a model the first description for all of them. */
export const getMany = (things: string): Omit<Operation, 'request'> => ({
	name: 'Get Many',
	value: 'getAll',
	action: `Get many ${things}`,
	description: `List the ${things} with their IDs`,
	expects: 'list',
	fields: listFields,
	perform: async ({ gateway }, { returnAll, limit }, request) => {
		const { items } = await gateway.call(request);
		return { items: returnAll ? items : items.slice(0, Number(limit)) };
	},
});

export interface Resource {
	name: string;
	value: string;
	/** Whose token all its operations use, and so the credential. */
	tokenKind: TokenKind;
	operations: Operation[];
}
