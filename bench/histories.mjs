import { createRandom } from './corpus/random.mjs';
import { createTextMaker } from './corpus/text.mjs';
import { createVocabulary } from './corpus/vocabulary.mjs';

/** The agents whose histories are generated, with the share of the bytes that each gets. */
export const HISTORIES = {
  'claude-code': 0.4,
  codex: 0.3,
  gemini: 0.1,
  copilot: 0.1,
  pi: 0.1,
};

/**
 * Writes a user's home with the history of some agents.
 * @param {{folder: string, bytes: number, agents?: string[]}} options
 */
export async function writeHistories({ folder, bytes, agents = Object.keys(HISTORIES) }) {
  const all = agents.reduce((sum, agent) => sum + HISTORIES[agent], 0);
  const totals = { files: 0, lines: 0 };
  for (const agent of agents) {
    const { writeHistory } = await import(`./histories/${agent}.mjs`);
    const random = createRandom(agent);
    const text = createTextMaker(createVocabulary(), random);
    const { files, lines } = writeHistory({ folder, bytes: (bytes * HISTORIES[agent]) / all, random, text });
    totals.files += files;
    totals.lines += lines;
  }
  return totals;
}
