import { createRandom } from './corpus/random.mjs';
import { createTextMaker } from './corpus/text.mjs';
import { createVocabulary } from './corpus/vocabulary.mjs';
import { writeHistory as aider } from './histories/aider.mjs';
import { writeHistory as claudeCode } from './histories/claude-code.mjs';
import { writeHistory as cline } from './histories/cline.mjs';
import { writeHistory as codex } from './histories/codex.mjs';
import { writeHistory as copilot } from './histories/copilot.mjs';
import { writeHistory as cursor } from './histories/cursor.mjs';
import { writeHistory as gemini } from './histories/gemini.mjs';
import { writeHistory as opencode } from './histories/opencode.mjs';
import { writeHistory as pi } from './histories/pi.mjs';

/** For each agent: its writer, its share of the bytes, and whether its history is JSONL, which bare parsing can read too. */
const HISTORIES = {
  'claude-code': { write: claudeCode, share: 0.35, isJsonl: true },
  codex: { write: codex, share: 0.25, isJsonl: true },
  gemini: { write: gemini, share: 0.1, isJsonl: true },
  copilot: { write: copilot, share: 0.1, isJsonl: true },
  pi: { write: pi, share: 0.1, isJsonl: true },
  opencode: { write: opencode, share: 0.04, isJsonl: false },
  cursor: { write: cursor, share: 0.02, isJsonl: false },
  cline: { write: cline, share: 0.02, isJsonl: false },
  aider: { write: aider, share: 0.02, isJsonl: false },
};

/** The agents whose histories are generated. */
export const AGENTS = Object.keys(HISTORIES);

/** The agents whose histories are JSONL. */
export const JSONL_AGENTS = AGENTS.filter((agent) => HISTORIES[agent].isJsonl);

/**
 * Writes the histories of some agents to a user's home.
 * @param {{folder: string, bytes: number, agents: readonly string[]}} options
 */
export function writeHistories({ folder, bytes, agents }) {
  const all = agents.reduce((sum, agent) => sum + HISTORIES[agent].share, 0);
  const totals = { files: 0, lines: 0 };
  for (const agent of agents) {
    const { write, share } = HISTORIES[agent];
    const random = createRandom(agent);
    const text = createTextMaker(createVocabulary(), random);
    const { files, lines } = write({ folder, bytes: (bytes * share) / all, random, text });
    totals.files += files;
    totals.lines += lines;
  }
  return totals;
}
