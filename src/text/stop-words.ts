import { once } from '../record/once.ts';
import { WordList } from './word-list.ts';

/** Grammar, politeness and assent: English words that carry no subject in any text. */
const STOP_WORDS =
  'a about above after again all also am an and any are as at be because been before being below between both ' +
  'but by can cool could did do does doing don done down during each few for from further get go going good ' +
  'got great had has have having he her here hers him his how i if im in into is it its itself just know let ' +
  'like ll lot me might more most much my myself need nice no nor not now of off oh ok okay on once one only ' +
  'or other our out over own please re really s same she should so some such t than thank thanks that the ' +
  'their them then there these they think this those through to too under until up us ve very want was we ' +
  'well were what when where which while who whom whose why will with would yeah yes you your yours';

/** More words that any request or question may have, whatever it is about. */
const COMMON_WORDS =
  'able actually against ago ah ahead almost already although always another anybody anyone anything anyway ' +
  'anywhere apparently aren around away back basically best better btw bye came cannot cant certainly come ' +
  'couldn course definitely didn didnt doesn doesnt dont due either else enough especially etc even ever ' +
  'every everyone everything exactly fine first gave gets getting give given goes gone gonna guess hasn haven ' +
  'havent hello hence hey hi hm hmm hmmm honestly however indeed instead isn isnt ive keep kind kinda last ' +
  'later least less lets little look looking looks made make makes making many may maybe mean means mine must ' +
  'needs neither never new next nobody none nope nothing obviously ones onto others otherwise ought ours per ' +
  'perfect perhaps pls plz possible pretty probably put quite rather real right said saw say says see seem ' +
  'seems seen several shall shouldn shouldnt simply since somebody someone something sometimes somewhere soon ' +
  'sorry still stuff sure take tell thats theirs themselves theres thing things though thought thus thx ' +
  'together took totally toward tried try trying two ugh uh um upon use used uses using usually via vs wait ' +
  'wanna wants wasn way went weren whatever whats whether whole within without won wont work worked working ' +
  'works wouldn wouldnt wow wrong yay yep yet youre yourself yup';

const stopWords: () => WordList = once(() => new WordList(STOP_WORDS));
const commonWords: () => WordList = once(() => new WordList(COMMON_WORDS));

/** Whether a lower-case word carries no subject in any text. */
export function isStopWord(word: string): boolean {
  return stopWords().has(word);
}

/**
 * Whether a lower-case word carries no subject in a request or question: stop words, and words such as make, first and
 * later. Too much is lost with these where texts are compared by their words.
 */
export function isCommonWord(word: string): boolean {
  return isStopWord(word) || commonWords().has(word);
}
