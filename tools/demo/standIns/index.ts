import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Fastify from 'fastify';
import { startMailbox } from '../../../host/mailbox';
import { serveOwnHostsOnly } from '../../../simulator/http/hosts';
import { addMailPage, Mails } from './mailbox';
import { addModel } from './model';
import { startRedis } from './redis';

const HOST = '127.0.0.1';

/** What stands in for accounts outside, so that every example can be tried without one. */
export interface StandIns {
	/** Page on which the mails are read. */
	mailPageUrl: string;
	/** Mail server without login and without TLS. */
	smtp: { host: string; port: number };
	/** Counts as Redis does. */
	redis: { host: string; port: number };
	/** Base URL of the language model, as OpenAI's. */
	modelUrl: string;
	stop(): Promise<void>;
}

/**
 * Starts a mailbox that a person reads in the browser, and what answers like a language model and like Redis.
 * @param folder where the mails are kept
 * @param port of the mail page and of the model
 * @param phoneUrl the phone page, for the mail page to lead to
 */
export async function startStandIns(options: {
	folder: string;
	port: number;
	smtpPort: number;
	redisPort: number;
	phoneUrl: string;
}): Promise<StandIns> {
	const mails = new Mails(join(options.folder, 'mails.json'));
	const mailbox = await startMailbox({ port: options.smtpPort, onMail: (mail) => mails.add(mail) });
	const redis = await startRedis(options.redisPort);
	const app = Fastify({ forceCloseConnections: true });
	serveOwnHostsOnly(app, HOST);
	addMailPage(app, mails, options.phoneUrl);
	addModel(app);
	await app.listen({ port: options.port, host: HOST });
	const url = `http://${HOST}:${(app.server.address() as AddressInfo).port}`;
	return {
		mailPageUrl: url,
		smtp: { host: HOST, port: mailbox.port },
		redis: { host: HOST, port: redis.port },
		modelUrl: `${url}/v1`,
		stop: async () => {
			await app.close();
			await mailbox.stop();
			await redis.stop();
		},
	};
}
