import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sampleTexts } from '../corpus.mjs';
import { median, timeOf } from '../measure.mjs';
import { atLeast, atMost, info } from '../runner/result.mjs';

const ROUNDS = 9;
const BLOCK_BYTES = 64 * 1024;
const SCORER_RUNS = 3;
const ECHO = fileURLToPath(new URL('../child/echo.mjs', import.meta.url));

/** How fast redaction is, and, where the labelled data is at hand, how good. */
export const redact = {
  group: 'redact',
  description:
    'redaction: speed in the process, and recall and false positives by the scorer of bench/secrets',
  names: {
    'redact.messages': 'speed in the process, message by message',
    'redact.blocks': 'speed in the process, blocks of 64 KB',
    'redact.recall': 'known secrets of which no half is left',
    'redact.changed': 'harmless texts that were changed',
    'redact.scorer': 'speed through the scorer, transport included',
    'redact.transport': 'speed through the scorer of a program that changes nothing',
  },
  async *run(context) {
    const { redact: redactText } = await context.load('redact/index.js');
    const texts = sampleTexts(5_000);
    yield atLeast('redact.messages', speed(redactText, texts), 'MB/s', 10);
    yield atLeast('redact.blocks', speed(redactText, toBlocks(texts)), 'MB/s', 10);

    const scorer = join(context.shared, 'bench', 'secrets', 'score.mjs');
    if (!existsSync(scorer)) {
      context.say(
        `skipped recall, changed and scorer: there is no ${scorer} (--shared DIR says where it is)`,
      );
      return;
    }
    context.say(
      `running the scorer of bench/secrets ${SCORER_RUNS} times, in turns with a program that only answers`,
    );
    const adapter = join(context.root, 'bench', 'adapters', 'redact.mjs');
    const [ours, plain] = [[], []];
    for (let run = 0; run < SCORER_RUNS; run++) {
      ours.push(await score(scorer, adapter));
      plain.push(await score(scorer, ECHO));
    }
    const [report] = ours;
    yield atLeast('redact.recall', report.recall * 100, '%', 99);
    yield atMost('redact.changed', report.changed * 100, '%', 0.2);
    yield atLeast('redact.scorer', medianSpeed(ours), 'MB/s', 10);
    yield info('redact.transport', medianSpeed(plain), 'MB/s');
  },
};

function speed(redactText, texts) {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const rounds = Array.from({ length: ROUNDS }, () =>
    timeOf(() => {
      for (const text of texts) redactText(text);
    }),
  );
  return bytes / 1_000 / median(rounds);
}

function toBlocks(texts) {
  const all = texts.join('\n');
  const blocks = [];
  for (let start = 0; start < all.length; start += BLOCK_BYTES)
    blocks.push(all.slice(start, start + BLOCK_BYTES));
  return blocks;
}

function medianSpeed(reports) {
  return median(reports.map((report) => report.megabytesPerSecond));
}

async function score(scorer, adapter) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [scorer, '--json', '--', process.execPath, adapter],
    { maxBuffer: 1e8 },
  );
  return JSON.parse(stdout);
}
