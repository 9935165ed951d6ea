const MAX_QUESTION_LENGTH = 140;
const WHO = "(?:we|i|you|you and i|we all|the team)(?:'ve| have| were| did)?";
const WORK =
  '(?:work(?:ed|ing)? on|do(?:ne|ing)?|did|build|built|building|chang(?:e|ed|ing)|accomplish(?:ed)?|achieved?|get done|gotten done|been (?:up to|doing|working on))';
const WHEN =
  '(?:so far|until now|up to now|lately|recently|today|yesterday|before|last time|last session|previously|in (?:the )?(?:last|previous|past) (?:session|sessions|day|days|week|month|few days|\\d+ days)|(?:this|last|the past|past) (?:week|month|few days)|in this (?:project|repo|repository|codebase)|on this (?:project|repo|repository)|here|together|these (?:past )?days)';
const END = `(?:\\s*,?\\s*${WHEN})*`;
const ASK =
  '(?:(?:hi|hey|hello|ok|okay|so|please|can you|could you|would you|tell me|remind me|show me|summari[sz]e|recap|give me (?:a )?(?:summary|recap|overview) of|give me|catch me up on|quick(?:ly)?)[\\s,:]*)*';

/** Every wording contains one of these words. Most prompts do not, which avoids compiling the wordings. */
const HINT =
  /\b(?:what|what's|where|recap|summary|summari[sz]e|overview|catch|bring|remind|work|things|stuff|tasks|woran|was)\b/i;

/** Wordings of the question, without punctuation at the end. */
const questions = (): readonly RegExp[] =>
  [
    `${ASK}what (?:have |had |did |were |was )?${WHO} (?:been |already |just |all )?${WORK}${END}`,
    `${ASK}(?:what )?(?:work|things|stuff|tasks) ${WHO} (?:done|did|worked on|finished)${END}`,
    `${ASK}what (?:was|were|have been|has been|got|is being) (?:done|worked on|changed|built|happening)${END}`,
    `${ASK}what(?:'s| is| was| has been)? (?:happened|happening|going on|the (?:history|state|status) of (?:this|the) (?:project|repo|repository|work))${END}`,
    `${ASK}where (?:did|do|were|are|have) ${WHO} (?:leave|left|stop|stopped|stand|end)(?: off| it| things)?${END}`,
    `${ASK}where were we(?: at)?${END}`,
    `${ASK}what (?:was|is) (?:i|the last thing ${WHO}) (?:working on|doing|did|worked on)${END}`,
    `${ASK}(?:a |the )?(?:recap|summary|overview) of (?:our|the|my|previous|recent|past|last)(?: (?:previous|recent|past|last))? (?:work|sessions?|progress|changes)${END}`,
    `(?:please |can you |could you )?(?:recap|catch me up|bring me up to (?:speed|date)|remind me what (?:this|we) .{0,20})${END}`,
    '(?:woran|an was) haben wir (?:zuletzt |bisher |gestern |heute )?gearbeitet',
    'was haben wir (?:zuletzt |bisher |gestern |heute |letzte woche )?(?:gemacht|getan)',
  ].map((pattern) => new RegExp(`^${pattern}$`, 'i'));
/**
 * A prompt that asks what was worked on, on one line and without punctuation at its end; undefined for any other prompt.
 * Such a question is answered from the project's memory: it is no request for work.
 */
export function findRecapQuestion(prompt: string): string | undefined {
  const text = prompt
    .trim()
    .replaceAll('’', "'")
    .replace(/\s+/g, ' ')
    .replace(/[\s?!.,:;…]+$/, '');
  const isQuestion = text.length <= MAX_QUESTION_LENGTH && HINT.test(text);
  return isQuestion && questions().some((question) => question.test(text)) ? text : undefined;
}
