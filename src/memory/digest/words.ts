/** Words that say nothing of a task: grammar, politeness, assent, and what is said of any work. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  (
    'a about above after again ahead all almost already also always am an and another any anyway are aren around as at ' +
    'away back be because been before being below best better between both but by call came can cannot could couldn ' +
    'did didn do does doesn doing don done down each either else even ever every everything few first for from further ' +
    'gave get gets getting give go goes going gonna good got great had has hasn have haven having he hello help her here hey hi ' +
    'him his hmm how however i if im in instead into is isn it its itself ive just keep kind know last later let lets ' +
    'like ll look looks lot made make makes making may maybe me mean might more most much must my need needs never ' +
    'new next nice no nope not nothing now of off ok okay on once one only onto or other our out over own per perfect ' +
    'perhaps please possible pretty put quite rather re really right same saw say see seem seems shall she should ' +
    'shouldn since so some something soon sorry still stuff such sure take tell than thank thanks that the their them ' +
    'then there these they thing things think this those though through thx time to together too try trying two under ' +
    'until up upon us use used using ve very via want wants was wasn way we well went were weren what whatever when ' +
    'where whether which while who why will with without won work worked working works would wouldn wrong yeah yep yes ' +
    'yet you your yours continue proceed commit push merge run fix change changes code file files'
  ).split(' '),
);

/** Whether a word in lower case says nothing of a task. */
export function isEmptyWord(word: string): boolean {
  return EMPTY_WORDS.has(word);
}

/** Letters of writing systems that put no spaces between words. */
const UNSPACED = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]/;

/** Whether a text says something of its own: at least two telling words, or a phrase without spaces. */
export function hasContent(text: string): boolean {
  if (UNSPACED.test(text)) return text.length >= 4;
  let telling = 0;
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu)) {
    if (isTelling(word)) telling++;
    if (telling === 2) return true;
  }
  return false;
}

function isTelling(word: string): boolean {
  return !EMPTY_WORDS.has(word) && word.length >= 2 && word.length <= 40 && !/^[\d_-]+$/.test(word);
}
