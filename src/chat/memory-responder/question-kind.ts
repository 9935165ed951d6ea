/** What a question to the memory is about; `other` is looked for in the history. */
export type QuestionKind = 'greeting' | 'failures' | 'command' | 'project' | 'other';

/** The first that fits counts. */
const KINDS: readonly (readonly [QuestionKind, RegExp])[] = [
  [
    'greeting',
    /^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening)|help|who are you|what can you do)\b[\s\w]{0,20}\W*$/i,
  ],
  [
    'failures',
    /\bwhat (?:failed|fails|went wrong|broke|does(?:n't| not) work|should (?:i|we) (?:avoid|not do))\b|\b(?:failures|known (?:problems|issues|failures)|pitfalls|anti-?patterns)\b|\bwhat to avoid\b/i,
  ],
  [
    'command',
    /\b(?:how (?:do|can|should) (?:i|we|you)|how to|what(?:'s| is) the command (?:to|for)|which command)\b.{0,30}\b(?:run|test|tests|build|lint|format|install|start|deploy|compile|check)\b/i,
  ],
  [
    'project',
    /\bwhat (?:is|do (?:you|we) know (?:about|of)) (?:this|the|our) (?:project|repo|repository|codebase|code base)\b|\b(?:conventions|tech(?:nology)? stack|best practices)\b|\bwhat do you (?:know|remember)\b/i,
  ],
];

/** What a question is about. */
export function questionKind(question: string): QuestionKind {
  const start = question.slice(0, 300);
  return KINDS.find(([, pattern]) => pattern.test(start))?.[0] ?? 'other';
}
