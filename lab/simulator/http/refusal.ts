/** A refusal by the service: becomes the status and the body `{"error": message}` (API 11.1). */
export class Refusal extends Error {
	constructor(
		readonly statusCode: number,
		message: string,
	) {
		super(message);
	}
}
