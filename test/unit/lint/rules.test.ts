import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { MessagingGatewayAccountApi } from '../../../credentials/MessagingGatewayAccountApi.credentials';
import { MessagingGatewayInstanceApi } from '../../../credentials/MessagingGatewayInstanceApi.credentials';
import { projectFolder } from '../../../host/places';
import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayTrigger } from '../../../nodes/MessagingGateway/MessagingGatewayTrigger.node';
import {
	contrastOf,
	findBareCredential,
	findFaint,
	findFrightening,
	findHalfTrigger,
	findListNotFirst,
	findLogicOrFlow,
	findLongHints,
	findMerelyDeclarative,
	findNotTitled,
	findOpenEnded,
	findOptionalOutside,
	findSubcategories,
	findSwallowed,
	findUnhidden,
	findUnknownCategories,
	findWrongActions,
	findWrongPlaceholders,
	findWrongSwitches,
	type Codex,
} from './rules';

const folder = join(projectFolder, 'nodes', 'MessagingGateway');
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const nodes = [new MessagingGateway(), new MessagingGatewayTrigger()];
const credentials = [new MessagingGatewayAccountApi(), new MessagingGatewayInstanceApi()];
const codices = ['MessagingGateway', 'MessagingGatewayTrigger'].map(
	(name) => JSON.parse(read(`${name}.node.json`)) as Codex,
);
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.ts'))
	.map(read);
const shown = nodes.flatMap(({ description }) => description.properties);
const asked = [...shown, ...credentials.flatMap(({ properties }) => properties)];
const tried = nodes
	.flatMap(({ description }) => description.credentials ?? [])
	.filter(({ testedBy }) => testedBy !== undefined)
	.map(({ name }) => name);

const field = (others: object): INodeProperties[] => [
	{
		displayName: 'Field',
		name: 'field',
		type: 'string',
		default: '',
		...others,
	} as INodeProperties,
];
const inCollection = (others: object) =>
	field({ type: 'collection', default: {}, options: field(others) });

const triggerWith = (changes: object) => {
	const trigger = new MessagingGatewayTrigger();
	return { ...trigger, description: { ...trigger.description, ...changes } };
};

const faintOn = (light: string) => findFaint({ light, dark: '<path fill="#ffffff"/>' });

/** What a rule finds in the package, what it may, and something bad, and what it finds in that. */
interface Rule {
	rule: string;
	found: unknown[];
	except?: unknown[];
	inBad: unknown[];
}

