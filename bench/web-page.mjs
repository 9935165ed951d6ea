// How long users of the browser app wait, measured in Chromium with a server over a large home.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const VIEW = { width: 1400, height: 900 };
const DEBOUNCE_MS = 300;
const ROW = '.session-row[data-session]';

/** Where Chromium is; undefined if it is not installed. */
export const chromiumPath = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find((path) => existsSync(path));

/**
 * Measures the app at an address with a token (`…#token=…`).
 * `words`: queries by kind. `longSession`: id and project of a long session. `file`: one of its project that many sessions
 * changed.
 */
export async function measurePage({ url, words, longSession, file, log = () => undefined }) {
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    // The list is scrolled by dragging its scrollbar.
    ignoreDefaultArgs: ['--hide-scrollbars'],
    args: ['--no-sandbox', '--enable-precise-memory-info', '--js-flags=--expose-gc'],
  });
  const results = [];
  const add = (name, value, unit, limit = null) => {
    const result = {
      name: `web.page.${name}`,
      value: Math.round(value * 10) / 10,
      unit,
      limit,
      bound: 'max',
    };
    results.push(result);
    log(`${result.name} ${result.value} ${unit}`);
  };
  try {
    const context = await browser.newContext({ viewport: VIEW });
    const page = await context.newPage();
    const origin = new URL(url).origin;
    await page.goto(url);
    await page.locator('.rail').waitFor();
    await page.goto('about:blank');
    add('first-rows', await measureFirstRows(context, `${origin}/#/history?in=all`), 'ms', 1000);
    for (const [kind, word] of Object.entries(words))
      add(`search-${kind}`, await measureSearch(context, origin, word), 'ms', 300);
    for (const { name, value, unit, limit } of await measureListScrolling(context, `${origin}/#/history?in=all`))
      add(name, value, unit, limit);
    const { id, project } = longSession;
    for (const [name, { fragment, shown, limit }] of Object.entries(pagesOf(project, file)))
      add(name, await measureOpening(context, `${origin}/#/settings?p=${project}`, fragment, shown), 'ms', limit);
    const keys = await measurePalette(context, `${origin}/#/settings?p=${project}`, 'checkout');
    add('palette-open', keys.opened, 'ms');
    add('palette-key', keys.slowest, 'ms', 100);
    const address = `${origin}/#/history?session=${id}&of=${project}`;
    for (const { name, value, unit, limit } of await measureSessionScrolling(context, address))
      add(name, value, unit, limit);
  } finally {
    await browser.close();
  }
  return results;
}

/** Median time of five page loads, from the navigation to the first rows on the screen. */
async function measureFirstRows(context, address) {
  const times = [];
  for (let time = 0; time < 5; time += 1) {
    const page = await context.newPage();
    await page.goto(address, { waitUntil: 'commit' });
    await page.locator(ROW).first().waitFor();
    times.push(
      await page.evaluate(
        (row) =>
          new Promise((resolve) => {
            requestAnimationFrame(() => resolve(document.querySelector(row) === null ? -1 : performance.now()));
          }),
        ROW,
      ),
    );
    await page.close();
  }
  return median(times);
}

/** The pages that are opened from another one, each with what it shows when it is complete. */
function pagesOf(project, file) {
  const of = `p=${project}`;
  const path = `${of}&path=${encodeURIComponent(file)}`;
  return {
    projects: { fragment: `#/projects?${of}`, shown: '.project-row .sparkline', limit: 1000 },
    files: { fragment: `#/files?${of}`, shown: '.file-table tbody tr', limit: 300 },
    'file-changes': { fragment: `#/files?${path}`, shown: '.file-change .diff-lines', limit: 300 },
    'file-lines': { fragment: `#/files?${path}&view=lines`, shown: '.blame tr', limit: 300 },
    'usage-project': { fragment: `#/usage?${of}&scope=project`, shown: '.usage-table tbody tr', limit: 300 },
    'usage-all': { fragment: `#/usage?${of}&scope=all&range=all`, shown: '.usage-table tbody tr', limit: null },
    overview: { fragment: `#/overview?${of}`, shown: '.chart svg', limit: null },
    memory: { fragment: `#/memory?${of}`, shown: '.past-failures', limit: null },
  };
}

