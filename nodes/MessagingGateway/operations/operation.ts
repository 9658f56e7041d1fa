import type { IBinaryData, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Effect, GatewayAnswer, GatewayRequest, Method } from '../api/exchange';
import type { TokenKind } from '../api/token';
import type { Field } from '../fields/field';
import { instanceId, sharedOptions } from '../fields/options';

/** What a person filled in, by parameter name, already cleaned. */
export type Values = IDataObject & { options: IDataObject };

/** What an operation puts out for one item. */
export interface Result {
	items: IDataObject[];
	/** The file that came with the first of them. */
	file?: IBinaryData;
	/** Said in the node's output panel. */
	hint?: string;
}

/** What `perform` has at hand. Whatever does not succeed is thrown, in words for a person. */
export interface Gateway {
	/** Makes one request and gives its successful answer. */
	call(request: GatewayRequest): Promise<GatewayAnswer>;
	/** Makes one request and gives what the operation puts out for it. `expects` stands for the operation's own. */
	succeed(request: GatewayRequest, expects?: EndpointOperation['expects']): Promise<Result>;
	/** Waits; throws at once if the execution is cancelled meanwhile. */
	wait(durationMs: number): Promise<void>;
	/** What n8n itself offers. */
	n8n: IExecuteFunctions;
}

/** What n8n shows of an operation. */
interface Shown {
	name: string;
	value: string;
	/** Of one operation in each menu, which stays the same: n8n does not save what is chosen by default. */
	opensMenu?: true;
	action: string;
	description: string;
	fields: Field[];
}

/** One documented endpoint. */
export interface EndpointOperation extends Shown {
	/** Only `send` and `change` are protected from being repeated. */
	effect: Effect;
	/** Method and path, e.g. `POST /v1/chats/mute`; `{name}` stands for a field with `in: 'path'`. */
	request: `${Method} ${string}`;
	token: TokenKind;
	/** What a success must hold, so that a stray web page is never taken for one. */
	expects?: 'messageId' | 'list' | 'object';
	/** Gathered under "Options", beside those that every request has. */
	options?: Field[];
	/** Whether it puts the execution to wait for a delivery: then it has one item, and its credential both tokens. */
	waits?: true;
	/** What to say of a success that a person should look at. */
	hint?: (result: IDataObject) => string | undefined;
	/** For what one request cannot do, or its answer needs. `request` is the one that the fields make. */
	perform?: (gateway: Gateway, values: Values, request: GatewayRequest) => Promise<Result>;
}

/** A request that the person puts together, its token chosen in a field called `token`. */
export interface FreeOperation extends Omit<EndpointOperation, 'request' | 'token' | 'perform'> {
	request?: undefined;
	token?: undefined;
	/**
	 * The request that these values make; `effect` holds as long as none are known.
	 *
	 * @throws Error in a person's words if they make none
	 */
	compose: (values: Values) => GatewayRequest;
	/** Whom it goes to with these values, undefined where it goes to nobody. */
	recipientOf: (values: Values) => unknown;
	perform: NonNullable<EndpointOperation['perform']>;
}

/** Something worked out without the gateway. */
interface LocalOperation extends Shown {
	effect: 'none';
	request?: undefined;
	token?: undefined;
	options?: undefined;
	waits?: undefined;
	perform: (values: Values) => Promise<Result>;
}

export type QuestionOperation = EndpointOperation | FreeOperation;

export type Operation = QuestionOperation | LocalOperation;

/** One entry of the menu "Resource". */
export interface Resource {
	name: string;
	value: string;
	operations: Operation[];
}

/** What is gathered under "Options" for an operation: its own, and those that every request has. */
export function listOptions({ effect, options = [], token, waits }: Operation): Field[] {
	if (effect === 'none') return [];
	return [
		...options,
		...(token === 'instance' ? [instanceId] : []),
		...sharedOptions(effect).filter(({ name }) => !waits || name !== 'concurrency'),
	];
}
