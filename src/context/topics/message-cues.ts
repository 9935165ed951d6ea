/** What the wording of one message says about whether it begins, follows or ends something. */
export interface MessageCues {
  readonly asks: boolean;
  readonly endsAsking: boolean;
  /** Ends with a question about the other one. */
  readonly asksYou: boolean;
  /** Has more than one sentence, the last of them a question. */
  readonly turnsToAsking: boolean;
  readonly lastSentence: string;
  readonly sentences: number;
  /** Begins with an answer or a reaction. */
  readonly reacts: boolean;
  /** A question or remark that people start a subject with. */
  readonly smallTalk: boolean;
  readonly aboutSelf: boolean;
  /** Thanks, farewells, offers of further help. */
  readonly closes: boolean;
  readonly requests: boolean;
  /** Words like "it" and "those" near the beginning, 0 to 1. */
  readonly pointsBack: number;
}

const REACTS =
  /^\W*(?:yes|yeah|yep|no|nope|nah|ok|okay|sure|right|great|cool|nice|awesome|wow|oh|that|thats|it|they|he|she|i see|me too|same|true|really|lol|haha|thanks|thank you|sounds|perfect|absolutely|of course|not|neither|because|me either|i agree|so do i|exactly|indeed)\b/i;
const SMALL_TALK =
  /\b(?:tell me (?:more |something |a little |a bit )?about (?:you|yourself|your)|what do you do|do you have (?:any|a|kids|pets|siblings)|how old|where (?:are|do) you (?:from|live|work)|favou?rite|any (?:other )?(?:hobbies|pets|kids|siblings|plans)|for (?:a living|work|fun)|free time|spare time|hobb(?:y|ies)|do you (?:like|enjoy|love|work|play|watch|read|travel|cook|listen))\b/i;
const QUESTION_WORD = /\b(?:do|are|have|what|where|how|did|would|can|which|who|any)\b.*\byou(?:r|rs)?\b/is;
const SELF = /\b(?:i|my|mine)\b/i;
const CLOSES =
  /\b(?:thank|thanks|thx|bye|goodbye|you'?re welcome|you are welcome|welcome|have a (?:good|great|nice|wonderful|lovely)|enjoy|anything else|that'?s all|that is all|all i need|glad|happy to help|no problem|take care|see you)\b/i;
const REQUESTS =
  /\b(?:i(?: am|'m)? looking|i (?:need|want|would like|also)|i'?d like|can you|could you|please|find|book|looking for|tell me about|help me|check|what(?:'s| is) the|where(?:'s| is)|schedule|remind|set|give me|also)\b/i;
const POINTS_BACK =
  /\b(?:its?|that|those|these|them|they|he|she|him|her|there|this|ones?|same|too|either)\b/gi;

/** How much of a text's beginning or end is looked at where a pattern could be slow. */
const NEAR = 300;

/** Reads the cues of a message, whose text is of bounded length. */
export function messageCues(text: string): MessageCues {
  const sentences = text.split(/[.!?]+/).filter((sentence) => sentence.trim() !== '');
  const lastSentence = sentences.at(-1) ?? '';
  const endsAsking = text.trimEnd().endsWith('?');
  const start = text.slice(0, NEAR);
  return {
    asks: text.includes('?'),
    endsAsking,
    asksYou: endsAsking && QUESTION_WORD.test(lastSentence.slice(-NEAR)),
    turnsToAsking: endsAsking && sentences.length > 1,
    lastSentence,
    sentences: sentences.length,
    reacts: REACTS.test(start),
    smallTalk: SMALL_TALK.test(text),
    aboutSelf: SELF.test(text),
    closes: CLOSES.test(text),
    requests: REQUESTS.test(text),
    pointsBack: Math.min(3, start.match(POINTS_BACK)?.length ?? 0) / 3,
  };
}
