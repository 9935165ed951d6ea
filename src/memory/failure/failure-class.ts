import { once } from '../once.ts';

/**
 * Why a call failed:
 * `missing` a command, module, package, file or name is not there; `usage` it was called wrongly; `environment` version,
 * permission, sandbox, service; `state` tests, types, lint, build, merge: the project itself; `stale` an edit made for
 * another content; `transient` network, rate limit, lock, time-out; `unknown` none of these for sure.
 */
export type FailureClass = 'missing' | 'usage' | 'environment' | 'state' | 'stale' | 'transient' | 'unknown';

/** Kinds of things that a call needs and that an error can blame. */
export type Blamed =
  | 'path'
  | 'file'
  | 'whole'
  | 'text'
  | 'program'
  | 'option'
  | 'subcommand'
  | 'setting'
  | 'package'
  | 'version'
  | 'stage'
  | 'tool'
  | 'merge'
  | 'field'
  | 'pattern'
  | 'shape'
  | 'read'
  | 'idle';

/** What an error is about, and which of the things a call needs it blames. */
export interface CausePattern {
  readonly pattern: RegExp;
  readonly class: FailureClass;
  /** Kind of the blamed key; its subject is the first group of the pattern that matched. Without it: the whole call. */
  readonly blames?: Blamed;
}

/**
 * In order: the first that fits a line, and whose subject the call really needs, counts. Made when a failure is looked
 * at: a process that only checks a call rarely does.
 */
