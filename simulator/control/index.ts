import type { Gateway } from '../gateway';
import type { App } from '../http/app';
import { serveOwnHostsOnly } from '../http/hosts';
import { addActions } from './actions';
import { addPage } from './page';
import { addViews } from './views';

/** The phone page at `/`, and what it and other processes drive the simulator with under `/simulator/`. */
export function addControl(app: App, gateway: Gateway): void {
	serveOwnHostsOnly(app, gateway.settings.host);
	addPage(app);
	addActions(app, gateway);
	addViews(app, gateway);
}
