import { posix } from 'node:path';
import type { Attempt } from '../../record/record.ts';
import type { StatementFact } from './statement.ts';

/** Files that tell agents how to work in a project. */
const INSTRUCTION_FILE =
  /(?:^|\/)(?:(?:AGENTS|CLAUDE|GEMINI|QWEN|CONVENTIONS)(?:\.local)?\.md|copilot-instructions\.md|\.cursorrules|\.cursor\/rules\/[^/]+|\.clinerules)$/;
const MARKUP = /^(?:[-*#>\s]|\d+\.\s)+|\*\*|__/g;
const MIN_WORDS = 4;

/** The line that the user had added to an instruction file: the request names the file. */
export function statementOfInstructions({ path = '', args, context = '' }: Attempt): StatementFact | undefined {
  if (!INSTRUCTION_FILE.test(path)) return undefined;
  const name = posix.basename(path).replace(/\.\w+$/, '');
  if (!context.toLowerCase().includes(name.toLowerCase())) return undefined;
  const line = addedLines(args).find((each) => each.split(/\s+/).length >= MIN_WORDS);
  if (line === undefined) return undefined;
  return { kind: 'decision', source: 'instructions', text: line, quote: context, life: 'durable', position: 0 };
}

/** What an edit or a patch adds, without markup. What a file says as a whole need not be new. */
function addedLines(args: Attempt['args']): readonly string[] {
  const { old_string: before, new_string: after } = args ?? {};
  const patch = [args?.input, args?.patch].find((each) => typeof each === 'string') ?? '';
  const known = new Set(typeof before === 'string' ? before.split('\n') : []);
  const added =
    typeof after === 'string'
      ? after.split('\n').filter((line) => !known.has(line))
      : patch.split('\n').flatMap((line) => (/^\+(?!\+\+)/.test(line) ? [line.slice(1)] : []));
  return added.flatMap((line) => line.replace(MARKUP, '').trim() || []);
}
