const REFERS_BACK =
  /^\W*(?:(?:ok|okay|yes|yeah|yep|no|sure|great|good|perfect)\W+)*(?:yes|yeah|yep|no|sure|go ahead|continue|go on|do (?:it|that|both|all|\d)|let'?s do (?:it|that|this|both|\d|option)|let'?s go with|what(?:'s| is) (?:remaining|left|missing|still))\b|\boption (?:\d|[a-d]\b)|\b(?:as (?:above|before|discussed|you (?:said|suggested))|the same (?:for|as|way)|(?:these|those|this|that) (?:changes?|fix(?:es)?|commits?|results?|issues?|ones?|idea|approach))\b/i;

/** Only the beginning of a message is looked at. */
const BEGINNING = 200;

/** Whether a request can only be understood with what was said before it. */
export function refersBack(text: string): boolean {
  return REFERS_BACK.test(text.trimStart().slice(0, BEGINNING));
}
