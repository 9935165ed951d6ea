/** Words that say nothing about what a question is about. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about after all also am an and any are as at be because been before being both but by can could did do does ' +
    'doing done for from had has have having he her hers him his how i if in into is it its just me might more most ' +
    'my no nor not of off on once only or other our out over own s same she should so some such t than that the ' +
    'their them then there these they this those through to too under until up us very was we were what when where ' +
    'which while who whom whose why will with would you your yours'
  ).split(' '),
);
