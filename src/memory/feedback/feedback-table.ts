/** What users say of the attempt before. */
export type Verdict = 'worked' | 'failed';

/** Phrases of one kind. Each is the source of a regular expression, in lower case, and begins what is said. */
export interface FeedbackRow {
  readonly verdict: Verdict;
  /** `whole`: nothing but thanks may follow. `beginning`: more may follow. `order`: also when put as a question. */
  readonly as: 'whole' | 'beginning' | 'order';
  readonly phrases: readonly string[];
}

const IT = '(?:its?|that|this|the (?:fix|change|patch|build|test|tests|command|script|code|app|page))';
const NOT = "(?:did ?n[o']?t|does ?n[o']?t|do ?n[o']?t|is ?n[o']?t|has ?n[o']?t|wo ?n[o']?t|cannot|can'?t)";

/** Failures come first: what is denied ("that did not work") has the words of what is praised. */
export const FEEDBACK: readonly FeedbackRow[] = [
  {
    verdict: 'failed',
    as: 'beginning',
    phrases: [
      `(?:${IT} )?(?:still |also |just )*${NOT} (?:seem to |really |quite |even )*(?:work|help|fix|build|compile|run|pass|start|load|solve)\\w*`,
      `${IT}(?:'s| is| was)? (?:still )?(?:not (?:working|fixed|right|correct|what i (?:wanted|meant|asked for))|wrong|incorrect|broken)`,
      `${IT} (?:just |still |now )?(?:fails?|failed|crash(?:es|ed)|broke|breaks|times? out|timed out|hangs?|errors? out)`,
      'still (?:not (?:working|fixed|right|there)|broken|fail(?:s|ing)|wrong|the same|same|crash(?:es|ing)|does|nothing|error|red|getting|seeing|gives?|throws?|hangs?|stuck)',
      '(?:the )?(?:tests?|checks?|build|lint|ci|pipeline) (?:is |are )?still (?:fail|broken|red|failing)\\w*',
      "(?:i'?m|i am|we'?re|i) still (?:get|getting|see|seeing|have|having)(?: (?:the|this|that|an?))? (?:same |exact )*(?:error|issue|problem|failure|exception|crash|bug|warning)\\w*",
      'i still (?:get|see|have)',
      '(?:the |exact(?:ly)? (?:the )?)?same (?:error|issue|problem|failure|exception|result|thing again)',
      'not working',
      '(?:no luck|no change|no difference|no effect|nothing changed|nothing happens|made (?:it|things) worse)',
      "that'?s (?:not (?:it|right|correct|working)|wrong|incorrect|broken)",
      '(?:geht|funktioniert|klappt|läuft) (?:immer noch |leider |noch )?nicht',
      '(?:das )?(?:hat|ist) (?:leider )?(?:nicht (?:funktioniert|geklappt)|fehlgeschlagen)',
      'immer noch (?:kaputt|der gleiche fehler|derselbe fehler|nicht)',
      '(?:sigue|todavía|aún) (?:sin funcionar|fallando|no funciona|igual|roto)',
      'no (?:funciona|funcionó)',
      '(?:ça|cela) (?:ne )?(?:marche|fonctionne) (?:toujours )?pas',
      'toujours (?:pas|la même erreur|cassé)',
      '(?:ainda )?não (?:funciona|funcionou)',
      '(?:还是)?(?:不行|没用|报错|失败)',
      '(?:まだ)?(?:動かない|動きません|失敗)',
    ],
  },
  {
    verdict: 'failed',
    as: 'order',
    phrases: [
      "(?:please |let'?s |can you |could you |just )*(?:try|do) (?:it |that |this )?again",
      'why (?:is|does) (?:it|this|that) still (?:not |fail|broken|crash|happen)\\w*',
      '(?:bitte )?(?:versuch|probier)\\w* (?:es )?(?:noch ?mal|nochmals|erneut)',
      'int[eé]ntalo (?:de nuevo|otra vez)',
      'r[eé]essaie',
      'tente (?:de novo|novamente)',
      '(?:请)?再试(?:一次|一下)?',
      'もう一度',
    ],
  },
  { verdict: 'failed', as: 'whole', phrases: ['(?:please |just )?retry(?: it| that| this)?'] },
  {
    verdict: 'worked',
    as: 'beginning',
    phrases: [
      `(?:${IT}|everything|all of it) (?:really |actually |finally |now |all )*(?:worked|did it|did the trick|fixed (?:it|that|the \\w+)|solved (?:it|that|the \\w+)|helped)`,
      `(?:${IT}|everything|all|it all) (?:really |finally |now )*works? (?:now|fine|great|well|perfectly|nicely|again|as expected|like a charm|as intended)`,
      `(?:${IT}|everything)(?:'s| is| are)? (?:finally |all )*(?:working|fixed|solved|resolved|green|passing)(?: now| again| fine| great| perfectly)*`,
      '(?:works|working|worked) (?:now|fine|great|well|perfectly|nicely|again|as expected|like a charm)',
      '(?:all )?(?:the )?(?:tests?|builds?|ci|lint) (?:now |all )?(?:pass(?:es|ed)?|(?:is|are) (?:green|passing))(?: now)?',
      '(?:fixed|solved|resolved) now',
      'problem solved',
      '(?:das )?(?:hat (?:super |jetzt )?(?:funktioniert|geklappt)|(?:funktioniert|klappt|geht|läuft) jetzt)',
      '(?:ya|ahora) funciona',
      '(?:ça|cela) (?:marche|fonctionne)(?: maintenant)?',
      'funcionou|agora funciona',
      '可以了|成功了|好了|没问题了',
      '動きました|うまくいきました',
    ],
  },
  {
    verdict: 'worked',
    as: 'whole',
    phrases: [
      `(?:${IT}(?:'s| is)? )?(?:just )?(?:perfect|excellent|awesome|amazing|fantastic|brilliant|wonderful)(?: work| job)?`,
      `${IT} works`,
      'works|worked',
      '(?:that |it |this |all |everything )?looks? (?:good|great|perfect|right|correct)(?: to me| now)?',
      'lgtm',
      'all (?:good|green)(?: now)?',
      '(?:great|good|nice) (?:job|work)',
      'perfekt|perfecto|parfait|perfeito|完美|完璧',
      'funciona',
    ],
  },
];
