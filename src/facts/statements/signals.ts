/** A kind of phrase that speaks for or against a statement that is worth keeping. */
interface Signal {
  readonly name: 'standing' | 'choice' | 'norm' | 'objection' | 'question' | 'task' | 'guess';
  /** Added to the score of what is said, once however many of the phrases there are. */
  readonly weight: number;
  /** Regular expressions that match whole words in lower case. */
  readonly phrases: readonly string[];
}

/**
 * What tells a decision or a correction from a request, a question or a report, in English. How much each of them adds is
 * in docs/decisions-and-rules.md.
 */
export const SIGNALS: readonly Signal[] = [
  {
    name: 'standing',
    weight: 2,
    phrases: [
      'always|never|no longer|any ?more|deprecat\\w*',
      'from now on|going forward|in (?:the )?future|by default',
      '(?:every|each) ?time|(?:at|on) (?:each|every)',
    ],
  },
  {
    name: 'choice',
    weight: 2,
    phrases: [
      'instead|rather than|prefer\\w*|better (?:to|than|option|command|as)|adopt\\w*|get rid of',
      '(?:stick|start|agree) (?:with|to)|go(?:ing)? with|replac\\w+ (?:\\S+ )?(?:by|with)',
      'i (?:really )?(?:like|agree)|keep (?:the|our|that|it|him|using|existing)|just (?:use|need|want|run|swap|do)',
      "let'?s (?:also |only |instead )?(?:call|keep|replace|store|use)|not (?:as|in|on|the|with|for|using) .{0,40}\\bbut",
    ],
  },
  {
    name: 'norm',
    weight: 2,
    phrases: [
      "should(?:n't)?|must(?:n't)?|(?:has|have|supposed|needs) to|needs? to be|need to use",
      "(?:don'?t|do not|doesn'?t)(?: think)?(?: we| you)? need|no need|not needed",
      "i(?:'d| would) like (?:us|it|that|all|to see)|make sure|ensure|we (?:want|use|decided|agreed|are going to|'re going to)",
    ],
  },
  {
    name: 'objection',
    weight: 2,
    phrases: [
      'wrong\\w*|mislead\\w*',
      "(?:is|are|way|a bit) too? (?:much|big|many|long)|(?:don'?t|do not) (?:quite )?(?:like|want)",
      "(?:don'?t|do not) (?:use|add|do|fall|fallback|change|make|touch|commit|worry)",
      "i (?:told|thou?gh?th?t?)|why did(?:n't)? (?:you|we)|you (?:forgot|should(?:n't)? have)",
    ],
  },
  {
    name: 'question',
    weight: -4,
    phrases: [
      ',? right$',
      '^(?:(?:so|and|but|then|also|ok|wait|hm+),? )*(?:what|why|how|where|which|who|is|are|was|were|does|did|do|has|have|should|shall|would)',
    ],
  },
  {
    name: 'task',
    weight: -2,
    phrases: [
      "^(?:(?:ok(?:ay)?|yes|and|also|then|now|so|please|alright|great|actually),? )*(?:(?:can|could|would) (?:you|we) |let'?s |please |i need you to |we (?:need to|should) )?(?:please |also |double )*(?:add (?:\\w+ ){0,2}tests?|address|analy[sz]e|answer|ask|check|close|commit|compare|confirm|continue|create|explain|find|fix|give|help|investigate|look|merge|open|propose|pull|push|read|rebase|research|respond|re-?run|review|run|show|spawn|summari[sz]e|take a look|tell|try|update|verify|write)",
    ],
  },
  { name: 'guess', weight: -1, phrases: ["i wonder|perhaps|might|what if|i guess|i suspect|let's say|if we|if there"] },
];

/** What is said counts when its signals add up to this. */
export const MIN_SCORE = 2;