export const causes: () => readonly CausePattern[] = once(() => [
  // Rules of editing tools.
  {
    pattern: /has not been read yet|must (?:first )?read the file|read it first before/i,
    class: 'stale',
    blames: 'read',
  },
  { pattern: /modified since (?:it was )?(?:last )?read/i, class: 'transient' },
  {
    pattern:
      /old_string and new_string (?:are|must be) (?:exactly the same|different)|no changes to make|strings? (?:are )?identical/i,
    class: 'usage',
    blames: 'idle',
  },
  {
    pattern:
      /string to replace not found|old_?str(?:ing)? .*(?:not found|did not appear)|failed to find expected lines|patch (?:does not apply|failed)|hunk #?\d* ?failed|found \d+ (?:matches|occurrences) of the string/i,
    class: 'stale',
  },
  {
    pattern: /exceeds maximum allowed (?:tokens|size)|file (?:is )?too large/i,
    class: 'usage',
    blames: 'whole',
  },
  {
    pattern: /(?:EISDIR|illegal operation on a directory)[^'"]*(?:['"](.+?)['"])?/i,
    class: 'usage',
    blames: 'file',
  },
  {
    pattern: /^(?:\w+: )?(?:can't read |read error on )?['"`]?(.+?)['"`]?: is a directory$/i,
    class: 'usage',
    blames: 'file',
  },
  // A tool that cannot start.
  { pattern: /(?:posix_)?spawn \S+ ENOENT|ENOENT: .*posix_spawn/i, class: 'environment', blames: 'tool' },
  // Programs.
  {
    pattern:
      /(?:^|: )command not found: (\S+)|^fish: unknown command:? ['"`]?([\w.+-]+)|the term ['"`](\S+?)['"`] is not recognized|exec: ['"`](\S+?)['"`]: executable file not found/i,
    class: 'missing',
    blames: 'program',
  },
  {
    pattern: /^(?:\S+: )?(?:(?:line )?\d+: )?([\w.+-]+): (?:command )?not found$/i,
    class: 'missing',
    blames: 'program',
  },
  {
    pattern: /'(\S+?)' is not recognized as an internal or external command/i,
    class: 'missing',
    blames: 'program',
  },
  {
    pattern:
      /unknown command:? ['"`]?([\w:.-]+)|['"`]([\w:.-]+)['"`] is not a \S+ command|no such (?:sub)?command:? ['"`]?([\w:.-]+)|unrecognized subcommand ['"`]?([\w:.-]+)|missing script:? ['"`]?([\w:.-]+)|no (?:task|rule to make target|recipe).*?['"`]([\w:.-]+)|(?:command|script) (?:not found )?['"`]([\w:.-]+)['"`](?: not found)?\.?$|^\w+ ([\w:.-]+): unknown command|unknown lifecycle phase ['"`]([\w:.-]+)|(?:task|recipe) ['"`]([\w:.-]+)['"`](?: could)? not (?:be )?found|could not find task ['"`]([\w:.-]+)|not contain recipe ['"`]([\w:.-]+)|no command named ['"`]([\w:.-]+)|how to build task ['"`]([\w:.-]+)|unrecognized command ['"`]([\w:.-]+)|invoke subcommand: \w+-([\w:.-]+)|invalid choice: ['"`]([\w:.-]+)/i,
    class: 'usage',
    blames: 'subcommand',
  },
  {
    pattern:
      /(?:unknown|unrecognized|unrecognised|invalid|illegal|unexpected|bad|no such) (?:flag|option|argument|switch|parameter)s?:?(?: --)? ?['"`]?(-{1,2}[\w-]+|\b\w\b)/i,
    class: 'usage',
    blames: 'option',
  },
  {
    pattern:
      /(?:flag provided but not defined|unrecognized arguments|unknown compiler option|found argument):? ['"`]?(-{1,2}[\w-]+)|unrecognized option ['"`]([\w-]+)['"`]/i,
    class: 'usage',
    blames: 'option',
  },
  { pattern: /unknown json field:? ['"`]?(\w+)/i, class: 'usage', blames: 'field' },
  {
    pattern: /literal .+ is not allowed in a regex|look-?around.*not supported/i,
    class: 'usage',
    blames: 'pattern',
  },
  // Paths.
  { pattern: /\.gitignore/i, class: 'usage', blames: 'stage' },
  { pattern: /pathspec ['"`](.+?)['"`] did not match/i, class: 'missing', blames: 'stage' },
  {
    pattern:
      /(?:no such file or directory|not a directory|directory not found|cannot find the (?:file|path)[^:]*): ['"`]?(.+?)['"`]?$/i,
    class: 'missing',
    blames: 'path',
  },
  { pattern: /(?:ENOENT|ENOTDIR)[^'"`]*['"`](.+?)['"`]/i, class: 'missing', blames: 'path' },
  {
    pattern:
      /cannot (?:access|open|stat|change to|find|cd to)(?: file)? ['"`‘]?(.+?)['"`’]?(?: for reading)?: (?:no such|not a dir)/i,
    class: 'missing',
    blames: 'path',
  },
  {
    pattern: /can't (?:read|open)(?: file)? ['"`]?(.+?)['"`]?: (?:\[errno \d+\] )?no such/i,
    class: 'missing',
    blames: 'path',
  },
  {
    pattern:
      /^(?:\S+?: )*['"`]?([^:]+?)['"`]?: (?:IO error[^:]*: )?(?:no such file or directory|not a directory)/i,
    class: 'missing',
    blames: 'path',
  },
  { pattern: /(?:path|file|directory) does not exist:? ?['"`]?([^'"`]*)/i, class: 'missing', blames: 'path' },
  { pattern: /file (?:not found|does not exist)|no such file/i, class: 'missing', blames: 'path' },
  { pattern: /cannot find module ['"`](.+?)['"`]/i, class: 'missing', blames: 'path' },
  { pattern: /connection to (?:the )?server .*(?:failed|refused)/i, class: 'environment' },
  // What a command asked for by name.
  {
    pattern:
      /no matching version|ETARGET|could not find a (?:matching )?version|no matching distribution|no versions available/i,
    class: 'missing',
    blames: 'version',
  },
  {
    pattern:
      /(?:package|module|crate|gem|formula|distribution)\b.*?['"`]([@\w./-]+)['"`].*?(?:not found|is not in|does not exist)|no matching (?:package|distribution)[^:]*(?:for|named)? ['"`]?([@\w./-]+)|(?<![@\w./-])([@\w./-]+)(?:@[^\s'"`]+)?['"`]? is not in (?:this|the npm) registry|unable to locate package ([\w.-]+)|(?:could not|couldn't|unable to) find (?:a valid |a matching version of )?(?:(?:crate|gem|package):? ?['"`]?|['"`])([@\w./-]+?)['"`.]*(?:[,\s]|$)|404 Not Found[^\n]*\/([@\w.%-]+)(?: - |$)|\/([@\w.%-]+)(?: - 404$|: Not Found)|crate ['"`]([\w-]+)['"`] could not be found|because ([@\w./-]+) was not found in the package registry|no available formula[^'"`]*['"`]([@\w./-]+)|^(?:error: )?([@\w./-]+?)@\S+ failed to resolve|for the package ['"`]([\w.-]+)/i,
    class: 'missing',
    blames: 'package',
  },
  {
    pattern:
      /package .*not found|no matching (?:package|distribution)|could not find (?:a version|package|crate)|unable to locate package|E404|404 not found|no such package|cannot find (?:module|package)|module not found|no module named|ModuleNotFoundError|PackagesNotFoundError|repository not found/i,
    class: 'missing',
    blames: 'package',
  },
  {
    pattern:
      /no such service|pull access denied|unable to find image|manifest .* not found|\(NotFound\)|the path .* does not exist|unknown (?:skill|tool|agent|model|revision|json field)|(?:skill|tool|agent type|branch|revision) .*(?:not found|does not exist)|ambiguous argument/i,
    class: 'missing',
  },
  {
    pattern: /\bnot found \(HTTP 404\)|HTTP(?: error)? 404|\b404\b.*not found/i,
    class: 'missing',
    blames: 'shape',
  },
  // What passes by itself.
  {
    pattern:
      /timed? ?out|deadline exceeded|rate limit|too many requests|connection (?:reset|refused|closed|timed)|could not resolve host|network is unreachable|network request to .* failed|getaddrinfo|ENOTFOUND|temporary failure in name resolution|temporarily unavailable|try again|ECONNRE|ETIMEDOUT|EAI_AGAIN|socket hang up|\.lock['"]?: file exists|another (?:git )?process|resource busy|EBUSY|\b(?:429|502|503|504)\b|dial tcp|error connecting to|interrupted|killed|signal: /i,
    class: 'transient',
  },
  // Where it runs.
  { pattern: /exec format error|bad cpu type|cannot execute/i, class: 'environment', blames: 'setting' },
  {
    pattern:
      /permission denied|operation not permitted|EACCES|EPERM|read-only file system|not logged in|authentication (?:failed|required)|unauthorized|forbidden|need auth|auth login|externally[ -]managed|ERESOLVE|could not resolve dependency|could not read from remote|docker daemon|unsupported engine|requires (?:node|python|go|java|a newer)/i,
    class: 'environment',
  },
  // How it was called.
  {
    pattern:
      /^usage:|: usage: |invalid (?:argument|value|syntax)|syntax error|parse error|unexpected (?:token|end)|accepts (?:at most|between|\d+)|requires (?:at least|exactly|a value)|missing (?:required|argument|operand)|too (?:many|few) arguments|no matches found|not allowed in a regex|regex parse error|validation error|non-uuid|EUSAGE|invalid choice|have a resource type/i,
    class: 'usage',
  },
  {
    pattern: /^CONFLICT \(|automatic merge failed|could not apply [0-9a-f]{7}/i,
    class: 'state',
    blames: 'merge',
  },
  {
    pattern:
      /conflict|would be overwritten|unstaged changes|uncommitted changes|non-fast-forward|failed to push some refs|nothing to commit|not a git repository/i,
    class: 'state',
  },
]);
