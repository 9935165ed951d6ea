import { once } from '../record/once.ts';

/**
 * English words that say nothing about a subject: grammar, what contractions leave behind, politeness, assent and verbs
 * that go with anything.
 */
const STOP_WORDS = `
  a able about above actually after again against ago ah ahead all almost already also although always am an
  and another any anybody anyone anything anyway anywhere apparently are aren around as at away back
  basically be because been before being below best better between both btw but by bye came can cannot cant
  certainly come cool could couldn course definitely did didn didnt do does doesn doesnt doing don done dont
  down due during each either else enough especially etc even ever every everyone everything exactly few
  fine first for from further gave get gets getting give given go goes going gone gonna good got great guess
  had has hasn have haven havent having he hello hence her here hers hey hi him his hm hmm hmmm honestly how
  however i if im in indeed instead into is isn isnt it its itself ive just keep kind kinda know last later
  least less let lets like little ll look looking looks lot made make makes making many may maybe me mean
  means might mine more most much must my myself need needs neither never new next nice no nobody none nope
  nor not nothing now obviously of off oh ok okay on once one ones only onto or other others otherwise ought
  our ours out over own per perfect perhaps please pls plz possible pretty probably put quite rather re real
  really right s said same saw say says see seem seems seen several shall she should shouldn shouldnt simply
  since so some somebody someone something sometimes somewhere soon sorry still stuff such sure t take tell
  than thank thanks that thats the their theirs them themselves then there theres these they thing things
  think this those though thought through thus thx to together too took totally toward tried try trying two
  ugh uh um under until up upon us use used uses using usually ve very via vs wait wanna want wants was wasn
  way we well went were weren what whatever whats when where whether which while who whole whom whose why
  will with within without won wont work worked working works would wouldn wouldnt wow wrong yay yeah yep
  yes yet you your youre yours yourself yup`;

const stopWords: () => ReadonlySet<string> = once(() => new Set(STOP_WORDS.trim().split(/\s+/)));

/** Whether a lower-case word says nothing about a subject, whatever the text is about. */
export function isStopWord(word: string): boolean {
  return stopWords().has(word);
}
