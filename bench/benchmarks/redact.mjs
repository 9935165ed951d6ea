import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sampleTexts } from '../corpus.mjs';
import { measureTime, median } from '../measure.mjs';
import { atLeast, atMost, info } from '../runner/result.mjs';

const ROUNDS = 9;
const BLOCK_BYTES = 64 * 1024;
const SCORER_RUNS = 3;
const ECHO = fileURLToPath(new URL('../child/echo.mjs', import.meta.url));

/** How fast redaction is and, if the labelled data is available, how accurate. */
export const redact = {
  group: 'redact',
  description: 'speed of redaction; recall and false positives, measured by the scorer of bench/secrets',
  names: {
    'redact.messages': 'speed on messages',
    'redact.blocks': 'speed on blocks of 64 KB',
    'redact.recall': 'known secrets that are masked (less than half is left)',
    'redact.changed': 'harmless texts that are changed',
    'redact.scorer': 'speed through the scorer, including its transport',
    'redact.transport': 'the same for a program that changes nothing',
  },
  async *run(context) {
    const { redact: redactText } = await context.load('redact/index.js');
    const texts = sampleTexts(5_000);
    yield atLeast('redact.messages', speed(redactText, texts), 'MB/s', 10);
    yield atLeast('redact.blocks', speed(redactText, toBlocks(texts)), 'MB/s', 10);

    const scorer = join(context.shared, 'bench', 'secrets', 'score.mjs');
    if (!existsSync(scorer)) {
      context.log(`skipped redact.recall, .changed, .scorer and .transport: no ${scorer} (set --shared DIR)`);
      return;
    }
    context.log(`running the scorer ${SCORER_RUNS} times, in turns with a program that changes nothing`);
    const adapter = join(context.root, 'bench', 'adapters', 'redact.mjs');
    const [yore, echo] = [[], []];
    for (let run = 0; run < SCORER_RUNS; run++) {
      yore.push(await score(scorer, adapter));
      echo.push(await score(scorer, ECHO));
    }
    const [report] = yore;
    yield atLeast('redact.recall', report.recall * 100, '%', 99);
    yield atMost('redact.changed', report.changed * 100, '%', 0.2);
    yield atLeast('redact.scorer', medianSpeed(yore), 'MB/s', 10);
    yield info('redact.transport', medianSpeed(echo), 'MB/s');
  },
};

function speed(redactText, texts) {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const rounds = Array.from({ length: ROUNDS }, () =>
    measureTime(() => {
      for (const text of texts) redactText(text);
    }),
  );
  return bytes / 1_000 / median(rounds);
}

function toBlocks(texts) {
  const all = texts.join('\n');
  const blocks = [];
  for (let start = 0; start < all.length; start += BLOCK_BYTES) blocks.push(all.slice(start, start + BLOCK_BYTES));
  return blocks;
}

function medianSpeed(reports) {
  return median(reports.map((report) => report.megabytesPerSecond));
}

async function score(scorer, adapter) {
  const { stdout } = await promisify(execFile)(process.execPath, [scorer, '--json', '--', process.execPath, adapter], {
    maxBuffer: 1e8,
  });
  return JSON.parse(stdout);
}
