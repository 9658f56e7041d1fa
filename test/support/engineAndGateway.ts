import { createRequire } from 'node:module';
import type { AxiosStatic } from 'axios';
import { startSimulator, type Simulator } from '../../lab/simulator';
import { loadEngine, type Engine } from './engine';

/** n8n's engine with the built package. There before the first test of the file that imports it. */
export let engine: Engine;

/** A simulated gateway for the file that imports it. Every test finds it as if it had just been started. */
export let gateway: Simulator;

/** Requests of nodes without a timeout of their own. For these n8n would wait five minutes. */
const endless: string[] = [];

/** The client of n8n's HTTP helper. */
const axios = createRequire(require.resolve('n8n-core'))('axios') as AxiosStatic;
axios.defaults.timeout = 0;
axios.interceptors.request.use((request) => {
	if (!request.timeout) endless.push(request.url!);
	return request;
});

beforeAll(async () => {
	engine = await loadEngine();
	gateway = await startSimulator();
});

afterEach(() => {
	gateway.reset({ webhooks: true });
	// What the gateway asks of a token outlasts a test.
	gateway.replaceTokens();
	expect(endless.splice(0)).toEqual([]);
});

afterAll(async () => {
	await gateway?.stop();
});