/** Median time of five times that a page is opened from another one, from the click to what it shows. */
async function measureOpening(context, start, fragment, shown) {
  const times = [];
  for (let time = 0; time < 5; time += 1) {
    const page = await context.newPage();
    await page.goto(start);
    await page.locator('.page').first().waitFor();
    // Other pages are loaded while nothing else happens.
    await page.waitForLoadState('networkidle');
    times.push(
      await page.evaluate(
        ([target, selector]) =>
          new Promise((resolve) => {
            const started = performance.now();
            const look = () => {
              if (document.querySelector(selector) === null) return requestAnimationFrame(look);
              resolve(performance.now() - started);
            };
            location.hash = target;
            requestAnimationFrame(look);
          }),
        [fragment, shown],
      ),
    );
    await page.close();
  }
  return median(times);
}

/** Types a word into the palette. `slowest`: the longest time from a key to the complete list for it, of five rounds each. */
async function measurePalette(context, address, word) {
  const opened = [];
  const byKey = [...word].map(() => []);
  for (let round = 0; round < 5; round += 1) {
    const page = await context.newPage();
    await page.goto(address);
    await page.locator('.page').first().waitFor();
    await page.waitForLoadState('networkidle');
    const started = performance.now();
    await page.keyboard.press('Control+k');
    await page.locator('.pick-options[aria-busy=false]').waitFor();
    opened.push(performance.now() - started);
    for (const [index] of byKey.entries()) {
      byKey[index].push(
        await page.evaluate(
          (query) =>
            new Promise((resolve) => {
              const box = document.querySelector('.pick input');
              const typedAt = performance.now();
              const look = () => {
                if (document.querySelector('.pick-options[aria-busy=false]') === null)
                  return requestAnimationFrame(look);
                resolve(performance.now() - typedAt);
              };
              box.value = query;
              box.dispatchEvent(new Event('input', { bubbles: true }));
              requestAnimationFrame(look);
            }),
          word.slice(0, index + 1),
        ),
      );
    }
    await page.close();
  }
  return { opened: median(opened), slowest: Math.max(...byKey.map(median)) };
}

/** Median time of five searches in new pages, from the end of the debounce to results on the screen. */
async function measureSearch(context, origin, word) {
  const times = [];
  for (let time = 0; time < 5; time += 1) {
    const page = await context.newPage();
    await page.goto(`${origin}/#/history?in=all`);
    await page.locator(ROW).first().waitFor();
    const elapsed = await page.evaluate(
      ([query, debounce]) =>
        new Promise((resolve) => {
          const box = document.querySelector('.browser [data-search]');
          const typedAt = performance.now();
          const look = () => {
            const isDone = document.querySelector('[data-hit], .list-panel .empty:not([aria-busy])') !== null;
            if (!isDone) return requestAnimationFrame(look);
            requestAnimationFrame(() => resolve(performance.now() - typedAt - debounce));
          };
          box.value = query;
          box.dispatchEvent(new Event('input', { bubbles: true }));
          look();
        }),
      [word, DEBOUNCE_MS],
    );
    times.push(elapsed);
    await page.close();
  }
  return median(times);
}

/** Scrolls the list with the wheel and by dragging the scrollbar, and checks each frame. */
async function measureListScrolling(context, address) {
  const page = await context.newPage();
  await page.goto(address);
  await page.locator(ROW).first().waitFor();
  const before = await memory(page);
  await page.mouse.move(200, 500);
  await watchFrames(page, '.list-panel .virtual');
  for (let turn = 0; turn < 150; turn += 1) {
    await page.mouse.wheel(0, 360);
    await page.waitForTimeout(16);
  }
  const wheel = await stopWatching(page);
  await watchFrames(page, '.list-panel .virtual');
  const settled = await dragScrollbar(page);
  const drag = await stopWatching(page);
  const after = await memory(page);
  await page.close();
  return [
    { name: 'wheel-empty-frames', value: wheel.empty, unit: 'frames', limit: 0 },
    { name: 'wheel-waiting-frames', value: wheel.waiting, unit: 'frames', limit: 0 },
    { name: 'wheel-longest-frame', value: wheel.longest, unit: 'ms', limit: null },
    { name: 'drag-empty-frames', value: drag.empty, unit: 'frames', limit: 0 },
    { name: 'drag-rows-after-stop', value: settled, unit: 'ms', limit: null },
    { name: 'list-dom-nodes', value: after.nodes, unit: 'nodes', limit: 3000 },
    { name: 'list-heap-before', value: before.megabytes, unit: 'MB', limit: null },
    { name: 'list-heap-after', value: after.megabytes, unit: 'MB', limit: 40 },
  ];
}

