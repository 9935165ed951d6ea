/** What is being done, as far as a request says it. */
export type KindOfWork =
  | 'debugging'
  | 'testing'
  | 'documentation'
  | 'refactoring'
  | 'release'
  | 'explanation'
  | 'feature development';

/** In the order they are tried: "add tests" is testing, "fix the docs" is documentation. */
const KINDS: readonly (readonly [KindOfWork, RegExp])[] = [
  ['documentation', /\b(?:readme|changelog|docs?|document(?:ation|ed)?|docstrings?|tutorial|write[- ]up)\b/i],
  [
    'testing',
    /\b(?:(?:unit|integration|end-to-end|e2e|write|add|more) tests?|test (?:cases?|coverage|suite)|coverage)\b/i,
  ],
  [
    'release',
    /\b(?:deploy\w*|releases?|publish\w*|ci|pipeline|dockerfile|docker|version bump|bump the version)\b/i,
  ],
  [
    'refactoring',
    /\b(?:refactor\w*|renam\w+|clean(?:ing)? up|extract|simplif\w+|restructure|reorgani[sz]e|dedupe)\b/i,
  ],
  [
    'debugging',
    /\b(?:bugs?|debug\w*|fix(?:es|ing)?|errors?|exceptions?|crash\w*|fail(?:s|ed|ing|ure)?|broken|traceback|wrong|hangs?|leaks?)\b/i,
  ],
  [
    'feature development',
    /\b(?:add|implement\w*|create|introduce|new (?:feature|page|command|option|endpoint|component))\b/i,
  ],
  [
    'explanation',
    /\b(?:explain|how (?:does|do|is|are)|what (?:is|are|does)|why (?:is|are|does|do)|walk me through)\b/i,
  ],
];

const BEGINNING = 400;

/** The kind of work that a message asks for; undefined when it does not say. */
export function kindOfWork(text: string): KindOfWork | undefined {
  const beginning = text.slice(0, BEGINNING);
  return KINDS.find(([, pattern]) => pattern.test(beginning))?.[0];
}
