import { once } from '../../record/once.ts';
import type { EditingRule, FailureClass, MissingKind, NeedKind } from './failure-kinds.ts';

/** A cause that can be recognised in a line of output, and the need that it blames. */
interface CausePattern {
  /** Lower-case words separated by `|`; every line that matches the pattern contains one of them. */
  readonly words: string;
  /** Lazy, because compiling patterns is most of the time that a short process spends on a failure. */
  readonly pattern: () => RegExp;
  /** The class, and the kind of need to blame, whose name is the first group that matched. Default: the whole call. */
  readonly cause: FailureClass | `${FailureClass} ${NeedKind | EditingRule}`;
  /** What the first group names, if it is not a need of the call itself. */
  readonly missing?: MissingKind;
}

/**
 * What lines of output mean. The first line with a cause whose blamed need the call really has decides; of several such
 * causes of one line, the first row. Without any, the first cause of all (`findCause` in `analyse-failure.ts`).
 */
export const CAUSES: readonly CausePattern[] = [
  // Rules of editing tools.
  {
    words: 'not been read|read the file|read it first',
    pattern: () => /has not been read yet|must (?:first )?read the file|read it first before/i,
    cause: 'stale read',
  },
  {
    words: 'modified since',
    pattern: () => /modified since (?:it was )?(?:last )?read/i,
    cause: 'transient',
  },
  {
    words: 'new_string|no changes to make|identical',
    pattern: () =>
      /old_string and new_string (?:are|must be) (?:exactly the same|different)|no changes to make|strings? (?:are )?identical/i,
    cause: 'usage idle',
  },
  {
    words: 'string to replace|old_str|oldstr|failed to find|patch |hunk|of the string',
    pattern: () =>
      /string to replace not found|old_?str(?:ing)? .*(?:not found|did not appear)|failed to find expected lines|patch (?:does not apply|failed)|hunk #?\d* ?failed|found \d+ (?:matches|occurrences) of the string/i,
    cause: 'stale',
  },
  {
    words: 'exceeds maximum|too large',
    pattern: () => /exceeds maximum allowed (?:tokens|size)|file (?:is )?too large/i,
    cause: 'usage whole',
  },
  {
    words: 'eisdir|illegal operation',
    pattern: () => /(?:EISDIR|illegal operation on a directory)[^'"]*(?:['"](.+?)['"])?/i,
    cause: 'usage file',
  },
  {
    words: 'is a directory',
    pattern: () => /^(?:\w+: )?(?:can't read |read error on )?['"`]?(.+?)['"`]?: is a directory$/i,
    cause: 'usage file',
  },
  // A tool that cannot start.
  {
    words: 'spawn',
    pattern: () => /(?:posix_)?spawn \S+ ENOENT|ENOENT: .*posix_spawn/i,
    cause: 'environment tool',
  },
  // What a program or script depends on.
  {
    words: 'unix:/|dial unix |socket|.sock',
    pattern: () =>
      /(?:unix:\/\/|dial unix )(\/[^\s'"`;,]*[^\s'"`;,.:])|socket(?: at)? ['"`](\/[^'"`]+)['"`]|connect[^/]*(\/\w[\w./*-]*\.sock)\b/i,
    cause: 'environment service',
    missing: 'socket',
  },
  {
    words: 'daemon',
    pattern: () => /daemon (?:is not |isn't )running|is the \w+ daemon running|cannot connect to the \w+ daemon/i,
    cause: 'environment service',
    missing: 'socket',
  },
  {
    words: 'refused|connect|reach',
    pattern: () =>
      /ECONNREFUSED (?:127\.0\.0\.1|\[?::1\]?|localhost):(\d{2,5})|(?:localhost|127\.0\.0\.1|\[?::1\]?)\S*?(?: \([\d.:]+\))?(?::|,? port )(\d{2,5}).*(?:refused|couldn't connect|could not connect)|(?:could not connect to|can't reach) [\w ]+ at \W?(?:127\.0\.0\.1|localhost):(\d{2,5})/i,
    cause: 'environment service',
    missing: 'port',
  },
  {
    words: 'eaddrinuse|already in use|is in use|already allocated',
    pattern: () =>
      /(?:EADDRINUSE|address already in use)\D*(?:\d+\.\d+\.\d+\.\d+)?\D*?(\d{2,5})\b|(?:\S:|port )(\d{2,5})\b.{0,40}?(?:already |is )in use|:(\d{2,5}) failed: port is already allocated/i,
    cause: 'environment target',
    missing: 'free-port',
  },
  {
    words: 'log in|login|loggedin|logged in|username|credential|need auth|needauth|authenticat',
    pattern: () =>
      /\b\w+ auth login\b|not (?:currently )?(?:logged in|authenticated)|(?:must|need to|have to|please) (?:first )?(?:be )?log(?:ged)? ?in\b|(?:run|using|with) ['"`]?[\w-]+ (?:auth )?login\b|unable to locate credentials|could not (?:find|load) (?:the )?default credentials|no credentials (?:found|provided|available)|need auth|ENEEDAUTH|could not read Username/i,
    cause: 'environment service',
    missing: 'account',
  },
  {
    words: 'shared librar|shared object|library not loaded|glibc',
    pattern: () =>
      /error while loading shared libraries: ([^\s:]+)|(\S+): cannot open shared object|library not loaded: (\S+)|(GLIBC\w*_[\d.]+)['"`]? not found/i,
    cause: 'environment service',
    missing: 'library',
  },
  {
    words: 'requires |unsupported |incompatible|you are using|you are running|is required',
    pattern: () =>
      /(?<!^npm warn.*)(?:requires (?:a newer |at least )?(?:node(?:\.?js)?|python|ruby|java|go|rustc|php|npm|pnpm)\b.*\d|requires a (?:newer|different) (?:version|python|node)|unsupported (?:engine|node(?:\.js)? version|python version)|engine ['"`]\w+['"`] is incompatible|you are (?:using|running) (?:node(?:\.js)?|python) v?\d|(?:node(?:\.js)?|python) (?:version )?(?:[<>=^~v]*)\d[\d.]*\+? (?:or \w+ )?is required)/i,
    cause: 'environment service',
    missing: 'version',
  },
  {
    words: 'externally-managed|externally managed',
    pattern: () => /externally[ -]managed/i,
    cause: 'environment target',
    missing: 'environment',
  },
  {
    words:
      'environment var|env var|missing |required |no var|is not |is un|must be |not set|is required|is missing|keyerror|unbound variable',
    pattern: () =>
      /(?:[Mm]issing|[Rr]equired|[Nn]o)(?: required)? (?:environment |env )?var(?:iable)?s?:? ['"`$]?([A-Z][A-Z0-9_]{2,})\b|[Ee]nv(?:ironment)? var(?:iable)? not found: ['"`$]?([A-Z][A-Z0-9_]{2,})\b|[Ee]nv(?:ironment)? var(?:iable)?:? ['"`$]?([A-Z][A-Z0-9_]{2,})['"`]? (?:is|must|was|has|not|missing|required)\b|\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)['"`]? (?:[Ee]nv(?:ironment)? var(?:iable)? )?(?:is not set|not set|must be set|must be provided|is not defined|is required|is missing|is unset|is undefined)|^KeyError: ['"]([A-Z][A-Z0-9]*_[A-Z0-9_]+)['"]|: ([A-Z][A-Z0-9_]{2,}): (?:unbound variable|parameter (?:null or )?not set)/,
    cause: 'environment target',
    missing: 'variable',
  },
  {
    words: 'no module named',
    pattern: () => /no module named ['"`]?([A-Za-z_]\w*)/i,
    cause: 'missing target',
    missing: 'python',
  },
  {
    words: 'cannot find module|cannot find package',
    pattern: () => /(?<!TS\d+: )cannot find (?:module|package) ['"`]((?:@[\w.-]+\/)?[A-Za-z_][\w.-]*)[\w./-]*['"`]/i,
    cause: 'missing target',
    missing: 'node',
  },
  {
    words: 'export',
    pattern: () => /^(?:SyntaxError: )?export named .* not found in module|does not provide an export named/i,
    cause: 'state target',
    missing: 'code',
  },
  {
    words: 'remote: ',
    pattern: () => /^remote: (?:repository )?not found/i,
    cause: 'missing service',
    missing: 'account',
  },
  {
    words: 'not a git repository',
    pattern: () => /not a git repository/i,
    cause: 'missing folder',
  },
  {
    words: 'package.json|cargo.toml|pyproject.toml|composer.json|go.mod',
    pattern: () =>
      /(?:could not (?:read|find)|couldn't find|no)(?: an?| any)? ['"`]?(?:package\.json|cargo\.toml|pyproject\.toml|composer\.json|go\.mod)|go\.mod file not found/i,
    cause: 'missing folder',
  },
  {
    words: 'permission denied|not permitted|eacces|eperm|read-only',
    pattern: () =>
      /(?:EACCES|EPERM|permission denied|operation not permitted)[^'"`]*['"`](.+?)['"`]|(?:cannot|can't) [\w ]+?['"`‘](.+?)['"`’]?: (?:permission denied|operation not permitted|read-only)|(?:permission denied|operation not permitted): (\S+)$|(?:^|[\s'"`])([^\s:'"`]+)['"`]?: (?:permission denied|operation not permitted|read-only file system)/i,
    cause: 'environment access',
  },
  // Programs.
  {
    words: 'command not found: |fish: unknown|is not recognized|executable file not found',
    pattern: () =>
      /(?:^|: )command not found: (\S+)|^fish: unknown command:? ['"`]?([\w.+-]+)|the term ['"`](\S+?)['"`] is not recognized|exec: ['"`](\S+?)['"`]: executable file not found/i,
    cause: 'missing program',
  },
  {
    words: ': not found|: command not found',
    pattern: () => /(?:^|sh: )(?:\S+: )?(?:(?:line )?\d+: )?([\w.+-]+): (?:command )?not found$/i,
    cause: 'missing program',
  },
  {
    words: 'is not recognized',
    pattern: () => /'(\S+?)' is not recognized as an internal or external command/i,
    cause: 'missing program',
  },
  {
    words: `unknown command|is not a |no such command|no such subcommand|subcommand|missing script|no task|no rule to|no recipe|command '|command "|command \`|command not found |script '|script "|script \`|script not found |unknown lifecycle|task '|task "|task \`|recipe '|recipe "|recipe \`|no command named|unrecognized command|invalid choice`,
    pattern: () =>
      /unknown command:? ['"`]?([\w:.-]+)|['"`]([\w:.-]+)['"`] is not a \S+ command|no such (?:sub)?command:? ['"`]?([\w:.-]+)|unrecognized subcommand ['"`]?([\w:.-]+)|missing script:? ['"`]?([\w:.-]+)|no (?:task|rule to make target|recipe).*?['"`]([\w:.-]+)|(?:command|script) (?:not found )?['"`]([\w:.-]+)['"`](?: not found)?\.?$|^\w+ ([\w:.-]+): unknown command|unknown lifecycle phase ['"`]([\w:.-]+)|(?:task|recipe) ['"`]([\w:.-]+)['"`](?: could)? not (?:be )?found|could not find task ['"`]([\w:.-]+)|not contain recipe ['"`]([\w:.-]+)|no command named ['"`]([\w:.-]+)|how to build task ['"`]([\w:.-]+)|unrecognized command ['"`]([\w:.-]+)|invoke subcommand: \w+-([\w:.-]+)|invalid choice: ['"`]([\w:.-]+)/i,
    cause: 'usage subcommand',
  },
  {
    words: ' flag| option| argument| switch| parameter',
    pattern: () =>
      /(?:unknown|unrecognized|unrecognised|invalid|illegal|unexpected|bad|no such) (?:flag|option|argument|switch|parameter)s?:?(?: --)? ?(?:['"`]?(-{1,2}[\w-]+|\b\w\b)|['"`‘]([\w-]+)['"`’])/i,
    cause: 'usage option',
  },
  {
    words: 'flag provided|unrecognized arguments|compiler option|found argument|unrecognized option',
    pattern: () =>
      /(?:flag provided but not defined|unrecognized arguments|unknown compiler option|found argument):? ['"`]?(-{1,2}[\w-]+)|unrecognized option ['"`]([\w-]+)['"`]/i,
    cause: 'usage option',
  },
  {
    words: 'arg',
    pattern: () =>
      /(?:accepts|requires) .*?\barg(?:ument)?(?:\(?s\)?)?[,;.]? (?:but )?(?:received|got) (\d+)|too many (?:positional )?arguments/i,
    cause: 'usage arity',
  },
  {
    words: 'json field',
    pattern: () => /unknown json field:? ['"`]?(\w+)/i,
    cause: 'usage field',
  },
  {
    words: 'not allowed in a regex|not supported',
    pattern: () => /literal .+ is not allowed in a regex|look-?around.*not supported/i,
    cause: 'usage regex',
  },
  {
    words:
      'unknown revision|bad revision|invalid reference|not a valid ref|invalid upstream|not something we can merge|unknown commit',
    pattern: () =>
      /ambiguous argument ['"`](.+?)['"`]: unknown revision|(?:bad revision|invalid reference|invalid upstream):? ['"`]?([^'"`\s]+)|not a valid ref(?:erence|name)?:? ['"`]?([^'"`\s]+)|([^'"`\s]+) - not something we can merge/i,
    cause: 'missing ref',
  },
  // Paths.
  { words: '.gitignore', pattern: () => /\.gitignore/i, cause: 'usage stage' },
  {
    words: 'pathspec',
    pattern: () => /pathspec ['"`](.+?)['"`] did not match/i,
    cause: 'missing stage',
  },
  {
    words: 'no such file or directory: |not a directory: |directory not found: |cannot find the ',
    pattern: () =>
      /(?:no such file or directory|not a directory|directory not found|cannot find the (?:file|path)[^:]*): ['"`]?(.+?)['"`]?$/i,
    cause: 'missing path',
  },
  {
    words: 'enoent|enotdir',
    pattern: () => /(?:ENOENT|ENOTDIR)[^'"`]*['"`](.+?)['"`]/i,
    cause: 'missing path',
  },
  {
    words: ': no such|: not a dir',
    pattern: () =>
      /cannot (?:access|open|stat|change to|find|cd to)(?: file)? ['"`‘]?(.+?)['"`’]?(?: for reading)?: (?:no such|not a dir)/i,
    cause: 'missing path',
  },
  {
    words: "can't read|can't open",
    pattern: () => /can't (?:read|open)(?: file)? ['"`]?(.+?)['"`]?: (?:\[errno \d+\] )?no such/i,
    cause: 'missing path',
  },
  {
    words: ': no such file|: not a directory',
    pattern: () =>
      /^(?:\S+?: )*['"`]?([^:]+?)['"`]?: (?:IO error[^:]*: )?(?:no such file or directory|not a directory)/i,
    cause: 'missing path',
  },
  {
    words: 'does not exist',
    pattern: () => /(?:path|file|directory) does not exist:? ?['"`]?([^'"`]*)/i,
    cause: 'missing path',
  },
  {
    words: 'file not found|file does not exist|no such file',
    pattern: () => /file (?:not found|does not exist)|no such file/i,
    cause: 'missing path',
  },
  {
    words: 'cannot find module',
    pattern: () => /cannot find module ['"`](.+?)['"`]/i,
    cause: 'missing path',
  },
  {
    words: 'connection to ',
    pattern: () => /connection to (?:the )?server .*(?:failed|refused)/i,
    cause: 'environment',
  },
  // Packages, versions, services.
  {
    words: 'no matching |etarget|could not find a |no versions available',
    pattern: () =>
      /no matching version|ETARGET|could not find a (?:matching )?version|no matching distribution|no versions available/i,
    cause: 'missing version',
  },
  {
    words:
      "not found|is not in|does not exist|no matching |unable to locate|could not find|couldn't find|unable to find| - 404|not be found|no available formula|failed to resolve|for the package",
    pattern: () =>
      /(?:package|module|crate|gem|formula|distribution)\b.*?['"`]([@\w./-]+)['"`].*?(?:not found|is not in|does not exist)|no matching (?:package|distribution)[^:]*(?:for|named)? ['"`]?([@\w./-]+)|(?<![@\w./-])([@\w./-]+)(?:@[^\s'"`]+)?['"`]? is not in (?:this|the npm) registry|unable to locate package ([\w.-]+)|(?:could not|couldn't|unable to) find (?:a valid |a matching version of )?(?:(?:crate|gem|package):? ?['"`]?|['"`])([@\w./-]+?)['"`.]*(?:[,\s]|$)|404 Not Found[^\n]*\/([@\w.%-]+)(?: - |$)|\/([@\w.%-]+)(?: - 404$|: Not Found)|crate ['"`]([\w-]+)['"`] could not be found|because ([@\w./-]+) was not found in the package registry|no available formula[^'"`]*['"`]([@\w./-]+)|^(?:error: )?([@\w./-]+?)@\S+ failed to resolve|for the package ['"`]([\w.-]+)/i,
    cause: 'missing package',
  },
  {
    words:
      'not found|no matching |could not find |unable to locate|404|no such package|cannot find module|cannot find package|no module named|modulenotfound|packagesnotfound',
    pattern: () =>
      /package .*not found|no matching (?:package|distribution)|could not find (?:a version|package|crate)|unable to locate package|E404|404 not found|no such package|cannot find (?:module|package)|module not found|no module named|ModuleNotFoundError|PackagesNotFoundError|repository not found/i,
    cause: 'missing package',
  },
  {
    words:
      'no such service|pull access denied|unable to find image|manifest |(notfound)|the path |unknown skill|unknown tool|unknown agent|unknown model|unknown revision|unknown json|not found|does not exist|ambiguous argument',
    pattern: () =>
      /no such service|pull access denied|unable to find image|manifest .* not found|\(NotFound\)|the path .* does not exist|unknown (?:skill|tool|agent|model|revision|json field)|(?:skill|tool|agent type|branch|revision) .*(?:not found|does not exist)|ambiguous argument/i,
    cause: 'missing',
  },
  {
    words: '404',
    pattern: () => /\bnot found \(HTTP 404\)|HTTP(?: error)? 404|\b404\b.*not found/i,
    cause: 'missing shape',
  },
  // Transient problems.
  {
    words:
      'timeout|time out|timedout|timed out|deadline exceeded|rate limit|too many requests|connection |could not resolve host|network is|network request|getaddrinfo|enotfound|temporary failure|temporarily|try again|econnre|eai_again|socket hang|file exists|another process|another git process|resource busy|ebusy|429|502|503|504|dial tcp|error connecting|interrupted|killed|signal: ',
    pattern: () =>
      /timed? ?out|deadline exceeded|rate limit|too many requests|connection (?:reset|refused|closed|timed)|could not resolve host|network is unreachable|network request to .* failed|getaddrinfo|ENOTFOUND|temporary failure in name resolution|temporarily unavailable|try again|ECONNRE|ETIMEDOUT|EAI_AGAIN|socket hang up|\.lock['"]?: file exists|another (?:git )?process|resource busy|EBUSY|\b(?:429|502|503|504)\b|dial tcp|error connecting to|interrupted|killed|signal: /i,
    cause: 'transient',
  },
  // Environment.
  {
    words: 'exec format|bad cpu|cannot execute',
    pattern: () => /exec format error|bad cpu type|cannot execute/i,
    cause: 'environment setting',
  },
  {
    words:
      'permission denied|not permitted|eacces|eperm|read-only file|not logged in|authentication |unauthorized|forbidden|need auth|auth login|eresolve|could not resolve dep|could not read from|docker daemon|unsupported engine|requires ',
    pattern: () =>
      /permission denied|operation not permitted|EACCES|EPERM|read-only file system|not logged in|authentication (?:failed|required)|unauthorized|forbidden|need auth|auth login|ERESOLVE|could not resolve dependency|could not read from remote|docker daemon|unsupported engine|requires (?:node|python|go|java|a newer)/i,
    cause: 'environment',
  },
  // Usage.
  {
    words:
      'usage:|invalid |accepts |requires |missing |too many arg|too few arg|unknown arg| =|validation error|non-uuid|eusage|resource type',
    pattern: () =>
      /^usage:|: usage: |invalid (?:argument|value|choice)|accepts (?:at most|between|\d+)|requires (?:at least|exactly|a value)|missing (?:required|argument|operand)|too (?:many|few) arguments|unknown arguments?$|^\S+:\d+: =\S* not found$|validation error|non-uuid|EUSAGE|have a resource type/i,
    cause: 'usage',
  },
  // The code that a call itself is written in: the next call has other code.
  {
    words: 'syntax|parse error|unexpected |no matches found|not allowed in a regex',
    pattern: () =>
      /(?:invalid syntax|syntax ?error|parse error|unexpected (?:token|end)|no matches found|not allowed in a regex)/i,
    cause: 'unknown',
  },
  {
    words: 'conflict (|merge failed|could not apply',
    pattern: () => /^CONFLICT \(|automatic merge failed|could not apply [0-9a-f]{7}/i,
    cause: 'state merge',
  },
  {
    words: 'conflict|be overwritten|unstaged|uncommitted|non-fast-forward|failed to push|nothing to commit',
    pattern: () =>
      /conflict|would be overwritten|unstaged changes|uncommitted changes|non-fast-forward|failed to push some refs|nothing to commit/i,
    cause: 'state',
  },
];

const causesWithWords = once(() => CAUSES.map((cause) => ({ cause, words: cause.words.split('|') })));

/** Yields the causes that match a line, in the order of the table. */
export function* findCauses(line: string): Generator<readonly [cause: CausePattern, found: RegExpExecArray]> {
  const lower = line.toLowerCase();
  for (const { cause, words } of causesWithWords()) {
    if (!words.some((word) => lower.includes(word))) continue;
    const found = cause.pattern().exec(line);
    if (found !== null) yield [cause, found];
  }
}

const anyWord = once(
  () => new RegExp(CAUSES.map((cause) => cause.words.replace(/[.*+?^${}()[\]\\]/g, '\\$&')).join('|'), 'i'),
);

/** The first lines skip the prefilter: a short process sees few, and compiling it would take longer than it saves. */
const MAX_UNFILTERED = 200;
let unfiltered = 0;

/** A prefilter for {@link findCauses}, ten times as fast: few lines of an output match any cause. */
export function mayMatchCause(line: string): boolean {
  if (unfiltered < MAX_UNFILTERED) {
    unfiltered++;
    return true;
  }
  return anyWord().test(line);
}