const rules: Rule[] = [
	{
		rule: 'no-codex-subcategories',
		found: codices.flatMap(findSubcategories),
		inBad: findSubcategories({
			categories: ['Core Nodes'],
			subcategories: { 'Core Nodes': ['Helpers'] },
		}),
	},
	{
		rule: 'valid-node-categories',
		found: codices.flatMap(findUnknownCategories),
		inBad: findUnknownCategories({ categories: ['Marketing', 'Bananas'] }),
	},
	{
		rule: 'no-logic-or-flow-nodes',
		found: codices.flatMap(findLogicOrFlow),
		inBad: findLogicOrFlow({ categories: ['Utility'], subcategories: { Utility: ['Flow'] } }),
	},
	{
		rule: 'no-silent-error-swallowing',
		found: sources.flatMap(findSwallowed),
		inBad: findSwallowed(
			'class A { hooks = { async create() { try { return await this.ask(); } catch (error) { return false; } } }; }',
		),
	},
	{
		rule: 'prefer-declarative-style',
		found: sources.flatMap(findMerelyDeclarative),
		inBad: findMerelyDeclarative(
			'class A { async execute() { for (const item of this.getInputData()) { out.push(await this.helpers.httpRequest({ url, item })); } } }',
		),
	},
	{
		rule: 'hint-max-length',
		found: findLongHints(asked),
		inBad: findLongHints(inCollection({ hint: 'An operation and '.repeat(8) })),
	},
	{
		rule: 'open-ended-node-fields',
		found: findOpenEnded(shown),
		inBad: findOpenEnded(field({ type: 'json', default: '{}' })),
	},
	{
		rule: 'non-required-fields-in-collection',
		found: findOptionalOutside(shown),
		// The choice "none" of the country is empty, which n8n would take for nothing chosen if the field were required.
		// Which of several numbers starts the workflow is what a person decides next to the events, and may leave open.
		except: ['defaultCountry', 'defaultCountry', 'instanceIds'],
		inBad: findOptionalOutside(field({ name: 'limit', type: 'number', default: 50 })),
	},
	{
		rule: 'icon-contrast',
		found: [...nodes.map(({ description }) => description), ...credentials].flatMap(({ icon }) => {
			const { light, dark } = icon as { light: string; dark: string };
			const readIcon = (path: string) => read(path.replace(/^.*[:/]/, ''));
			return findFaint({ light: readIcon(light), dark: readIcon(dark) });
		}),
		inBad: findFaint({ light: '<svg><path/></svg>', dark: '<svg><path/></svg>' }),
	},
	{
		rule: 'a resource locator begins with its list',
		found: findListNotFirst(shown),
		// Its list has groups only, and most messages go to people.
		except: findListNotFirst(shown).filter((name) => name === 'to'),
		inBad: findListNotFirst(field({ modes: [{ type: 'string' }, { type: 'list' }] })),
	},
	{
		rule: 'names are in Title Case',
		found: findNotTitled(asked),
		inBad: findNotTitled(field({ displayName: 'Wait time' })),
	},
	{
		rule: 'actions are in sentence case, without articles',
		found: findWrongActions(shown).filter((action) => !/^Make API request$/.test(action)),
		inBad: findWrongActions(field({ options: [{ name: 'Send', action: 'Send a Message' }] })),
	},
	{
		rule: 'placeholders are examples',
		found: findWrongPlaceholders(asked),
		inBad: findWrongPlaceholders(inCollection({ placeholder: 'your name' })),
	},
	{
		rule: 'switches say whether',
		found: findWrongSwitches(asked),
		inBad: findWrongSwitches(field({ type: 'boolean', description: 'Sends it twice' })),
	},
	{
		rule: 'no word frightens',
		found: findFrightening(asked),
		inBad: findFrightening(field({ description: 'Shown if there is a problem' })),
	},
	{
		rule: 'secrets are hidden',
		found: credentials.flatMap(({ properties }) => findUnhidden(properties)),
		inBad: findUnhidden(field({ name: 'accountToken' })),
	},
	{
		rule: 'a trigger is a whole one',
		found: findHalfTrigger(new MessagingGatewayTrigger()),
		inBad: findHalfTrigger(new MessagingGateway()),
	},
	{
		rule: 'credentials are tried, and have icons for both themes',
		found: credentials.flatMap((credential) => findBareCredential(credential, tried)),
		inBad: findBareCredential({ name: 'serviceApi', icon: 'file:service.svg' }, tried),
	},
];

describe("what today's lint and n8n's guidelines ask", () => {
	it.each(rules)('$rule', ({ found, except = [] }) => {
		expect(found).toEqual(except);
	});

	it.each(rules)('$rule: a bad example is noticed', ({ inBad }) => {
		expect(inBad).not.toEqual([]);
	});

	it.each([
		['subcategories of nothing', findSubcategories({ subcategories: {} })],
		['a short color', faintOn('<path fill="#fff"/>')],
		['a color by name', faintOn("<path fill='white'/>")],
		['a style', faintOn('<path style="fill: #fff"/>')],
		['a trigger with an input', findHalfTrigger(triggerWith({ inputs: ['main'] }))],
	])('%s is noticed as well', (_what, found) => {
		expect(found).not.toEqual([]);
	});

	it('computes contrast as WCAG does', () => {
		const black = '<svg><path fill="#000000"/></svg>';
		expect(contrastOf(black, 'light')).toBeCloseTo(21);
		expect(contrastOf(black, 'dark')).toBeCloseTo(1.48, 2);
	});
});
