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

/** Who writes the history of each agent, its share of the bytes, and whether it is lines of JSON that can be compared. */
const HISTORIES = {
  'claude-code': { write: claudeCode, share: 0.35, isLines: true },
  codex: { write: codex, share: 0.25, isLines: true },
  gemini: { write: gemini, share: 0.1, isLines: true },
  copilot: { write: copilot, share: 0.1, isLines: true },
  pi: { write: pi, share: 0.1, isLines: true },
  opencode: { write: opencode, share: 0.04, isLines: false },
  cursor: { write: cursor, share: 0.02, isLines: false },
  cline: { write: cline, share: 0.02, isLines: false },
  aider: { write: aider, share: 0.02, isLines: false },
};

/** The agents whose histories are generated. */
export const AGENTS = Object.keys(HISTORIES);

/** Those whose histories are lines of JSON. */
export const AGENTS_WITH_LINES = AGENTS.filter((agent) => HISTORIES[agent].isLines);

/**
 * Writes a user's home with the history of some agents.
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
