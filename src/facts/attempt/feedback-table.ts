/** What users say about the previous attempt. */
export type FeedbackOutcome = 'worked' | 'failed';

/**
 * A lower-case phrase at the beginning of a prompt: how it may start, separated by `|`, and the source of a regular
 * expression, which is compiled only for prompts that start so.
 */
export type FeedbackPhrase = readonly [starts: string, source: string];

/** Phrases of one kind. */
export interface FeedbackRow {
  readonly outcome: FeedbackOutcome;
  /** `whole`: only thanks may follow. `beginning`: anything may follow. */
  readonly match: 'whole' | 'beginning';
  readonly phrases: readonly FeedbackPhrase[];
}

const IT = '(?:its?|that|this|the (?:fix|change|patch|build|test|tests|command|script|code|app|page))';
const NOT = "(?:did ?n[o']?t|does ?n[o']?t|do ?n[o']?t|is ?n[o']?t|has ?n[o']?t|wo ?n[o']?t|cannot|can'?t)";

/** How {@link IT} and {@link NOT} may start. */
const THINGS =
  'it|that|this|the fix|the change|the patch|the build|the test|the command|the script|the code|the app|the page';
const DENIED = "did n|didn|does n|doesn|do n|don|is n|isn|has n|hasn|wo n|won|cannot|can't|cant";

