import type { FailureClass, MissingKind, NeedKind } from './failure-kinds.ts';

/** A cause that can be recognised in a line of output, and the need that it blames. */
interface CausePattern {
  readonly pattern: RegExp;
  /** The class, and the kind of need to blame: the one that the line names. Default: the whole call. */
  readonly cause: FailureClass | `${FailureClass} ${NeedKind | 'idle'}`;
  /** What the first group that matched names, if it is not a need of the call itself. */
  readonly missing?: MissingKind;
}

/**
 * What lines of output mean. The first line with a cause whose blamed need the call really has decides; of several such
 * causes of one line, the first row. Without any, the first cause of all (`findCause` in `analyse-failure.ts`).
 */
export const CAUSES: readonly CausePattern[] = [
  // Rules of editing tools.
  {
    pattern: /not been read yet|must (?:first )?read the file|read it first|modified since (?:it was )?(?:last )?read/i,
    cause: 'transient',
  },
  {
    pattern: /no changes to make|old_string and new_string (?:are|must be)|strings? (?:are )?identical/i,
    cause: 'usage idle',
  },
  {
    pattern:
      /string to replace not found|old_?str(?:ing)? .*\bnot\b|failed to find expected lines|patch (?:does not apply|failed)|found \d+ (?:matches|occurrences) of the string/i,
    cause: 'stale',
  },
  { pattern: /exceeds maximum allowed|file (?:is )?too large/i, cause: 'usage whole' },
  { pattern: /EISDIR|illegal operation on a directory|: is a directory$/i, cause: 'usage file' },
  // A tool that cannot start.
  { pattern: /spawn \S+ ENOENT|ENOENT: .*posix_spawn/i, cause: 'environment tool' },
  // What a program or script depends on.
  {
    pattern:
      /(?:unix:\/\/|dial unix |\bsocket(?: at)? ['"`])(\/[^\s'"`;,]*[^\s'"`;,.:])|connect[^/]*(\/\w[\w./*-]*\.sock)\b|\bdaemon (?:is not |isn't )?running/i,
    cause: 'environment service',
    missing: 'socket',
  },
  {
    pattern:
      /ECONNREFUSED \S*?:(\d{2,5})\b|(?:localhost|127\.0\.0\.1|::1\]?)\S*?(?: \([\d.:]+\))?(?::|,? port )(\d{2,5})\b.*(?:refused|n't connect|not connect)|(?:not connect to|can't reach) [\w ]+ at \W?(?:127\.0\.0\.1|localhost):(\d{2,5})/i,
    cause: 'environment service',
    missing: 'port',
  },
  {
    pattern:
      /(?:EADDRINUSE|address already in use)\D*(?:\d+\.\d+\.\d+\.\d+)?\D*?(\d{2,5})\b|(?:\S:|port )(\d{2,5})\b.{0,40}?(?:is|already) (?:in use|allocated)/i,
    cause: 'environment target',
    missing: 'free-port',
  },
  {
    pattern:
      /\bauth login\b|not (?:currently )?(?:logged in|authenticated)|\b(?:must|need to|have to|please|run|using|with) (?:first |be |['"`]?[\w-]+ )?log(?:ged)? ?in\b|\bcredentials\b.*\b(?:found|provided|available)|(?:locate|find|load) .*credentials|need auth|ENEEDAUTH|could not read Username|^remote: (?:repository )?not found/i,
    cause: 'environment service',
    missing: 'account',
  },
  {
    pattern:
      /error while loading shared libraries: ([^\s:]+)|(\S+): cannot open shared object|library not loaded: (\S+)|(GLIBC\w*_[\d.]+)['"`]? not found/i,
    cause: 'environment service',
    missing: 'library',
  },
  {
    pattern:
      /(?<!^npm warn.*)(?:requires (?:an? )?(?:newer |different |at least )?(?:version|node(?:\.?js)?|python|ruby|java|go|rustc|php|npm|pnpm)\b|unsupported (?:engine|node(?:\.js)? version|python version)|engine ['"`]\w+['"`] is incompatible|you are (?:using|running) (?:node(?:\.js)?|python) v?\d|(?:node(?:\.js)?|python) (?:version )?[<>=^~v]*\d[\d.]*\+? (?:or \w+ )?is required)/i,
    cause: 'environment service',
    missing: 'version',
  },
  { pattern: /externally[ -]managed/i, cause: 'environment target', missing: 'environment' },
  {
    pattern:
      /\b[Ee]nv(?:ironment)? var(?:iable)?s?(?: not found)?:? ['"`$]?([A-Z][A-Z0-9_]{2,})\b|\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)['"`]? (?:[Ee]nv(?:ironment)? var(?:iable)? )?(?:(?:is |was )?(?:not set|not defined|required|missing|unset|undefined)|must be (?:set|provided))|^KeyError: ['"]([A-Z][A-Z0-9]*_[A-Z0-9_]+)['"]|: ([A-Z][A-Z0-9_]{2,}): (?:unbound variable|parameter (?:null or )?not set)/,
    cause: 'environment target',
    missing: 'variable',
  },
  { pattern: /no module named ['"`]?([A-Za-z_]\w*)/i, cause: 'missing target', missing: 'python' },
  {
    pattern: /(?<!TS\d+: )cannot find (?:module|package) ['"`]((?:@[\w.-]+\/)?[A-Za-z_][\w.-]*)[\w./-]*['"`]/i,
    cause: 'missing target',
    missing: 'node',
  },
  {
    pattern: /^(?:SyntaxError: )?export named .* not found in module|does not provide an export named/i,
    cause: 'state target',
    missing: 'code',
  },
  {
    pattern:
      /not a git repository|(?:not (?:read|find)|n't find|\bno)(?: an?| any)? ['"`]?(?:package\.json|cargo\.toml|pyproject\.toml|composer\.json|go\.mod)|go\.mod file not found/i,
    cause: 'missing folder',
  },
  {
    pattern: /EACCES|EPERM|permission denied|operation not permitted|read-only file system/i,
    cause: 'environment access',
  },
  // What a call gives a program that does not know it.
  {
    pattern:
      /(?:^|: )command not found: (\S+)|^fish: unknown command:? ['"`]?([\w.+-]+)|['"`](\S+?)['"`] is not recognized as|exec: ['"`](\S+?)['"`]: executable file not found|(?:^|sh: )(?:\S+: )?(?:(?:line )?\d+: )?([\w.+-]+): (?:command )?not found$/i,
    cause: 'missing program',
  },
  {
    pattern:
      /(?:unknown|unrecognized|invalid|missing|no such) (?:(?:sub|lifecycle )?command|script|phase|choice)|unknown lifecycle|(?:command|script|task|recipe) ['"`][\w:.-]+['"`] (?:could )?not |is not an? \S+ command|no (?:task|recipe|rule to make|command named)|not (?:find task|contain recipe)|how to build|: unknown command|script not found/i,
    cause: 'usage subcommand',
  },
  {
    pattern:
      /(?:unknown|unrecogni[sz]ed|invalid|illegal|unexpected|bad|no such) (?:\w+ )?(?:flag|option|argument|switch|parameter)|(?:flag|argument) provided but not|found argument/i,
    cause: 'usage option',
  },
  {
    pattern:
      /(?:accepts|requires) .*?\barg(?:ument)?(?:\(?s\)?)?[,;.]? (?:but )?(?:received|got) (\d+)|too many (?:positional )?arguments/i,
    cause: 'usage arity',
  },
  { pattern: /unknown json field/i, cause: 'usage field' },
  { pattern: /literal .+ is not allowed in a regex|look-?around.*not supported/i, cause: 'usage regex' },
  {
    pattern: /unknown revision|bad revision|invalid (?:reference|upstream)|not a valid ref|not something we can merge/i,
    cause: 'missing ref',
  },
  { pattern: /\.gitignore/i, cause: 'usage stage' },
  { pattern: /pathspec .* did not match/i, cause: 'missing stage' },
  { pattern: /(?:ENOENT|ENOTDIR|cannot find module)[^'"`]*['"`](.+?)['"`]/i, cause: 'missing path' },
  {
    pattern:
      /(?:no such file or directory|not a directory|directory not found|cannot find the (?:file|path)[^:]*): ['"`]?(.+?)['"`]?$|(?:cannot|can't) \w+(?: (?:to|file))* ['"`‘]?(.+?)['"`’]?(?: for reading)?: .*(?:no such|not a dir)|^(?:\S+?: )*['"`]?([^:]+?)['"`]?: (?:IO error[^:]*: )?(?:no such file or directory|not a directory)|(?:path|file|directory) (?:not found|does not exist):? ?['"`]?([^'"`]*)|no such file/i,
    cause: 'missing path',
  },
  { pattern: /connection to (?:the )?server .*(?:failed|refused)/i, cause: 'environment' },
  // Packages, versions, services.
  { pattern: /no matching|ETARGET|could not find a|no versions available/i, cause: 'missing version' },
  {
    pattern:
      /not found|is not in|not exist|\bE?404\b|no matching|no such package|not (?:find|be found)|n't find|unable to (?:find|locate)|no available|no versions|failed to resolve|PackagesNotFound/i,
    cause: 'missing package',
  },
  {
    pattern:
      /no such service|pull access denied|unable to find image|\(NotFound\)|E404|404 not found|unknown (?:skill|tool|agent|model|revision|json field)|(?:manifest|path|skill|tool|agent type|branch|revision) .*(?:not found|does not exist)|ambiguous argument/i,
    cause: 'missing',
  },
  // A 404 that gives a reason is an answer about what was asked for: "Branch not protected (HTTP 404)".
  { pattern: /\bnot found \(HTTP 404\)|(?<!\()HTTP(?: error)? 404|\b404\b.*not found/i, cause: 'missing shape' },
  // Transient problems.
  {
    pattern:
      /timed? ?out|deadline exceeded|rate limit|too many requests|connection (?:reset|refused|closed)|could not resolve host|network (?:is unreachable|request to .* failed)|getaddrinfo|ENOTFOUND|temporar(?:y failure|ily unavailable)|try again|ECONNRE|ETIMEDOUT|EAI_AGAIN|socket hang up|\.lock['"]?: file exists|another (?:git )?process|resource busy|EBUSY|\b(?:429|502|503|504)\b|dial tcp|error connecting to|interrupted|killed|signal: /i,
    cause: 'transient',
  },
  // Environment.
  { pattern: /exec format error|bad cpu type|cannot execute/i, cause: 'environment setting' },
  {
    pattern:
      /permission denied|operation not permitted|EACCES|EPERM|read-only file system|authentication (?:failed|required)|unauthorized|forbidden|ERESOLVE|could not resolve dependency|could not read from remote/i,
    cause: 'environment',
  },
  // Usage.
  {
    pattern:
      /^usage:|: usage: |invalid (?:argument|value|choice)|accepts (?:at most|between|\d+)|requires (?:at least|exactly|a value)|missing (?:required|argument|operand)|too (?:many|few) arguments|unknown arguments?$|^\S+:\d+: =\S* not found$|validation error|non-uuid|EUSAGE|have a resource type/i,
    cause: 'usage',
  },
  // The code that a call itself is written in: the next call has other code.
  {
    pattern:
      /invalid syntax|syntax ?error|parse error|unexpected (?:token|end)|no matches found|not allowed in a regex/i,
    cause: 'unknown',
  },
  { pattern: /^CONFLICT \(|automatic merge failed|could not apply [0-9a-f]{7}/i, cause: 'state merge' },
  {
    pattern:
      /conflict|would be overwritten|un(?:staged|committed) changes|non-fast-forward|failed to push some refs|nothing to commit/i,
    cause: 'state',
  },
];
