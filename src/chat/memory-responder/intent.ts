import { parseRecapQuestion } from '../../ask/recap-question.ts';
import type { TimeSpan } from '../../ask/timeline.ts';
import { isFollowUp } from '../../facts/attempt/follow-up.ts';
import { omitUndefined } from '../../record/object.ts';
import { findTimePhrases } from '../../text/time-phrases.ts';

/** What a command of the project is for. */
export type Purpose = 'test' | 'build' | 'lint' | 'format';

/** A message that is not searched for, because its answer is a listing or says how to ask. */
export type Intent =
  | { readonly kind: 'help' }
  /** A reply without a subject: "yes", "tell me more", "that worked". */
  | { readonly kind: 'remark' }
  | { readonly kind: 'recap'; readonly span: TimeSpan }
  /** What the latest session was, and what it came to. */
  | { readonly kind: 'latest' }
  /** What was used in a time, or by the latest session. */
  | { readonly kind: 'cost'; readonly of: TimeSpan | 'latest' }
  | { readonly kind: 'failures'; readonly span: TimeSpan }
  /** Why a call failed, as it begins. */
  | { readonly kind: 'failure'; readonly call: string }
  /** What was decided, about something or at all. */
  | { readonly kind: 'decisions'; readonly about?: string }
  | { readonly kind: 'command'; readonly purpose: Purpose }
  | { readonly kind: 'knowledge' }
  /** Who changed a file, when and for which request. */
  | { readonly kind: 'file'; readonly path: string };

