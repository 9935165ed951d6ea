import { recogniseCommands } from '../../facts/commands/recognise-commands.ts';
import type { Detector } from '../detector.ts';

/** Files in which a project tells agents and contributors how to work on it, the most binding first. */
const FILES = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', 'CONTRIBUTING.md', 'README.md'];
const FENCE = /^\s*(?:```|~~~)/;
const CODE_SPAN = /`([^`]+)`/g;
/** A line that may name a command to say that it is not to be used. */
const NEGATED = /\b(?:never|not|don't|avoid|instead|without|rather than|deprecated|fails?)\b/i;
const PROMPT = /^\s*(?:[$>%] )?/;

/** The commands for the whole project that its instructions name, as code. */
export const INSTRUCTIONS: Detector = {
  id: 'any',
  extensions: [],
  *detect(folder) {
    if (folder.path !== '') return;
    for (const file of FILES) {
      for (const line of commandLines(folder.read(file) ?? '')) {
        for (const { fact, value, ecosystem, folder: inner, whole } of recogniseCommands(line)) {
          if (fact !== 'packageManager' && inner === '' && whole)
            yield { fact, value, ecosystem, file, source: 'documented' };
        }
      }
    }
  },
};

/** Lines in code blocks, and code in sentences that do not advise against it. */
function* commandLines(text: string): Generator<string> {
  let isFenced = false;
  for (const line of text.split('\n', 5_000)) {
    if (FENCE.test(line)) isFenced = !isFenced;
    else if (NEGATED.test(line)) continue;
    else if (isFenced) yield line.replace(PROMPT, '').replace(/\s#.*$/, '');
    else for (const [, code = ''] of line.matchAll(CODE_SPAN)) yield code;
  }
}
