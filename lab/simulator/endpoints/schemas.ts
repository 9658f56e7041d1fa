import { Type, type TProperties } from '@sinclair/typebox';

/** An object with these fields and no other: the simulator is as strict as docs/api.md. */
export function exactly<Properties extends TProperties>(properties: Properties) {
	return Type.Object(properties, { additionalProperties: false });
}

/** A field that the API describes as a string without saying that it may be empty. */
export const Filled = Type.String({ minLength: 1 });

/** The query or body of an endpoint that has none. */
export const Nothing = exactly({});
