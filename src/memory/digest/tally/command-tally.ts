import type { Attempt } from '../../../record/index.ts';
import type { DigestedSuccess } from '../success-fold.ts';
import type { BoundedTally, Counted } from './bounded-tally.ts';

/** A command that worked; its text is the key. */
export interface CountedCommand extends Counted {
  readonly kind: string;
}

/** Longer ones are written for one occasion. */
const LONGEST = 120;
const KINDS: ReadonlySet<string> = new Set(['test', 'build', 'lint', 'format', 'install', 'run']);
/** Commands that everybody uses everywhere: that they work says nothing of a project. */
const EVERYDAY: ReadonlySet<string> = new Set(
  (
    'awk bash cat cd chmod cp curl cut date diff echo env export find gh git grep head jq kill killall ln ls mkdir ' +
    'mv open pgrep pkill printf ps pwd read rg rm sed seq set sh sleep sort source stat sudo tail tar tee test time ' +
    'tmux touch tr true type unset unzip wait wc wget which xargs zip zsh for if while until case { ( [ [[ . :'
  ).split(' '),
);
/** Asking a program about itself or for what there is. */
const QUESTION =
  /(?:^|\s)(?:--?help|-h|--?version|-[vV]|help|version|status|list|ls|show|info|ps|logs?|doctor)(?:\s|$)/;

/** Programs handed over as text: `python -c`, `node -e`. */
const INLINE_PROGRAM = /^(?:python[\d.]*|node|ruby|perl|php|deno|bun) (?:-[ceprE]|eval|-)(?: |$)|<<|…$/;

/** Counts a command that worked, unless it is an everyday one. */
export function countCommand(
  tally: BoundedTally<CountedCommand>,
  attempt: Attempt,
  { kind, text }: DigestedSuccess,
): void {
  if (!KINDS.has(kind) || text.length > LONGEST || INLINE_PROGRAM.test(text)) return;
  if (kind === 'run' && QUESTION.test(text)) return;
  const program = text.replace(/^(?:[A-Z_][A-Z0-9_]*=\S*\s+)+/, '').split(' ', 1)[0] ?? '';
  if (program === '' || EVERYDAY.has(program)) return;
  tally.count(text, attempt.timestamp, attempt.sessionId, (counted) => ({ ...counted, kind }));
}
