import { findFreePort } from '../../host/ports';

/** The ports on which the demo is found unless somebody else has them. */
export const USUAL_PORTS = { n8n: 5678, gateway: 3100, standIns: 3101, smtp: 3102, redis: 3103 };

export type Ports = typeof USUAL_PORTS;

/** A port that was taken by another program, and the one in its place. */
export interface TakenPort {
	what: keyof Ports;
	wanted: number;
	instead: number;
}

/** The wanted ports, and free ones in place of those that are taken. */
export async function choosePorts(wanted: Ports): Promise<{ ports: Ports; taken: TakenPort[] }> {
	const ports = { ...wanted };
	const taken: TakenPort[] = [];
	for (const what of Object.keys(wanted) as Array<keyof Ports>) {
		ports[what] = await findFreePort(wanted[what]);
		if (ports[what] !== wanted[what])
			taken.push({ what, wanted: wanted[what], instead: ports[what] });
	}
	return { ports, taken };
}
