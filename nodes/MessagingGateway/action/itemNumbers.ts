import type { IExecuteFunctions } from 'n8n-workflow';
import { fingerprint, type Access } from '../api/access';
import { readOption } from '../api/numbers';
import { openAccess, type OpenAccess } from '../api/request';
import type { Values } from '../operations/operation';
import { refuseModelsChoice } from './tool';

const FROM_THE_FIRST =
	'The node used the number of Instance Token, although the credential has further numbers. To answer from the number that received the message, set the option Number (Instance ID) to the instanceId of the event.';

/** Which number of the credential does what items want. */
export class ItemNumbers {
	private inLine?: Promise<OpenAccess | undefined>;

	private comesOfTrigger?: boolean;

	constructor(private readonly context: IExecuteFunctions) {}

	/**
	 * The instance ID that was chosen for an item, undefined for the first number of the credential.
	 *
	 * @throws NodeOperationError if a model would choose it
	 */
	choose({ options }: Values, itemIndex: number): string | undefined {
		if (this.expression !== '') refuseModelsChoice(this.context, this.expression, itemIndex);
		return options.instanceId as string | undefined;
	}

	/** Names the number of an item, the same one always by the same name. The credential is read once for all items. */
	async nameInLine({ options }: Values, itemIndex: number): Promise<string> {
		const chosen = options.instanceId as string | undefined;
		if (chosen === undefined) return '';
		this.inLine ??= openAccess(this.context, 'instance', itemIndex).catch(() => undefined);
		const access = await this.inLine;
		// Where the first number has no token that can be used, nothing goes out by it.
		if (access === undefined) return chosen;
		const { baseUrl, token: first, numbers } = access;
		const token = numbers.find(chosen);
		if (token === first) return '';
		return token === undefined ? chosen : fingerprint({ baseUrl, token });
	}

	/** What to say where a person has probably forgotten to choose. */
	hintAt(
		{ numbers, token }: Access,
		chosen: string | undefined,
		itemIndex: number,
	): string | undefined {
		if (chosen !== undefined || !numbers.holdsOther(token)) return undefined;
		const { json } = this.context.getInputData()[itemIndex];
		const isForgotten =
			this.expression !== '' || typeof json.instanceId === 'string' || this.isBehindTrigger;
		return isForgotten ? FROM_THE_FIRST : undefined;
	}

	/** The expression of the option, empty where it has none. */
	private get expression(): string {
		const typed = readOption(this.context.getNode().parameters);
		return typed.startsWith('=') ? typed : '';
	}

	private get isBehindTrigger(): boolean {
		const { name } = this.context.getNode();
		return (this.comesOfTrigger ??= this.context
			.getParentNodes(name)
			.some(({ type }) => type.endsWith('.messagingGatewayTrigger')));
	}
}
