import { $ } from './dom.js';
import { state } from './store.js';

const PILLS = {
	CONNECTED: 'Connected',
	DISCONNECTED: 'Disconnected',
	LOGGED_OUT: 'Logged out',
	BANNED: 'Banned',
};

const WAITS = 'Sends are refused, and what people write waits in the network.';

/** What a person has to know of the connection; empty while all is well. */
const ABOUT = {
	CONNECTED: () => '',
	DISCONNECTED: () => `The link has dropped; it comes back without pairing. ${WAITS}`,
	LOGGED_OUT: () => `The network has logged the number out: it has to be paired again. ${WAITS}`,
	BANNED: ({ ban }) =>
		`The network has banned the number for ${Math.ceil(ban.expiresIn / 60)} minutes. Reason: ${ban.reason}. ${WAITS}`,
};

/** The connection in the header, above the box to write in, and among its buttons, with the pairing beside them. */
export function drawConnection() {
	const { instance } = state;
	const { connection, pairingCode: code } = instance;
	const about = ABOUT[connection](instance);
	$('pill').textContent = PILLS[connection];
	$('pill').dataset.connection = connection;
	for (const button of $('connection').children) {
		button.setAttribute('aria-pressed', String(button.dataset.status === connection));
	}
	for (const id of ['notice', 'connection-about']) {
		$(id).hidden = about === '';
		$(id).textContent = about;
	}
	const isLoggedOut = connection === 'LOGGED_OUT';
	const none = isLoggedOut
		? 'No pairing code'
		: 'This number is linked, so it has no pairing code. It gets one after Logged out.';
	$('pairing-label').textContent = code ? 'Pairing code' : none;
	$('pairing-code').textContent = code ? `${code.slice(0, 4)} ${code.slice(4)}` : '';
	$('pairing-new').hidden = !isLoggedOut;
	$('pairing-expire').hidden = !code;
}
