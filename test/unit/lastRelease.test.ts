import { globSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { MessagingGatewayAccountApi } from '../../credentials/MessagingGatewayAccountApi.credentials';
import { MessagingGatewayInstanceApi } from '../../credentials/MessagingGatewayInstanceApi.credentials';
import { loadClasses, unpackLastRelease, type PackageClasses } from '../../host/lastRelease';
import { projectFolder } from '../../host/places';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayTrigger } from '../../nodes/MessagingGateway/MessagingGatewayTrigger.node';

/**
 * Workflows hold what a person has set, and not what stood at its default. So what is there of a node version stays, with
 * the meaning and the default that it has: whatever changes either gets a new version of the node.
 */

type Element = INodeProperties | INodePropertyOptions | INodePropertyCollection;

const now: PackageClasses = {
	MessagingGateway,
	MessagingGatewayTrigger,
	MessagingGatewayAccountApi,
	MessagingGatewayInstanceApi,
};
let last: PackageClasses;
let lastFiles: string[];

beforeAll(async () => {
	const folder = await unpackLastRelease('last-release-unit');
	last = loadClasses(folder);
	lastFiles = globSync('nodes/**/*.js', { cwd: join(folder, 'dist') });
});

/** Where something is shown: its name, and the resources and operations it belongs to. */
function placesOf({ name, displayOptions }: INodeProperties): string[] {
	const { resource = ['any'], operation = ['any'] } = displayOptions?.show ?? {};
	return resource.flatMap((each) => operation.map((other) => `${each}/${other}/${name}`));
}

interface Meaning {
	type: string;
	/** What it means when nothing was chosen. */
	default?: unknown;
	required?: boolean;
}

/** All that a person can have chosen. */
function list(properties: Element[], within = ''): Map<string, Meaning> {
	const found = new Map<string, Meaning>();
	for (const element of properties) {
		const isParameter = 'type' in element && 'default' in element;
		const places = isParameter
			? placesOf(element)
			: [String('value' in element ? element.value : element.name)];
		for (const place of places) {
			const path = `${within}${place}`;
			const { type, default: value, required } = element as INodeProperties;
			found.set(path, isParameter ? { type, default: value, required } : { type: 'a choice' });
			const inner: Element[] = [
				...(('options' in element ? element.options : undefined) ?? []),
				...('values' in element ? element.values : []),
				...((isParameter && element.modes) || []),
			] as Element[];
			for (const [name, what] of list(inner, `${path} → `)) found.set(name, what);
		}
	}
	return found;
}

/** What would mean something else, or nothing any more, in a workflow of the last release. */
function findChanged(before: Element[], after: Element[]): string[] {
	const kept = list(after);
	const isSame = (was: Meaning, is?: Meaning) =>
		was.type === is?.type &&
		JSON.stringify(was.default) === JSON.stringify(is.default) &&
		(was.required || !is.required);
	return [...list(before)]
		.filter(([path, was]) => !isSame(was, kept.get(path)))
		.map(([path, was]) => `${path}: ${JSON.stringify(was)}, now ${JSON.stringify(kept.get(path))}`);
}

describe.each(['MessagingGateway', 'MessagingGatewayTrigger'] as const)('%s', (name) => {
	const describeIt = (from: PackageClasses) => new from[name]().description;
	const versions = (from: PackageClasses) => [describeIt(from).version].flat();

	it('still has each version', () => {
		expect(versions(now)).toEqual(expect.arrayContaining(versions(last)));
	});

	it('still has each parameter and each choice, of the same type and with the same default', () => {
		expect(list(describeIt(last).properties).size).toBeGreaterThan(10);
		expect(findChanged(describeIt(last).properties, describeIt(now).properties)).toEqual([]);
	});

	it('is still called by its name, at the same address, with the same credentials', () => {
		const [before, after] = [describeIt(last), describeIt(now)];
		const addressesOf = ({ webhooks = [] }: typeof before) =>
			webhooks.map(({ name: webhook, path, httpMethod }) => ({ webhook, path, httpMethod }));
		const typesOf = ({ credentials = [] }: typeof before) => credentials.map((each) => each.name);
		expect(after.name).toBe(before.name);
		expect(addressesOf(after)).toEqual(expect.arrayContaining(addressesOf(before)));
		expect(typesOf(after)).toEqual(expect.arrayContaining(typesOf(before)));
	});
});

describe.each(['MessagingGatewayAccountApi', 'MessagingGatewayInstanceApi'] as const)(
	'%s',
	(name) => {
		it('still has each field', () => {
			const [before, after] = [new last[name](), new now[name]()];
			expect(after.name).toBe(before.name);
			expect(findChanged(before.properties, after.properties)).toEqual([]);
		});
	},
);

/** What leads to a file, and to which form of it: as `webhooks/records` to a file, and `operations` to a folder's index. */
function waysTo(files: string[]): Map<string, 'file' | 'folder'> {
	return new Map(
		files.map((file) => {
			const way = file.slice(0, -extname(file).length);
			return basename(way) === 'index' ? [dirname(way), 'folder'] : [way, 'file'];
		}),
	);
}

// A running n8n that updates the package looks where the last release had it: Node remembers that.
it('no file has the name of a folder of the last release, and no folder that of a file', () => {
	const before = waysTo(lastFiles);
	const after = waysTo(globSync('nodes/**/*.ts', { cwd: projectFolder }));
	expect(before.get('nodes/MessagingGateway/operations')).toBe('folder');
	const changed = [...after].filter(([way, form]) => before.has(way) && before.get(way) !== form);
	expect(changed).toEqual([]);
});