const HELP = /^(?:hi|hello|hey|help|what can (?:you do|i ask)(?: you)?)$/i;
const KNOWLEDGE =
  /^what do (?:you|we) (?:know|remember)$|^(?:what(?:'s| is)|describe|explain|summari[sz]e|tell me about|what do (?:you|we) (?:know|remember) about) (?:this|the|our) (?:project|repo|repository|code ?base|app)$/i;
const WHO = '(?:i|we|you|the agent)';
const LAST = '(?:last|latest|previous|most recent)';
const LATEST = new RegExp(
  `^(?:(?:what(?:'s| is| was| happened in)?|show(?: me)?|summari[sz]e|describe|tell me about|how did) )?(?:(?:the|our|my) )?${LAST} session(?: (?:about|go|end))?$` +
    `|^what (?:did|have|had|was|were) ${WHO} (?:just )?(?:do|done|doing|work(?:ed|ing)? on)(?: (?:last|most recently|last time|in (?:the|our|my) ${LAST} session))$` +
    `|^what (?:was|were) ${WHO} (?:doing|working on)$|^what (?:is|was) the last thing ${WHO} (?:did|worked on)$` +
    `|^where (?:did|were|are|have) ${WHO} (?:leave|left|stop|stopped|end|at)(?: off| it| things| at)?(?: last time)?$`,
  'i',
);
const TOTAL = '(?: (?:so far|in total|overall|altogether|here))?(?: (?<when>.+))?';
const COST = [
  new RegExp(
    `^(?:what|how much)(?: money)? (?:did|does|do|has|have) (?:it|this|that|all this|(?:this|the) project|${WHO}) (?:all )?(?:cost|spend|spent)${TOTAL}$`,
    'i',
  ),
  new RegExp(`^how many tokens (?:did|has|have) (?:it|this project|${WHO}) (?:use|used|spend|spent)${TOTAL}$`, 'i'),
  /^how much did (?<when>.+) cost$/i,
  new RegExp(
    `^(?:(?:show|what(?:'s| is| was|'re| are| were))(?: me)? )?(?:the |our |my )?(?:costs?|usage|spending)${TOTAL}$`,
    'i',
  ),
];
const LATEST_COST = new RegExp(
  `^(?:what|how (?:much|many tokens)) (?:did|was|were)(?: the cost of)? (?:(?:the|our|my) )?${LAST} session(?: (?:cost|use|spend))?$`,
  'i',
);
const RECAP =
  /^(?:what|which files?) (?:did|have|has|had|was|were) (?:(?:the )?[\w-]+ )?(?:do|done|worked on|changed?|edit(?:ed)?|touch(?:ed)?) (?<when>.+)$|^what happened (?<day>.+)$/i;
const FAILURES =
  /^(?:(?:what|which commands?) (?:(?:has |have )?failed|fails?|keeps? failing)(?: most often)?|(?:(?:show|list) )?(?:all |the |past )?failures)(?: (?<when>.+))?$/i;
const FAILURE =
  /^why (?:did|does|do|has|have) (?:the |my |our )?`?(?<call>.+?)`? (?:fail|failed|keep failing|kept failing)(?: (?:again|here|last time))?$/i;
const DECISIONS =
  /^(?:what (?:did|have|had) (?:i|we|you) (?:decided?|agreed?|chosen?|choose|corrected?)(?: on)?|what (?:was|has been|is|were|are) (?:(?:the|our|my) )?(?:decided|agreed|decisions?|corrections?)|(?:(?:show|list)(?: me)? )?(?:all |the |our |my )?(?:decisions?|corrections?))(?: (?:so far|here|in this project))?(?: (?:about|on|for|regarding) (?<about>.+))?$/i;
const REASON = /^why (?:do|did|don't|didn't|are|aren't|were|have|haven't) (?:i|we|you) (?<about>.+)$/i;
const COMMAND =
  /^(?:how (?:do|can|should) (?:i|we|you)|how to|what(?:'s| is) the command to|(?:please )?run) (?:run )?(?:the |all |our )*(?<purpose>tests?|build|lint|format)\w*(?: (?:it|this|everything|suite|(?:the|this) (?:project|code|app)|here|please))*$|^(?:what(?:'s| is) )?the (?<named>test|build|lint|format) command$/i;
const FILE =
  /^(?:(?:who|when|why|which sessions?)(?: did (?:we|i|you))?(?: last)? (?:change|edit|touch|write|wrote|create)\w* )?`?(?<path>(?:[\w@.-]+\/)+[\w@.-]*\w|[\w-]+\.[a-z]\w{0,5})`?(?:,? and (?:why|when))?$/i;

const PURPOSES: readonly Purpose[] = ['test', 'build', 'lint', 'format'];
/** Longer messages are not questions of these wordings. */
const MAX_LENGTH = 200;

/** Recognises a message whose answer is a listing. Undefined for any other, which is searched for. */
export function parseIntent(message: string, now: number): Intent | undefined {
  if (message.length > MAX_LENGTH) return undefined;
  const asked = message
    .replaceAll('’', "'")
    .replace(/\s+/g, ' ')
    .replace(/^ |[ ?!.]+$/g, '');
  if (HELP.test(asked)) return { kind: 'help' };
  if (KNOWLEDGE.test(asked)) return { kind: 'knowledge' };
  if (LATEST.test(asked)) return { kind: 'latest' };
  if (LATEST_COST.test(asked)) return { kind: 'cost', of: 'latest' };
  const [spent] = COST.flatMap((wording) => parseDated(wording, asked, now) ?? []);
  if (spent !== undefined) return { kind: 'cost', of: spent };
  const span = parseRecapQuestion(asked, now) ?? parseDated(RECAP, asked, now);
  if (span !== undefined) return { kind: 'recap', span };
  const failed = parseDated(FAILURES, asked, now);
  if (failed !== undefined) return { kind: 'failures', span: failed };
  const call = FAILURE.exec(asked)?.groups?.call;
  if (call !== undefined) return { kind: 'failure', call };
  const named = COMMAND.exec(asked)?.groups;
  const word = (named?.purpose ?? named?.named ?? '').toLowerCase();
  const purpose = PURPOSES.find((each) => word.startsWith(each));
  if (purpose !== undefined) return { kind: 'command', purpose };
  const path = FILE.exec(asked)?.groups?.path;
  if (path !== undefined) return { kind: 'file', path };
  const decided = DECISIONS.exec(asked);
  if (decided !== null) return { kind: 'decisions', ...omitUndefined({ about: decided.groups?.about }) };
  const reason = REASON.exec(asked)?.groups?.about;
  if (reason !== undefined) return { kind: 'decisions', about: reason };
  return isFollowUp(asked) ? { kind: 'remark' } : undefined;
}

/** The time that the end of a question names, unlimited without one. Undefined if it asks for anything else. */
function parseDated(wording: RegExp, asked: string, now: number): TimeSpan | undefined {
  const groups = wording.exec(asked)?.groups;
  if (groups === undefined) return undefined;
  const when = groups.when ?? groups.day ?? '';
  const named = parseRecapQuestion(`what have we worked on ${when}`, now);
  if (named !== undefined) return named;
  // `from March` is a time like `in March`.
  const dated = when.replace(/^from /i, 'in ');
  const [time] = findTimePhrases(dated, now);
  if (time === undefined || !/^(?:on|in|of|during) $|^$/i.test(dated.slice(0, time.start) + dated.slice(time.end)))
    return undefined;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { since: time.since, until: time.until, timeZone };
}
