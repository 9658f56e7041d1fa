import { startHost, type Host, type HostOptions } from '../../lab/host/host';

/** A real n8n with the package, and a simulated gateway, for the file that calls `useHost`. */
export let host: Host;

/** Starts them before the first test of the file, and stops them after the last one. */
export function useHost(options?: HostOptions): void {
	beforeAll(async () => {
		host = await startHost(options);
	});
	afterAll(async () => await host?.stop());
}