/** Failures come first, because "that did not work" contains the words of praise. */
export const FEEDBACK: readonly FeedbackRow[] = [
  {
    outcome: 'failed',
    match: 'beginning',
    phrases: [
      [
        `${THINGS}|still |also |just |${DENIED}`,
        `(?:${IT} )?(?:still |also |just )*${NOT} (?:seem to |really |quite |even )*(?:work|help|fix|build|compile|run|pass|start|load|solve)\\w*`,
      ],
      [
        THINGS,
        `${IT}(?:'s| is| was)? (?:still )?(?:not (?:working|fixed|right|correct|what i (?:wanted|meant|asked for))|wrong|incorrect|broken)`,
      ],
      [
        THINGS,
        `${IT} (?:just |still |now )?(?:fails?|failed|crash(?:es|ed)|broke|breaks|times? out|timed out|hangs?|errors? out)`,
      ],
      [
        'still ',
        'still (?:not (?:working|fixed|right|there)|broken|fail(?:s|ing)|wrong|the same|same|crash(?:es|ing)|does|nothing|error|red|getting|seeing|gives?|throws?|hangs?|stuck)',
      ],
      [
        'the test|the check|the build|the lint|the ci|the pipeline|test|check|build|lint|ci |pipeline',
        '(?:the )?(?:tests?|checks?|build|lint|ci|pipeline) (?:is |are )?still (?:fail|broken|red|failing)\\w*',
      ],
      [
        "i'm still|im still|i am still|we're still|were still|i still",
        "(?:i'?m|i am|we'?re|i) still (?:get|getting|see|seeing|have|having)(?: (?:the|this|that|an?))? (?:same |exact )*(?:error|issue|problem|failure|exception|crash|bug|warning)\\w*",
      ],
      ['i still', 'i still (?:get|see|have)'],
      [
        'the same |exact|same ',
        '(?:the |exact(?:ly)? (?:the )?)?same (?:error|issue|problem|failure|exception|result|thing again)',
      ],
      ['not working', 'not working'],
      [
        'no |nothing |made ',
        '(?:no luck|no change|no difference|no effect|nothing changed|nothing happens|made (?:it|things) worse)',
      ],
      ["that's |thats ", "that'?s (?:not (?:it|right|correct|working)|wrong|incorrect|broken)"],
      ['why ', 'why (?:is|does) (?:it|this|that) still (?:not |fail|broken|crash|happen)[^?\\n]*\\??'],
      ['geht |funktioniert |klappt |läuft ', '(?:geht|funktioniert|klappt|läuft) (?:immer noch |leider |noch )?nicht'],
      ['das |hat |ist ', '(?:das )?(?:hat|ist) (?:leider )?(?:nicht (?:funktioniert|geklappt)|fehlgeschlagen)'],
      ['immer noch', 'immer noch (?:kaputt|der gleiche fehler|derselbe fehler|nicht)'],
      ['sigue |todavía |aún ', '(?:sigue|todavía|aún) (?:sin funcionar|fallando|no funciona|igual|roto)'],
      ['no funcion', 'no (?:funciona|funcionó)'],
      ['ça |cela ', '(?:ça|cela) (?:ne )?(?:marche|fonctionne) (?:toujours )?pas'],
      ['toujours ', 'toujours (?:pas|la même erreur|cassé)'],
      ['ainda |não ', '(?:ainda )?não (?:funciona|funcionou)'],
      ['还是|不行|没用|报错|失败', '(?:还是)?(?:不行|没用|报错|失败)'],
      ['まだ|動か|動き|失敗', '(?:まだ)?(?:動かない|動きません|失敗)'],
    ],
  },
  {
    outcome: 'failed',
    match: 'whole',
    phrases: [
      [
        "please |let's |lets |can you |could you |just |try |do ",
        "(?:please |let'?s |can you |could you |just )*(?:try|do) (?:it |that |this )?again",
      ],
      ['bitte |versuch|probier', '(?:bitte )?(?:versuch|probier)\\w* (?:es )?(?:noch ?mal|nochmals|erneut)'],
      ['intén|inten', 'int[eé]ntalo (?:de nuevo|otra vez)'],
      ['rées|rees', 'r[eé]essaie'],
      ['tente ', 'tente (?:de novo|novamente)'],
      ['请|再试', '(?:请)?再试(?:一次|一下)?'],
      ['もう一度', 'もう一度'],
      ['please retry|just retry|retry', '(?:please |just )?retry(?: it| that| this)?'],
    ],
  },
  {
    outcome: 'worked',
    match: 'beginning',
    phrases: [
      [
        `${THINGS}|everything |all of it `,
        `(?:${IT}|everything|all of it) (?:really |actually |finally |now |all )*(?:worked|did it|did the trick|fixed (?:it|that|the \\w+)|solved (?:it|that|the \\w+)|helped)`,
      ],
      [
        `${THINGS}|everything |all |it all `,
        `(?:${IT}|everything|all|it all) (?:really |finally |now )*works? (?:now|fine|great|well|perfectly|nicely|again|as expected|like a charm|as intended)`,
      ],
      [
        `${THINGS}|everything`,
        `(?:${IT}|everything)(?:'s| is| are)? (?:finally |all )*(?:working|fixed|solved|resolved|green|passing)(?: now| again| fine| great| perfectly)*`,
      ],
      [
        'works |working |worked ',
        '(?:works|working|worked) (?:now|fine|great|well|perfectly|nicely|again|as expected|like a charm)',
      ],
      [
        'all |the test|the build|the ci|the lint|test|build|ci |lint',
        '(?:all )?(?:the )?(?:tests?|builds?|ci|lint) (?:now |all )?(?:pass(?:es|ed)?|(?:is|are) (?:green|passing))(?: now)?',
      ],
      ['fixed |solved |resolved ', '(?:fixed|solved|resolved) now'],
      ['problem solved', 'problem solved'],
      [
        'das |hat |funktioniert |klappt |geht |läuft ',
        '(?:das )?(?:hat (?:super |jetzt )?(?:funktioniert|geklappt)|(?:funktioniert|klappt|geht|läuft) jetzt)',
      ],
      ['ya |ahora ', '(?:ya|ahora) funciona'],
      ['ça |cela ', '(?:ça|cela) (?:marche|fonctionne)(?: maintenant)?'],
      ['funcionou|agora ', 'funcionou|agora funciona'],
      ['可以了|成功了|好了|没问题了', '可以了|成功了|好了|没问题了'],
      ['動きました|うまく', '動きました|うまくいきました'],
    ],
  },
  {
    outcome: 'worked',
    match: 'whole',
    phrases: [
      [
        `${THINGS}|just |perfect|excellent|awesome|amazing|fantastic|brilliant|wonderful`,
        `(?:${IT}(?:'s| is)? )?(?:just )?(?:perfect|excellent|awesome|amazing|fantastic|brilliant|wonderful)(?: work| job)?`,
      ],
      [THINGS, `${IT} works`],
      ['works|worked', 'works|worked'],
      [
        'that |it |this |all |everything |look',
        '(?:that |it |this |all |everything )?looks? (?:good|great|perfect|right|correct)(?: to me| now)?',
      ],
      ['lgtm', 'lgtm'],
      ['all good|all green', 'all (?:good|green)(?: now)?'],
      ['great |good |nice ', '(?:great|good|nice) (?:job|work)'],
      ['perfek|perfecto|parfait|perfeito|完美|完璧', 'perfekt|perfecto|parfait|perfeito|完美|完璧'],
      ['funciona', 'funciona'],
    ],
  },
];
