import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

/** A credential as n8n's helper takes it: its type, and the fields that the request needs. */
export interface HelperCredential {
	type: string;
	data: ICredentialDataDecryptedObject;
}

/** A request. A text goes out as it is: the helper would leave out an empty object. */
export type HelperRequest = Pick<
	IHttpRequestOptions,
	'method' | 'url' | 'qs' | 'headers' | 'timeout'
> & {
	body?: string | Buffer;
	/** Whether the body of the response is wanted as bytes. */
	isFile?: boolean;
};

/**
 * Makes exactly one request with n8n's HTTP helper, and gives its response, whatever the status is.
 *
 * Left to itself, the helper does more (`request-helpers/authentication.js` of n8n-core):
 * - It sends a request again that it sees fail with 401, as after an expired token. So it is told to
 *   take each status for a success.
 * - It reads the credential again, and that of the first item. So it is given the fields.
 * - It follows redirects, and gives the body alone.
 *
 * @throws the helper's error if there is no response
 */
export async function requestOnce(
	context: IAllExecuteFunctions,
	{ type, data }: HelperCredential,
	{ isFile, ...request }: HelperRequest,
): Promise<IN8nHttpFullResponse> {
	const options: IHttpRequestOptions = {
		...request,
		disableFollowRedirect: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	};
	if (isFile) options.encoding = 'arraybuffer';

	const { httpRequestWithAuthentication } = context.helpers;
	const response: unknown = await httpRequestWithAuthentication.call(context, type, options, {
		credentialsDecrypted: { id: type, name: type, type, data },
	});
	return response as IN8nHttpFullResponse;
}

/**
 * A context whose requests go on if a person cancels the execution.
 *
 * The helper asks its context for the signal that aborts a request, and overwrites the one that it is
 * given (`request-helpers/authentication.js` of n8n-core).
 */
export function withoutCancel(context: IAllExecuteFunctions): IAllExecuteFunctions {
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => undefined },
	}) as IAllExecuteFunctions;
}
