import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { GatewayAnswer, GatewayRequest, Method } from '../api/exchange';
import type { TokenKind } from '../api/token';

/** What a person filled in, by parameter name, already cleaned. */
export type Values = IDataObject & { options: IDataObject };

/**
 * A parameter of the node that knows its place in the request. What n8n itself knows of a property may be
 * given as usual; the rest says where the value goes.
 */
export type Field = INodeProperties & {
	/** Where the value goes; a field without a place is only read by `perform`. */
	in?: 'body' | 'query' | 'path';
	/** Its name there, where it differs from the parameter's; the person's options may decide. */
	as?: string | ((options: IDataObject) => string);
	/** What to tell a person who lets the model of an agent fill it in. */
	modelAdvice?: string;
	/**
	 * Turns what was typed into what is sent.
	 * @throws Error in a person's words if it cannot be used
	 */
	clean?: (value: unknown, mode?: string) => unknown;
};

/** What an operation puts out for one item. */
export interface Result {
	items: IDataObject[];
	/** Said in the node's output panel. */
	hint?: string;
}

/** What `perform` has at hand. Whatever does not succeed is thrown, in words for a person. */
export interface Gateway {
	/** Makes one request and gives its successful answer. */
	request(request: GatewayRequest): Promise<GatewayAnswer>;
	/** Makes one request and gives what the operation puts out for it. */
	succeed(request: GatewayRequest): Promise<Result>;
	/** Waits; throws at once if the execution is cancelled meanwhile. */
	wait(milliseconds: number): Promise<void>;
}

/** One documented endpoint, or one thing done without any. */
export interface Operation {
	name: string;
	value: string;
	action: string;
	description: string;
	/** `none` makes no request. Only `send` and `change` are protected from being repeated. */
	effect: 'none' | 'read' | 'change' | 'send';
	/** Method and path, e.g. `POST /v1/chats/mute`; `{name}` stands for a field with `in: 'path'`. */
	request?: `${Method} ${string}`;
	token?: TokenKind;
	/** What a success must hold, so that a stray web page is never taken for one. */
	expects?: 'messageId' | 'list' | 'object';
	fields: Field[];
	/** Gathered under "Options", beside those that every request has. */
	options?: Field[];
	/** What to say of a success that a person should look at. */
	hint?: (result: IDataObject) => string | undefined;
	/** For what one request cannot do. `request` is the one that the fields make. */
	perform?: (gateway: Gateway, values: Values, request: GatewayRequest) => Promise<Result>;
}

/** One entry of the menu "Resource". */
export interface Resource {
	name: string;
	value: string;
	operations: Operation[];
}
