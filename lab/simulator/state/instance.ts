import type { Changes } from '../changes';

/** The settings of an instance (API 6.8). */
export interface InstanceSettings {
	rejectCall: boolean;
	msgRejectCall: string;
	readMessages: boolean;
	ignoreGroups: boolean;
	ignoreStatus: boolean;
}

export type ConnectionStatus = 'CONNECTED' | 'DISCONNECTED' | 'LOGGED_OUT' | 'BANNED';

const INITIAL_SETTINGS: InstanceSettings = {
	rejectCall: false,
	msgRejectCall: '',
	readMessages: false,
	ignoreGroups: false,
	ignoreStatus: false,
};

/** A connected phone number. */
export class Instance {
	settings: InstanceSettings = { ...INITIAL_SETTINGS };
	connection: ConnectionStatus = 'CONNECTED';

	constructor(
		readonly id: string,
		private readonly changes: Changes,
		readonly name = 'Padaria Aurora',
		readonly phone = '5511900000000',
	) {}

	/** A saved session survives a disconnect, but neither a logout nor a ban. */
	get hasSession(): boolean {
		return this.connection === 'CONNECTED' || this.connection === 'DISCONNECTED';
	}

	moveTo(connection: ConnectionStatus): void {
		this.connection = connection;
		this.changes.tell('connection', this.describe());
	}

	/** Entry of the instance listing; its fields are open (API 14.3). */
	describe() {
		return { id: this.id, name: this.name, phone: this.phone, status: this.connection };
	}

	reset(): void {
		this.settings = { ...INITIAL_SETTINGS };
		this.moveTo('CONNECTED');
	}
}
