import type { PackageDirectoryLoader } from 'n8n-core';
import {
	ICredentialsHelper,
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type ICredentialsExpressionResolveValues,
	type ICredentialType,
	type IExecuteData,
	type IHttpRequestOptions,
	type INodeCredentialsDetails,
	type INodeParameters,
	type INodeProperties,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

/** Hands out given credential data, its expressions resolved for each item, and applies a credential type's `authenticate`, as n8n's own helper does. */
export class CredentialVault extends ICredentialsHelper {
	constructor(
		private readonly loader: PackageDirectoryLoader,
		private readonly credentials: Record<string, ICredentialDataDecryptedObject>,
	) {
		super();
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		_details: INodeCredentialsDetails,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		_raw?: boolean,
		place?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		if (!this.credentials[type]) throw new Error(`The test gives no credential of type ${type}`);

		const data = { ...this.defaultsOf(type), ...this.credentials[type] };
		if (place === undefined) return data;

		return place.workflow.expression.getParameterValue(
			data as INodeParameters,
			place.runExecutionData,
			place.runIndex,
			place.itemIndex,
			place.node.name,
			place.connectionInputData,
			mode,
			{},
			executeData,
		) as ICredentialDataDecryptedObject;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.typeOf(typeName);
		if (typeof authenticate !== 'function') throw new Error(`${typeName} has no authenticate`);
		return await authenticate(credentials, request);
	}

	async preAuthentication(): Promise<undefined> {
		return undefined;
	}

	async runPreAuthentication(): Promise<undefined> {
		return undefined;
	}

	async getCredentials(): Promise<ICredentials> {
		throw new Error('Encrypted credentials do not exist in engine tests');
	}

	async updateCredentials(): Promise<void> {}

	async updateCredentialsOauthTokenData(): Promise<void> {}

	getCredentialsProperties(type: string): INodeProperties[] {
		return this.typeOf(type).properties;
	}

	private typeOf(type: string): ICredentialType {
		return this.loader.getCredential(type).type;
	}

	private defaultsOf(type: string): ICredentialDataDecryptedObject {
		return Object.fromEntries(
			this.typeOf(type).properties.map(({ name, default: value }) => [name, value as string]),
		);
	}
}
