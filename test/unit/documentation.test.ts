import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../host/places';
import { resources } from '../../nodes/MessagingGateway/operations';
import { triggerProperties } from '../../nodes/MessagingGateway/trigger/properties';

it('docs/trigger.md tells of each option of the trigger, in the order of the editor', () => {
	const page = readFileSync(join(projectFolder, 'docs', 'trigger.md'), 'utf8');
	const [, table] = /^\| option \|.*\n\|.*\n((?:\|.*\n)+)/m.exec(page) ?? [];
	const told = table.split('\n').flatMap((row) => /^\| (.*?) \|/.exec(row)?.[1] ?? []);
	const { options = [] } = triggerProperties.find(({ name }) => name === 'options') ?? {};
	expect(told).toEqual(
		options.map((option) => ('displayName' in option ? option.displayName : option.name)),
	);
});

it('docs/troubleshooting.md quotes what the test of a credential says', () => {
	const read = (...path: string[]) => readFileSync(join(projectFolder, ...path), 'utf8');
	const said = ['testCredential.ts', 'tryToken.ts', 'token.ts']
		.map((file) => read('nodes', 'MessagingGateway', 'api', file))
		.join();
	const [, table] =
		/^## The credential test fails\n[^#]*?\|---\|---\|\n((?:\|.*\n)+)/m.exec(
			read('docs', 'troubleshooting.md'),
		) ?? [];
	const quoted = table
		.split('\n')
		.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/\*([^*]+)\*/g)])
		.map(([, words]) => words.replace(/ ?…$/, ''));
	expect(quoted.length).toBeGreaterThan(5);
	expect(quoted.filter((words) => !said.includes(words))).toEqual([]);
});

it('docs/agents.md names each field by which a model could lead messages or events elsewhere', () => {
	const page = readFileSync(join(projectFolder, 'docs', 'agents.md'), 'utf8');
	const [, table = ''] =
		/^### Fields that a model must never fill in\n[^#]*?\|---\|---\|---\|\n((?:\|.*\n)+)/m.exec(
			page,
		) ?? [];
	const named = table
		.split('\n')
		.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/\*\*([^*]+)\*\*/g)])
		.map(([, name]) => name);
	const leading: Record<string, string[]> = {
		api: ['path', 'method', 'query', 'body'],
		webhook: ['url', 'webhookId'],
	};
	const fields = resources.flatMap(({ value, operations }) =>
		operations
			.flatMap((operation) => [...operation.fields, ...(operation.options ?? [])])
			.filter(({ name }) => ['to', 'instanceId', ...(leading[value] ?? [])].includes(name)),
	);
	expect(new Set(named)).toEqual(new Set(fields.map(({ displayName }) => displayName)));
});
