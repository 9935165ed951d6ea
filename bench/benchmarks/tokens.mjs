import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleTexts } from '../corpus.mjs';
import { alternate, median, timeOf } from '../measure.mjs';
import { atLeast, atMost, info } from '../runner/result.mjs';

const ROUNDS = 7;
const HISTORY_CHARACTERS = 1_000_000;
const BLOCK_CHARACTERS = 16 * 1024;
const LATER_MESSAGES = 200;
const ENCODINGS = { o200k_base: 'gpt-4o', cl100k_base: 'gpt-4' };
/** What looks like a special token is text. */
const ORDINARY = { disallowedSpecial: new Set() };

/** Whether tokens are counted exactly, how fast, and what one more message costs. */
export const tokens = {
  group: 'tokens',
  description: 'counting tokens: as gpt-tokenizer counts them, how fast, and what one more message costs',
  names: {
    'tokens.load': 'loading the encoding, at the first count',
    'tokens.wrong': "texts counted otherwise than by gpt-tokenizer's own encode",
    'tokens.first': 'speed on texts never seen before',
    'tokens.speed': 'speed on messages, code and documents',
    'tokens.reference': "speed of gpt-tokenizer's own encode on the same",
    'tokens.megabyte': 'counting a history of 1 MB, all of it',
    'tokens.recount': 'counting it again with one more message, against counting that message',
  },
  async *run(context) {
    const { TokenCounter } = await context.load('context/tokens/token-counter.js');
    const { TurnList } = await context.load('context/turns/turn-list.js');
    const counter = new TokenCounter(ENCODINGS.o200k_base);
    yield info(
      'tokens.load',
      timeOf(() => counter.count('x')),
      'ms',
    );

    const texts = [...sampleTexts(2_000), ...filesOf(context.root)];
    const blocks = toBlocks(texts);
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    const speed = (milliseconds) => bytes / 1_000 / milliseconds;
    const count = (block) => {
      for (const text of block) counter.count(text);
    };
    yield info('tokens.first', speed(total(blocks.map((block) => timeOf(() => count(block))))), 'MB/s');

    const { encode } = await import('gpt-tokenizer/encoding/o200k_base');
    const encodeAll = (block) => {
      for (const text of block) encode(text, ORDINARY);
    };
    const rounds = Array.from({ length: ROUNDS }, () =>
      alternate({
        rounds: blocks.length,
        ours: (round) => count(blocks[round]),
        bare: (round) => encodeAll(blocks[round]),
      }),
    );
    const medians = (name) => blocks.map((_, block) => median(rounds.map((times) => times[name][block])));
    yield atLeast('tokens.speed', speed(total(medians('ours'))), 'MB/s', 5);
    yield info('tokens.reference', speed(total(medians('bare'))), 'MB/s');
    yield atMost('tokens.wrong', await countWrong(TokenCounter, texts), 'texts', 0);
    yield* measureHistory(texts, counter, new TurnList(counter));
  },
};

/** Code, documents and data of this repository. */
function filesOf(root) {
  return ['src', 'docs', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:ts|md|json)$/.test(entry.name))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
  );
}

/** Small enough that one is mostly counted without the processor being given to somebody else. */
function toBlocks(texts) {
  const blocks = [[]];
  let length = 0;
  for (const text of texts) {
    if (length > BLOCK_CHARACTERS) {
      blocks.push([]);
      length = 0;
    }
    blocks.at(-1).push(text);
    length += text.length;
  }
  return blocks;
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
    timeOf(() => turns.tokens()),
    'ms',
  );
  const added = messages.slice(-LATER_MESSAGES);
  const { ours, bare } = alternate({
    rounds: added.length,
    ours(round) {
      turns.add({ role: 'user', content: added[round] });
      turns.tokens();
    },
    bare: (round) => counter.count(added[round]),
  });
  yield atMost('tokens.recount', median(ours) / median(bare), 'x', 2);
}

function total(values) {
  return values.reduce((sum, value) => sum + value, 0);
}
