import { isFollowUp, parseFeedback, parseRecapQuestion, type TimeSpan } from '../../memory/index.ts';

/** What a command may be asked for. */
export type Task = 'test' | 'build' | 'lint' | 'format' | 'install' | 'start' | 'deploy';

/** What a question to the memory is about; a `topic` is looked for in all of it. */
export type Question =
  | { readonly kind: 'recap'; readonly span: TimeSpan }
  | { readonly kind: 'greeting' }
  /** The user says something of what was before: consent, thanks, a verdict. */
  | { readonly kind: 'remark' }
  | { readonly kind: 'why' }
  | { readonly kind: 'failures'; readonly span: TimeSpan }
  | { readonly kind: 'command'; readonly task: Task }
  | { readonly kind: 'project' }
  | { readonly kind: 'decision' }
  | { readonly kind: 'topic' };

const GREETING =
  /^\W*(?:(?:hi|hello|hey|hallo|moin|good (?:morning|afternoon|evening))(?:[\s,]+(?:there|yore|all|again))?|help(?: me)?|who are you|what(?:'s| is) (?:yore|this)|what (?:can|do) (?:you|i) (?:do|ask)(?: (?:you|here))?)\W*$/i;
const PROJECT =
  /\bwhat(?:'s| is| kind of| sort of| do (?:you|we) know (?:about|of))? ?(?:is )?(?:this|the|our) (?:project|repo|repository|code ?base|app)\b(?! (?:using|doing))|\b(?:describe|explain|tell me about|summari[sz]e) (?:this|the|our) (?:project|repo|repository|code ?base|app)\b|\b(?:our|the|which|what) (?:coding )?(?:conventions|tech(?:nology)? stack|best practices)\b|^\W*what do you (?:know|remember)\W*$/i;
const WHY =
  /^(?:\W|so|and|but)*(?:why\b.{0,200}\b(?:fail\w*|broke\w*|break\w*|crash\w*|(?:not|n't) work\w*|wrong|error\w*)|what (?:went wrong|was wrong|is wrong|happened) with\b|what (?:broke|caused)\b.{2,})/i;
const FAILURES =
  /\bwhat (?:has |have |had |all )*(?:failed|fails|went wrong|broke|(?:did|does|do)(?:n't| not) work)\b|\bwhat (?:should|must|to) (?:i|we)? ?(?:avoid|not do)\b|\b(?:which|what|any|known|open|recent|last|latest|list|show)(?: \w+){0,3} (?:failures?|errors|problems|pitfalls|anti-?patterns)\b|^\W*(?:failures|errors|problems|pitfalls)\W*$|\bwhat (?:commands?|attempts?) (?:has |have )?failed\b/i;
const DECISION =
  /\b(?:decid\w+|decision\w*|agree[ds]?(?: on| to| that)?|chose|choose|chosen|choice)\b|\bwhat did (?:i|we) (?:say|settle|conclude)\b/i;

const HOW =
  /\bhow (?:do|can|should|would|did|could) (?:i|we|you|one)\b|\bhow to\b|\bhow (?:is|are|was|were|does)\b|\bwhat(?:'s| is| was| are) the\b.{0,30}\bcommands?\b|\b(?:which|what) commands?\b|^\W*(?:\w+ ){1,2}command\W*$/i;
const DO_IT =
  /^\W*(?:please |can you |could you |now )*(?:(?:run|execute|start) (?:all |the |our |my )*(?:unit |integration |whole )?(?:tests?|test ?suite|specs|build|lint(?:er|ing)?|formatter|type ?check|app|server|dev server)|(?:build|test|lint|format|compile|deploy)(?: (?:it|this|everything|the (?:project|code|app)))?|install (?:the |all )*dependencies)(?:[\s,]+(?:please|now|again))*\W*$/i;

/** The first that fits counts. */
const TASKS: readonly (readonly [Task, RegExp])[] = [
  ['test', /\b(?:tests?|tested|testing|specs?|test ?suite)\b/i],
  ['lint', /\b(?:lint\w*|type-?check\w*)\b/i],
  ['format', /\bformat(?:ted|ting|ter)?\b/i],
  ['build', /\b(?:build|built|building|compil\w+)\b/i],
  ['deploy', /\b(?:deploy\w*|release[ds]?|publish\w*)\b/i],
  [
    'install',
    /\b(?:install (?:it|this|everything|(?:the |all |my |our )*(?:dependencies|packages|project))|set ?up)\b/i,
  ],
  [
    'start',
    /\b(?:(?:start|launch|serve|run) (?:it|this|(?:the |our |my )?(?:\w+ )?(?:app|server|project|program|site))|dev server)\b/i,
  ],
];

/** Pasted text is no part of what is asked. */
const READ = 300;

/** What is asked. Days are those of this machine's time zone. */
export function readQuestion(text: string, now: number): Question {
  const asked = text.slice(0, READ).replaceAll('’', "'").replace(/\s+/g, ' ').trim();
  const span = parseRecapQuestion(asked, now);
  if (GREETING.test(asked)) return { kind: 'greeting' };
  if (span !== undefined) return { kind: 'recap', span };
  if (isFollowUp(asked) || parseFeedback(asked) !== undefined) return { kind: 'remark' };
  if (WHY.test(asked)) return { kind: 'why' };
  if (FAILURES.test(asked)) return { kind: 'failures', span: spanIn(asked, now) };
  const task = HOW.test(asked) || DO_IT.test(asked) ? taskIn(asked) : undefined;
  if (task !== undefined) return { kind: 'command', task };
  if (PROJECT.test(asked)) return { kind: 'project' };
  return { kind: DECISION.test(asked) ? 'decision' : 'topic' };
}

/** The words by which a command is for a task. */
export function taskWords(task: Task): RegExp {
  return TASKS.find(([name]) => name === task)?.[1] ?? /$^/;
}

/** The time that a question names; all of it when it names none. */
function spanIn(asked: string, now: number): TimeSpan {
  const when =
    /\b(?:today|yesterday|(?:this|last|past) (?:week|month)|in the (?:last|past) (?:few|\d{1,4}) days)\b/i.exec(
      asked,
    )?.[0];
  return (when === undefined ? undefined : parseRecapQuestion(`what have we done ${when}`, now)) ?? {};
}

function taskIn(asked: string): Task | undefined {
  return TASKS.find(([, words]) => words.test(asked))?.[0];
}
