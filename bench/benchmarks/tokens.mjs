import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleTexts } from '../corpus.mjs';
import { alternate, measureTime, median } from '../measure.mjs';
import { atLeast, atMost, info } from '../runner/result.mjs';

const ROUNDS = 7;
const HISTORY_CHARACTERS = 1_000_000;
const RUN_CHARACTERS = 100_000;
const ADDED_MESSAGES = 200;
const ENCODINGS = { o200k_base: 'gpt-4o', cl100k_base: 'gpt-4' };
/** Treats special tokens as ordinary text. */
const ORDINARY = { disallowedSpecial: new Set() };

/** Whether token counts are exact, how fast counting is, and what another message costs. */
export const tokens = {
  group: 'tokens',
  description: 'accuracy and speed of counting tokens, and the cost of another message',
  names: {
    'tokens.load': 'time to load the encoding, at the first count',
    'tokens.wrong': "texts whose count differs from gpt-tokenizer's",
    'tokens.first': 'speed on new texts',
    'tokens.speed': 'speed on messages, code and documents seen before',
    'tokens.run': 'time to count 100,000 letters without a break',
    'tokens.megabyte': 'time to count a history of 1 MB',
    'tokens.recount': 'time to count it again with another message, relative to counting that message alone',
  },
  async *run(context) {
    const { TokenCounter } = await context.load('context/tokens/token-counter.js');
    const { TurnList } = await context.load('context/turns/turn-list.js');
    const counter = new TokenCounter(ENCODINGS.o200k_base);
    yield info(
      'tokens.load',
      measureTime(() => counter.count('x')),
      'ms',
    );

    const texts = readSources(context.root);
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    const speed = (milliseconds) => bytes / 1_000 / milliseconds;
    const countAll = () => {
      for (const text of texts) counter.count(text);
    };
    yield info('tokens.first', speed(measureTime(countAll)), 'MB/s');
    const times = Array.from({ length: ROUNDS }, () => measureTime(countAll));
    yield atLeast('tokens.speed', speed(median(times)), 'MB/s', 3);
    yield atMost(
      'tokens.run',
      measureTime(() => counter.count(randomLetters(RUN_CHARACTERS))),
      'ms',
      1_000,
    );
    yield atMost('tokens.wrong', await countWrong(TokenCounter, [...sampleTexts(2_000), ...texts]), 'texts', 0);
    yield* measureHistory(texts, counter, new TurnList(counter));
  },
};

/** The code and documents of this repository. */
function readSources(root) {
  return ['src', 'docs', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:ts|md|json)$/.test(entry.name))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
  );
}

/** The encoder takes quadratic time for such a run, unless it is counted in parts. */
function randomLetters(length) {
  let state = 1;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return String.fromCharCode(97 + (state % 26));
  };
  return Array.from({ length }, next).join('');
}

async function countWrong(TokenCounter, texts) {
  let wrong = 0;
  for (const [encoding, model] of Object.entries(ENCODINGS)) {
    const { encode } = await import(`gpt-tokenizer/encoding/${encoding}`);
    const counter = new TokenCounter(model);
    wrong += texts.filter((text) => counter.count(text) !== encode(text, ORDINARY).length).length;
  }
  return wrong;
}

function* measureHistory(texts, counter, turns) {
  const messages = texts.filter((text) => text.length < 10_000);
  let characters = 0;
  for (let at = 0; characters < HISTORY_CHARACTERS; at++) {
    const content = messages[at % messages.length];
    turns.add({ role: at % 2 === 0 ? 'user' : 'assistant', content });
    characters += content.length;
  }
  yield info(
    'tokens.megabyte',
    measureTime(() => turns.tokens()),
    'ms',
  );
  const added = messages.slice(-ADDED_MESSAGES);
  const times = alternate({
    rounds: added.length,
    yore: (round) => {
      turns.add({ role: 'user', content: added[round] });
      turns.tokens();
    },
    bare: (round) => counter.count(added[round]),
  });
  yield atMost('tokens.recount', median(times.yore) / median(times.bare), 'x', 2);
}
