import { waitFor } from '../../host/waiting';
import type { Take } from './picture';

/** The phone page, with a conversation that the demo workflow answers. */
export const takePhone: Take = async (page, { gateway }) => {
	await page.setViewportSize({ width: 1200, height: 720 });
	await page.goto(gateway.pageUrl);
	await page.getByRole('textbox', { name: /Write as Ana/ }).fill('Please keep six for me!');
	await page.keyboard.press('Enter');
	const replyOf = () =>
		gateway.chats()[0].messages.find(({ text }) => text.startsWith('You wrote:'));
	await waitFor('the reply to be read', () => replyOf()?.status === 'READ');
	await page.waitForTimeout(500);
	return await page.screenshot();
};
