import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../../lab/host/places';
import { SHOWN_TO_REVIEWER } from '../../../nodes/MessagingGateway/editor/builderHints';

/** The text that a reviewer is shown of a call, by the expression as it stands everywhere. */
function show(parameters: object): string {
	const expression = SHOWN_TO_REVIEWER.replace(/^\{\{|\}\}$/g, '');
	const evaluate = new Function('$tool', `return ${expression}`) as (tool: object) => string;
	return evaluate({ parameters });
}

it.each(['docs/agents.md', 'examples/reviewed-agent.json'])(
	'%s shows a reviewer the same of a call as the hint for models',
	(file) => {
		const text = readFileSync(join(projectFolder, file), 'utf8');
		expect(text).toContain(SHOWN_TO_REVIEWER);
	},
);

it('a short call is shown as it is', () => {
	expect(show({ order: 42, note: 'Two\nlines' })).toBe('{"order":42,"note":"Two\\nlines"}');
});

it('a long call says that it is cut, and leaves no half of an emoji', () => {
	const shown = show({ note: '😀'.repeat(600), amount: 9_999 });

	expect(shown).toMatch(/^\{"note":"😀+ … CUT: ANSWER NO$/u);
	expect(shown).not.toMatch(/\p{Surrogate}/u);
	expect([...shown.replace(' … CUT: ANSWER NO', '')]).toHaveLength(500);
});

it('no line separator ends what is cut', () => {
	expect(show({ note: `${'x'.repeat(600)}\u2028${'y'.repeat(9)}` })).toMatch(/x … CUT: ANSWER NO$/);
});
