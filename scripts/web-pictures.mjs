// Takes the screenshots of the README in Chromium: the app with the demo history at a fixed time.
//   node scripts/web-pictures.mjs [name…]      writes docs/<name>-light.png and docs/<name>-dark.png; needs a build
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { withPalette } from './palette-png.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Fixed, so that the screenshots change only when the app does. */
const NOW = Date.parse('2026-05-20T14:30:00.000Z');
const SIZE = { width: 1100, height: 700 };
/** A larger picture is too large for a README. */
const MAX_BYTES = 150_000;

const QUESTION = 'What failed lately?';
/** Generous, for a busy machine. */
const TIMEOUT_MS = 120_000;

/** The screenshots, each with the steps that lead to it. */
const PICTURES = {
  history: async (page) => {
    await go(page, 'Sessions');
    await page.getByLabel('Search the history').fill('ioredis');
    await page.locator('.result-hit', { hasText: 'There is no package' }).first().click();
    await toTop(page.locator('.is-match'));
  },
  timeline: async (page) => {
    await go(page, 'Timeline');
    await page.getByText(/\d+ of \d+ sessions/).waitFor();
  },
  memory: async (page) => {
    await go(page, 'Memory');
    await page.getByRole('heading', { name: 'Active warnings' }).waitFor();
  },
  overview: async (page) => {
    await go(page, 'Overview');
    await page.locator('.chart svg').first().waitFor();
  },
  usage: async (page) => {
    await go(page, 'Usage');
    await page.locator('.usage-table').first().waitFor();
  },
  files: async (page) => {
    await go(page, 'Files');
    await page.getByRole('link', { name: 'src/checkout/orders.ts' }).click();
    await page.locator('.file-change .diff-lines').first().waitFor();
  },
  chat: async (page) => {
    await go(page, 'Chat');
    const prompt = page.getByLabel('Message', { exact: true });
    await prompt.fill(QUESTION);
    await page.keyboard.press('Enter');
    await page.getByText('different calls in all').waitFor();
    await toTop(page.getByRole('log'));
  },
};

const wanted = process.argv.slice(2);
const names = wanted.length > 0 ? wanted : Object.keys(PICTURES);
for (const name of names) {
  if (!(name in PICTURES)) throw new Error(`Unknown picture "${name}". Pictures: ${Object.keys(PICTURES).join(', ')}.`);
}

const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
try {
  // A server for each colour scheme: otherwise the chat of the first would be in the second.
  for (const colorScheme of ['light', 'dark']) await takeAll(colorScheme);
} finally {
  await browser.close();
}

async function takeAll(colorScheme) {
  const server = await serveDemo();
  try {
    for (const name of names) {
      const file = join(root, 'docs', `${name}-${colorScheme}.png`);
      const picture = withPalette(await take(server.url, name, colorScheme));
      writeFileSync(file, picture);
      const isTooLarge = picture.length > MAX_BYTES;
      console.log(`wrote ${file}: ${Math.round(picture.length / 1000)} KB${isTooLarge ? ', too large' : ''}`);
      if (isTooLarge) process.exitCode = 1;
    }
  } finally {
    await server.stop();
  }
}

async function take(url, name, colorScheme) {
  const context = await browser.newContext({
    viewport: SIZE,
    deviceScaleFactor: 2,
    colorScheme,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    await page.clock.setFixedTime(NOW);
    await page.goto(url);
    await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).waitFor();
    await PICTURES[name](page);
    await page.evaluate(hideFolder);
    await page.mouse.move(SIZE.width - 1, SIZE.height - 1);
    await page.waitForTimeout(500);
    return await page.screenshot();
  } finally {
    await context.close();
  }
}

/** Runs in the page. The demo's folder has a random name. */
function hideFolder() {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
    node.data = node.data.replace(/\/\S*\/yore-demo-[^/]+/, '~');
}

/** Starts `yore serve --demo` with a clock that stands still. */
async function serveDemo() {
  const clock = `const real = Date;
    globalThis.Date = class extends real {
      constructor(...args) { if (args.length > 0) super(...args); else super(${NOW}); }
      static now() { return ${NOW}; }
    };`;
  const child = spawn(process.execPath, [join(root, bin.yore), 'serve', '--demo', '--json'], {
    env: {
      PATH: process.env.PATH,
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(clock)}`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{')) return { url: JSON.parse(line).url, stop };
  }
  throw new Error('yore serve --demo ended before it printed its address.');
}

/** Scrolls all ancestors of an element to the top, after the page has done its own scrolling. */
async function toTop(locator) {
  await locator.waitFor();
  await locator.page().waitForTimeout(1000);
  await locator.evaluate((element) => {
    for (let at = element; at !== null; at = at.parentElement) at.scrollTop = 0;
  });
}

function go(page, name) {
  return page.getByRole('navigation').getByRole('link', { name }).click();
}

function findChromium() {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const found = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
  if (found === undefined) throw new Error('Chromium is not on the PATH.');
  return found;
}