/** Drags the scrollbar to the bottom and back to the middle. Returns how long the rows take to appear when it stops. */
async function dragScrollbar(page) {
  const list = await page.locator('.list-panel .virtual').evaluate((element) => {
    element.scrollTop = 0;
    const { right, top, bottom } = element.getBoundingClientRect();
    return { right, top, bottom };
  });
  await page.waitForTimeout(300);
  const x = list.right - 7;
  const end = list.bottom - 24;
  await page.mouse.move(x, list.top + 24);
  await page.mouse.down();
  await page.mouse.move(x, end, { steps: 150 });
  const isMoved = await page.locator('.list-panel .virtual').evaluate((element) => element.scrollTop > 100_000);
  if (!isMoved) throw new Error('the scrollbar of the list could not be dragged');
  await page.mouse.move(x, (list.top + end) / 2, { steps: 75 });
  const settled = await page.evaluate(
    (row) =>
      new Promise((resolve) => {
        const stoppedAt = performance.now();
        const look = () => {
          const isWaiting = document.querySelector('.session-row.is-waiting') !== null;
          if (isWaiting || document.querySelector(row) === null) return requestAnimationFrame(look);
          resolve(performance.now() - stoppedAt);
        };
        requestAnimationFrame(look);
      }),
    ROW,
  );
  await page.mouse.up();
  return settled;
}

/** Opens a long session and scrolls through it. */
async function measureSessionScrolling(context, address) {
  const page = await context.newPage();
  await page.goto(address, { waitUntil: 'commit' });
  await page.locator('.session-panel [data-message]').first().waitFor();
  const shown = await page.evaluate('performance.now()');
  const before = await memory(page);
  await page.mouse.move(900, 500);
  await watchFrames(page, '.session-panel .virtual');
  for (let turn = 0; turn < 150; turn += 1) {
    await page.mouse.wheel(0, 240);
    await page.waitForTimeout(16);
  }
  const wheel = await stopWatching(page);
  for (let place = 1; place <= 40; place += 1) {
    await page.evaluate((part) => {
      const list = document.querySelector('.session-panel .virtual');
      list.scrollTop = list.scrollHeight * part;
    }, place / 40);
    await page.waitForTimeout(30);
  }
  await page.locator('.session-panel .is-waiting').first().waitFor({ state: 'detached' });
  const after = await memory(page);
  await page.close();
  return [
    { name: 'session-shown', value: shown, unit: 'ms', limit: 1000 },
    { name: 'session-wheel-empty-frames', value: wheel.empty, unit: 'frames', limit: 3 },
    { name: 'session-wheel-waiting-frames', value: wheel.waiting, unit: 'frames', limit: 0 },
    { name: 'session-dom-nodes', value: after.nodes, unit: 'nodes', limit: 5000 },
    { name: 'session-heap-before', value: before.megabytes, unit: 'MB', limit: null },
    { name: 'session-heap-after', value: after.megabytes, unit: 'MB', limit: 60 },
  ];
}

/** From now on, counts the frames in which part of the list has no rows, or rows that are still loading. */
function watchFrames(page, list) {
  return page.evaluate((selector) => {
    const seen = { frames: 0, empty: 0, waiting: 0, longest: 0, isWatched: true };
    globalThis.frameCounts = seen;
    const element = document.querySelector(selector);
    let last = performance.now();
    // Rows are measured and moved between the callback of a frame and its painting, so check afterwards.
    const look = (now) => {
      if (!seen.isWatched) return;
      setTimeout(() => check(now));
      requestAnimationFrame(look);
    };
    const check = (now) => {
      const box = element.getBoundingClientRect();
      const isCovered = (y) =>
        [...element.querySelectorAll('.virtual-row')].some((row) => {
          const { top, bottom } = row.getBoundingClientRect();
          return top <= y && bottom >= y;
        });
      seen.frames += 1;
      seen.longest = Math.max(seen.longest, now - last);
      last = now;
      if (![box.top + 1, box.top + box.height / 2, box.bottom - 1].every(isCovered)) seen.empty += 1;
      const isWaiting = [...element.querySelectorAll('.is-waiting')].some((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return bottom > box.top && top < box.bottom;
      });
      if (isWaiting) seen.waiting += 1;
    };
    requestAnimationFrame(look);
  }, list);
}

function stopWatching(page) {
  return page.evaluate(() => {
    globalThis.frameCounts.isWatched = false;
    return globalThis.frameCounts;
  });
}

async function memory(page) {
  return page.evaluate(() => {
    globalThis.gc?.();
    return {
      megabytes: performance.memory.usedJSHeapSize / 2 ** 20,
      nodes: document.querySelectorAll('*').length,
    };
  });
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
