import { tell } from '../shell/notices.ts';

const LONGEST_HIGHLIGHTED = 20_000;
const COPIED_MS = 1_500;

/** Makes the code in a drawn text scrollable by keys, colours it, and gives it a button that copies it. */
export async function decorateCode(element: HTMLElement): Promise<void> {
  for (const block of element.querySelectorAll('pre')) addCopy(block);
  await colourCode(element);
}

/** Colours the code; what does that is fetched when there is code to colour. */
export async function colourCode(element: HTMLElement): Promise<void> {
  const blocks = [...element.querySelectorAll<HTMLElement>('pre > code[class^="language-"]')];
  if (blocks.length === 0) return;
  const { highlighted } = await import('./highlighter.ts');
  for (const block of blocks) {
    const code = block.textContent ?? '';
    if (code.length > LONGEST_HIGHLIGHTED) continue;
    const html = highlighted(code, languageOf(block));
    if (html !== undefined) block.innerHTML = html;
  }
}

/** Puts a text on the clipboard and says so. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    tell('The browser did not allow copying.', 'warning');
    return false;
  }
}

function addCopy(block: HTMLElement): void {
  block.tabIndex = 0;
  const frame = document.createElement('div');
  frame.className = 'code';
  const head = document.createElement('div');
  head.className = 'code-head';
  const code = block.querySelector('code');
  const language = document.createElement('span');
  language.textContent = code === null ? '' : languageOf(code);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', 'Copy code');
  button.addEventListener('click', () => void copyFrom(block, button));
  head.append(language, button);
  block.replaceWith(frame);
  frame.append(head, block);
}

async function copyFrom(block: HTMLElement, button: HTMLButtonElement): Promise<void> {
  if (!(await copyText((block.textContent ?? '').replace(/\n$/, '')))) return;
  button.textContent = 'Copied';
  setTimeout(() => {
    button.textContent = 'Copy';
  }, COPIED_MS);
}

function languageOf(code: Element): string {
  return code.className.startsWith('language-') ? code.className.slice('language-'.length) : '';
}
