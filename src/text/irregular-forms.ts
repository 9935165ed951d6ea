import { once } from '../record/once.ts';
import { stem } from './stem.ts';

/** Words with their irregular forms. Forms that are common words of their own, such as left and bit, are left out. */
const FORMS =
  'arise arose arisen,awake awoke,beat beaten,become became,begin began begun,bend bent,bind bound,bleed bled,' +
  'blow blew blown,break broke broken,breed bred,bring brought,build built,burn burnt,buy bought,catch caught,' +
  'choose chose chosen,cling clung,creep crept,deal dealt,dig dug,draw drew drawn,dream dreamt,' +
  'drink drank drunk,drive drove driven,eat ate eaten,fall fell fallen,feed fed,feel felt,fight fought,find found,' +
  'flee fled,fly flew flown,forbid forbade forbidden,forget forgot forgotten,forgive forgave forgiven,' +
  'freeze froze frozen,give gave given,grow grew grown,hang hung,hear heard,hide hid hidden,hold held,keep kept,' +
  'kneel knelt,lead led,lean leant,leap leapt,learn learnt,lend lent,lose lost,mean meant,meet met,' +
  'mistake mistook mistaken,overcome overcame,override overrode overridden,overwrite overwrote overwritten,pay paid,' +
  'prove proven,rebuild rebuilt,redo redid redone,resend resent,rewind rewound,rewrite rewrote rewritten,' +
  'ride rode ridden,ring rang rung,run ran,seek sought,sell sold,send sent,shake shook shaken,shine shone,' +
  'shoot shot,show shown,shrink shrank shrunk,sing sang sung,sink sank sunk,sit sat,sleep slept,slide slid,' +
  'speak spoke spoken,speed sped,spell spelt,spend spent,spin spun,spoil spoilt,spring sprang sprung,stand stood,' +
  'steal stole stolen,stick stuck,strike struck,swear swore sworn,sweep swept,swell swollen,swim swam swum,' +
  'swing swung,take took taken,teach taught,tear tore torn,throw threw thrown,understand understood,undergo underwent,' +
  'undo undid undone,wake woke woken,wear wore worn,weave wove woven,weep wept,win won,withdraw withdrew withdrawn,' +
  'withhold withheld,write wrote written,' +
  'child children,foot feet,goose geese,half halves,knife knives,life lives,man men,mouse mice,person people,' +
  'shelf shelves,tooth teeth,wife wives,wolf wolves,woman women,' +
  'analysis analyses,axis axes,basis bases,crisis crises,criterion criteria,hypothesis hypotheses,index indices,' +
  'matrix matrices,synthesis syntheses,thesis theses,vertex vertices';

interface Families {
  /** By each of their words, and by the stem of the first one. */
  readonly byWord: ReadonlyMap<string, readonly string[]>;
  readonly byStem: ReadonlyMap<string, readonly string[]>;
}

const families = once((): Families => {
  const all = FORMS.split(',').map((words) => words.split(' '));
  return {
    byWord: new Map(all.flatMap((family) => family.map((word) => [word, family] as const))),
    byStem: new Map(all.map((family) => [stem(family[0] ?? ''), family])),
  };
});

/**
 * The words that a lower-case word is compared with instead of its stem alone: for throwing or threw these are throw, whose
 * stem counts, and threw and thrown. A word without irregular forms stands for itself.
 */
export function withIrregularForms(word: string): readonly [base: string, ...irregular: string[]] {
  const { byWord, byStem } = families();
  const [base = word, ...irregular] = byWord.get(word) ?? byStem.get(stem(word)) ?? [];
  return [base, ...irregular];
}
