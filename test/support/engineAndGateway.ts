import { startSimulator, type Simulator } from '../../simulator';
import { loadEngine, type BuiltWorkflow, type Engine } from './engine';

/** n8n's engine with the built package. There before the first test of the file that imports it. */
export let engine: Engine;

/** A simulated gateway for the file that imports it. Every test finds it as if it had just been started. */
export let gateway: Simulator;

beforeAll(async () => {
	engine = await loadEngine();
	gateway = await startSimulator();
});

afterEach(() => {
	gateway.reset({ webhooks: true });
	// What the gateway asks of a token outlasts a test.
	gateway.replaceTokens();
});

afterAll(async () => {
	await gateway?.stop();
});

/** The end of one process of n8n: what it knew of the webhook is gone with it. */
export async function forgetAsBetweenStarts(built: BuiltWorkflow): Promise<void> {
	const { close } = await engine.trigger(built);
	await close();
}
