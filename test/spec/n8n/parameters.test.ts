import { engine } from '../../support/engineAndGateway';

it('the action node has no property that n8n would validate, since it reads them without', () => {
	const { properties } = engine.nodeType('messagingGateway').description;
	expect(properties.length).toBeGreaterThan(50);
	expect(JSON.stringify(properties)).not.toContain('"validateType"');
});
