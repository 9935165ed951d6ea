import { describe, expect, test } from 'vitest';
import { CHROMIUM, PIXEL } from './browser.ts';
import { useSite } from './site.ts';

describe.skipIf(CHROMIUM === undefined)('The message box', () => {
  const site = useSite();

  test('suggests earlier prompts, selectable by keys or by a click', async () => {
    site.server.prompts = ['fix the export of lists', 'fix the upload', 'why is it slow?'];
    const { page } = await site.open('#/chat');
    const prompt = page.getByLabel('Message', { exact: true });
    const options = page.getByRole('listbox', { name: 'Earlier prompts' }).getByRole('option');
    // Unlike filling a field, typing does not wait until it is enabled.
    await expect.poll(() => prompt.isEnabled()).toBe(true);
    await prompt.pressSequentially('fix');
    await expect.poll(() => options.allTextContents()).toEqual(['fix the export of lists', 'fix the upload']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await options.nth(1).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    expect(await prompt.inputValue()).toBe('fix the upload');
    expect(await options.count()).toBe(0);
    expect(site.server.called('chat.send')).toHaveLength(0);

    await prompt.fill('');
    await prompt.pressSequentially('fix the e');
    await options.getByText('fix the export of lists').click();
    expect(await prompt.inputValue()).toBe('fix the export of lists');

    await prompt.fill('');
    await prompt.pressSequentially('fix');
    await options.first().waitFor();
    await page.keyboard.press('Escape');
    expect(await options.count()).toBe(0);
    await page.keyboard.press('Enter');
    await expect.poll(() => site.server.called('chat.send').at(0)?.params.prompt).toBe('fix');
  });

  test('attaches an image from the clipboard', async () => {
    const { page } = await site.open('#/chat');
    await page.getByLabel('Message', { exact: true }).fill('Look at this');
    await page.evaluate(`navigator.clipboard.write([new ClipboardItem({
      'image/png': new Blob([Uint8Array.from(atob('${PIXEL.toString('base64')}'), (letter) => letter.charCodeAt(0))], { type: 'image/png' }),
    })])`);
    await page.keyboard.press('Control+v');
    await page.getByRole('button', { name: 'Remove image 1' }).waitFor();
    await page.keyboard.press('Enter');
    await expect
      .poll(() => site.server.called('chat.send').at(0)?.params.images)
      .toEqual([expect.stringMatching(/^data:image\/png;base64,iVBOR/)]);
    expect(await page.getByRole('button', { name: 'Remove image 1' }).count()).toBe(0);
  });

  test('attaches an image that is dropped onto the chat, and refuses other files', async () => {
    const { page } = await site.open('#/chat');
    await page.getByRole('log').waitFor();
    const drop = async (name: string, type: string) => {
      const data = await page.evaluateHandle(`(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(['x'], '${name}', { type: '${type}' }));
        return transfer;
      })()`);
      await page.dispatchEvent('.chat-messages', 'dragover', { dataTransfer: data });
      await page.locator('.chat.is-dropping').waitFor();
      await page.dispatchEvent('.chat-messages', 'drop', { dataTransfer: data });
    };
    await drop('picture.png', 'image/png');
    await page.getByRole('button', { name: 'Remove image 1' }).waitFor();
    expect(await page.locator('.chat.is-dropping').count()).toBe(0);
    await drop('notes.txt', 'text/plain');
    await page.getByText('Only PNG, JPEG, GIF and WebP').waitFor();
    await page.getByRole('button', { name: 'Remove image 1' }).click();
    expect(await page.getByRole('button', { name: 'Remove image 1' }).count()).toBe(0);
  });

  test('keeps the draft when the page is reloaded', async () => {
    const { page } = await site.open('#/chat');
    const prompt = page.getByLabel('Message', { exact: true });
    await prompt.fill('half a thought');
    await page.reload();
    await expect.poll(() => prompt.inputValue()).toBe('half a thought');
  });

  test('offers no changes when the server is read-only', async () => {
    site.server.chat.isReadOnly = true;
    site.server.chat.ask('A question');
    site.server.chat.streaming = null;
    const { page } = await site.open('#/chat');
    await page.getByText('The reply was interrupted.').waitFor();
    expect(await page.getByRole('button', { name: 'New session' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Ask again' }).count()).toBe(0);
    await page.getByText('40 % of 32 k').click();
    expect(await page.getByRole('button', { name: 'Compact now' }).isDisabled()).toBe(true);
  });

  test('has the focus before the next key when a question is asked again', async () => {
    site.server.chat.ask('A question');
    site.server.chat.streaming = null;
    const { page } = await site.open('#/chat');
    const again = page.getByRole('button', { name: 'Ask again' });
    await again.waitFor();
    await again.focus();
    // Both within one task of the page: no frame is drawn between them.
    await page.evaluate(`(async () => {
      document.activeElement.click();
      await undefined;
      await undefined;
      window.focusedLabel = document.activeElement.getAttribute('aria-label');
    })()`);
    expect(await page.evaluate('window.focusedLabel')).toBe('Message');
  });
});
