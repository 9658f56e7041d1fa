import axe from 'axe-core';
import { GROUP_NAMES, PEOPLE } from '../../../simulator';
import { DESK, PHONE } from '../../../simulator/visit';
import { visit } from './visiting';

// The phone page for everybody: axe finds nothing, the keyboard reaches everything, nothing is wider than the screen.

const [ana, bruno] = PEOPLE;

/** Runs axe on the page as it is; fails when it had nothing to judge. */
async function findBarriers(view: string, rules?: string[]): Promise<string[]> {
	const options: axe.RunOptions = rules ? { runOnly: { type: 'rule', values: rules } } : {};
	const { violations, passes } = await visit.page.evaluate(
		async (chosen) => await (window as unknown as { axe: typeof axe }).axe.run(document, chosen),
		options,
	);
	expect(passes.length).toBeGreaterThan(0);
	return violations.map(({ id, impact, nodes }) => `${view}: ${impact} ${id} at ${nodes[0].html}`);
}

/** What is wider than the screen. */
const findOverflowing = async (): Promise<string[]> =>
	await visit.page.evaluate(() =>
		Array.from(document.querySelectorAll('body *:not(.unseen)'))
			// What is inline may be cut off with an ellipsis by the block around it.
			.filter((element) => getComputedStyle(element).display !== 'inline')
			.filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
			.map(({ outerHTML }) => outerHTML.slice(0, 120)),
	);

describe.each([
	['a phone', PHONE],
	['a desk', DESK],
] as const)('on %s', (_, viewport) => {
	const isPhone = viewport === PHONE;
	const fillPage = async () => {
		await visit.send(bruno.phone, 'unread');
		await visit.send(ana.phone, `A long one ${'x'.repeat(300)}`);
		visit.simulator.write('A reply', {
			phone: ana.phone,
			quotedMessageId: visit.simulator.acceptedSends()[1].messageId,
		});
		visit.simulator.setConnection('LOGGED_OUT');
		visit.simulator.setPairing('GENERATED');
		await visit.simulator.drained();
	};
	const views = {
		chats: async () => await visit.entry('Ana Souza').waitFor(),
		chat: async () => {
			await visit.chat('Ana Souza');
			await visit.bubble('A long one').first().getByRole('button').focus();
			await visit.page.keyboard.press('Enter');
		},
		group: async () => await visit.chat(GROUP_NAMES[0]),
		gateway: async () => {
			if (isPhone) await visit.page.getByRole('button', { name: 'Gateway' }).click();
			for (const summary of await visit.page.locator('.log li:first-child summary').all())
				await summary.click();
		},
	};

	it('has nothing that keeps people out, in either theme, and never scrolls sideways', async () => {
		await fillPage();
		for (const [name, show] of Object.entries(views)) {
			await visit.open(viewport);
			await show();
			expect(await findOverflowing()).toEqual([]);
			await visit.page.evaluate(axe.source);
			expect(await findBarriers(name)).toEqual([]);
			// Nothing but the colours differs between the themes.
			await visit.page.emulateMedia({ colorScheme: 'dark' });
			expect(await findBarriers(`${name}, dark`, ['color-contrast'])).toEqual([]);
		}
	});

	it('is used with the keyboard alone', async () => {
		await visit.open(viewport);
		const reach = async (name: RegExp) => {
			for (let presses = 0; presses < 60; presses += 1) {
				await visit.page.keyboard.press('Tab');
				const label = await visit.page.evaluate(() => {
					const { activeElement } = document;
					return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '';
				});
				if (name.test(label)) return;
			}
			throw new Error(`${String(name)} cannot be reached`);
		};
		await reach(/Carla Mendes/);
		await visit.page.keyboard.press('Enter');
		if (isPhone) {
			await reach(/^Messages$/);
			// Who writes, and then what.
			await visit.page.keyboard.press('Tab');
			await visit.page.keyboard.press('Tab');
		}
		await visit.page.keyboard.type('by hand');
		await reach(/^Send$/);
		await visit.page.keyboard.press('Enter');
		await visit.bubble('by hand').waitFor();
		expect(await visit.received()).toMatchObject([{ data: { text: 'by hand' } }]);
	});
});
