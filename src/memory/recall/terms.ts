import { findWordTags, listTagWords } from '../../facts/tags/tags.ts';
import { omitUndefined } from '../../record/object.ts';
import { once } from '../../record/once.ts';
import { includesStem, startsLike, stem, stemStart } from '../../text/stem.ts';
import { isCommonWord } from '../../text/stop-words.ts';
import { WordList } from '../../text/word-list.ts';
import { splitWords, toPlainRuns } from '../../text/words.ts';
import { findMeanings, listMeaningWords } from './synonyms.ts';

/** The terms of a text with their strength, 0 to 1: how well they say what the text is about. */
export type Terms = Map<string, number>;

/** A term that stands for a word that does not occur itself. */
export interface RelatedTerm {
  readonly term: string;
  /** The share of the word that it is worth, 0 to 1. */
  readonly share: number;
  /** It has the same meaning, not only the same subject. */
  readonly isMeaning: boolean;
}

/** A word of a prompt and its terms. */
export interface PromptWord {
  readonly text: string;
  readonly term: string;
  /** How much the word says about a subject in general: 0 to 1, more for a name. */
  readonly weight: number;
  /** Terms with the same meaning or subject, which count less. */
  readonly related: readonly RelatedTerm[];
  /** It names a chore that ends every task, e.g. commit or review. */
  readonly isChore: boolean;
  /** A compound name (`maxSize`, `src/cache.ts`), which nobody uses by chance. Its parts follow it. */
  readonly isName: boolean;
  /** The name that this word is a part of. */
  readonly partOf?: string;
}

/** Two adjacent words of a prompt. */
interface PromptPair {
  readonly term: string;
  readonly weight: number;
}

/** The terms of a prompt. */
interface PromptTerms {
  readonly words: readonly PromptWord[];
  readonly pairs: readonly PromptPair[];
}

/** A name says more than a word, a part of it less. */
const NAME_WEIGHT = 1.5;
const PART_WEIGHT = 0.6;
/** A word of the tag table is certainly a subject. */
const SUBJECT_WEIGHT = 1.3;
/** The shares of a synonym and of another word of the same subject. */
const SAME_MEANING = 0.6;
const SAME_SUBJECT = 0.5;
const MAX_WORDS = 60;
const PATH = /(?<![\w/.~-])(?:[\w@.~-]+\/)+[\w@.-]*[\w@]/g;
const URL_PATTERN = /\b[a-z][a-z+.-]*:\/\/\S+/gi;

/**
 * Adds the terms of a text; `strength` is how well the text says what it is about. Prose also has pairs of adjacent
 * words, which mean nothing in commands and paths.
 */
export function addTerms(terms: Terms, text: string, strength: number, isProse = true): void {
  for (const path of findPaths(text)) addTerm(terms, path, strength);
  let before = '';
  for (const { parts, isName } of splitWords(text)) {
    if (isName) addTerm(terms, nameTerm(parts), strength);
    for (const each of parts) {
      const { term, weight, tags, meanings } = getWordInfo(each);
      if (weight === 0) continue;
      addTerm(terms, term, strength);
      if (isProse && before !== '') addTerm(terms, pairTerm(before, term), strength);
      for (const tag of tags) addTerm(terms, tag, strength);
      for (const meaning of meanings) addTerm(terms, meaning, strength);
      before = term;
    }
  }
}

/**
 * Finds the terms of a prompt in texts: the same that {@link addTerms} would add, without looking at the facts about
 * words that cannot be among them. A hook does this for hundreds of texts.
 */
export class TermFinder {
  readonly #slots: ReadonlyMap<string, number>;
  readonly #stems: () => ReadonlySet<string>;

  /** `slots`: the terms, each with its slot. With a pair, both words are terms, too. */
  constructor(slots: ReadonlyMap<string, number>) {
    this.#slots = slots;
    this.#stems = once(() => new Set([...slots.keys()].flatMap(listStems)));
  }

  /** Calls `visit` with the slot of each term in a text, more than once for one that is repeated. */
  find(text: string, visit: (slot: number) => void): void {
    const look = (term: string): void => {
      const slot = this.#slots.get(term);
      if (slot !== undefined) visit(slot);
    };
    const stems = this.#stems();
    for (const path of findPaths(text)) look(path);
    let before: string | undefined;
    let between: string[] = [];
    for (const { parts, isName } of splitWords(text)) {
      if (isName) look(nameTerm(parts));
      for (const each of parts) {
        if (!stems.has(stem(each))) {
          if (before !== undefined) between.push(each);
          continue;
        }
        const { term, weight, tags, meanings } = getWordInfo(each);
        if (weight === 0) continue;
        look(term);
        const pair = before === undefined ? undefined : this.#slots.get(pairTerm(before, term));
        if (pair !== undefined && between.every((word) => getWordInfo(word).weight === 0)) visit(pair);
        for (const tag of tags) look(tag);
        for (const meaning of meanings) look(meaning);
        before = term;
        between = [];
      }
    }
  }
}

/** What {@link toPlainRuns} contains, one of these at least, if {@link TermFinder.find} finds a term in the text. */
export function listStarts(term: string): readonly string[] {
  if (term.includes('/')) return [toPlainRuns(term) ?? ''];
  // The words of a pair are terms themselves.
  const word = /^[#~]/.test(term) ? term : term.slice(term.indexOf(' ') + 1);
  return [...new Set(listStems(word).flatMap((base) => startsLike(stemStart(base))))];
}

/** The stems of words that have a term: of a tag or meaning many, of a word its own. */
function listStems(term: string): readonly string[] {
  if (term.startsWith('#')) return listTagWords(term.slice(1)).map(stem);
  return term.startsWith('~') ? listMeaningWords(term).map(stem) : [term];
}

/** Adds tags as terms. */
export function addTags(terms: Terms, tags: readonly string[], strength: number): void {
  for (const tag of tags) addTerm(terms, `#${tag}`, strength);
}

/** The terms of a prompt: its meaningful words without duplicates; of a long prompt, the first ones. */
export function parsePromptTerms(prompt: string): PromptTerms {
  const words = new Map<string, PromptWord>();
  const pairs = new Map<string, PromptPair>();
  const text = prompt.replace(URL_PATTERN, ' ');
  let before: PromptWord | undefined;
  for (const path of findPaths(text)) addName(words, path, path);
  for (const { text: word, parts, isName } of splitWords(text)) {
    if (words.size >= MAX_WORDS) break;
    if (isName) addName(words, word, nameTerm(parts));
    for (const each of parts) {
      if (getWordInfo(each).weight === 0) continue;
      const now = addWord(words, each, isName ? nameTerm(parts) : undefined);
      if (before !== undefined && before.term !== now.term) {
        const term = pairTerm(before.term, now.term);
        pairs.set(term, {
          term,
          weight: Math.sqrt(getWordInfo(before.text).weight * getWordInfo(now.text).weight),
        });
      }
      before = now;
    }
  }
  return { words: Array.from(words.values()), pairs: Array.from(pairs.values()) };
}

function addName(words: Map<string, PromptWord>, text: string, term: string): void {
  if (words.has(term)) return;
  words.set(term, { text, term, weight: NAME_WEIGHT, related: [], isChore: false, isName: true });
}

function addWord(words: Map<string, PromptWord>, text: string, partOf: string | undefined): PromptWord {
  const { term, weight, isChore, tags, meanings } = getWordInfo(text);
  const known = words.get(term);
  if (known !== undefined) return known;
  const factor = (partOf === undefined ? 1 : PART_WEIGHT) * (tags.length === 0 ? 1 : SUBJECT_WEIGHT);
  const related = [
    ...meanings.map((each) => ({ term: each, share: SAME_MEANING, isMeaning: true })),
    ...tags.map((each) => ({ term: each, share: SAME_SUBJECT, isMeaning: false })),
  ];
  const fields = { text, term, weight: weight * factor, related, isChore, isName: false };
  const word: PromptWord = { ...fields, ...omitUndefined({ partOf }) };
  words.set(term, word);
  return word;
}

function addTerm(terms: Terms, term: string, strength: number): void {
  const known = terms.get(term);
  if (known === undefined || known < strength) terms.set(term, strength);
}

/** The term of a name, however it is written: `max_size`, `max-size` and `maxSize` are the same. */
function nameTerm(parts: readonly string[]): string {
  return stem(parts.join(''));
}

function pairTerm(first: string, second: string): string {
  return `${first} ${second}`;
}

function findPaths(text: string): readonly string[] {
  return Array.from(text.matchAll(PATH), ([path]) => path.toLowerCase());
}

/** What is known about a word, independent of the project. */
interface WordInfo {
  readonly term: string;
  /** How much it says about a subject, 0 to 1; 0 for single letters and numbers. */
  readonly weight: number;
  /** It names a chore that ends every task (commit, review), not a subject. */
  readonly isChore: boolean;
  /** The terms of its tags. */
  readonly tags: readonly string[];
  /** The terms of meanings that it shares with other words. */
  readonly meanings: readonly string[];
}

const MIN_WORD_LENGTH = 2;
const NUMBER = /^\d+$/;
const MAX_CACHED = 20_000;
const cache = new Map<string, WordInfo>();

/** The facts about a lower-case word, cached. */
function getWordInfo(word: string): WordInfo {
  const known = cache.get(word);
  if (known !== undefined) return known;
  const weight = word.length < MIN_WORD_LENGTH || NUMBER.test(word) ? 0 : findWeight(word);
  const facts = weight === 0 ? NO_SUBJECT : describeWord(word, weight);
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(word, facts);
  return facts;
}

/** What else is known about a word that says nothing is not asked for. */
const NO_SUBJECT: WordInfo = { term: '', weight: 0, isChore: false, tags: [], meanings: [] };

function describeWord(word: string, weight: number): WordInfo {
  const term = stem(word);
  const tags = findWordTags(word).map((tag) => `#${tag}`);
  return { term, weight, isChore: isChore(term), tags, meanings: findMeanings(term) };
}

/** Stop words of requests to a coding agent. */
const REQUEST_WORDS =
  'add agree agreed asap ask begin call case change check confused confusing continue create curious difference different disagree ehh end example feasible file find fix follow following fyi gah happen happens idea imo implement interesting lgtm lol long mind morning noted old outstanding part people point problem question quick read reason recommend recommendation regarding relevant remember remove scenario show strange suggest talk time times today tomorrow tonight understand update weird wonder word write yesterday';

/** Words of software work in general, which every project is full of. */
const TRADE =
  'actual allow api app application apply approach argument array basic behave behavior behaviour block body branch break broken bug build button calculate calculation cause certain ci class clean close code command commit commits compile complete component configure confirm consider console content context copy correct current custom data debug decide decision default define delete description design detail details detect dev develop developer diff directory disable document edit enable ensure entry error errors event exist expect explain fail failed failing fails failure feature features feedback field files flag folder format function functions generate git handle help implementation implementing import improve include info input install instruction instructions investigate issue issues item items job json key latest lib library line lines link lint linter list load local log logic logs main manage mention merge message method mode module move name names note number object open option options order output page parameter params pass path pattern plan previous print process product program project properly property provide pull push range recent recently refactor reference rename replace repository request require required response result results return reuse revert review root rule run running runs sample save script scripts search section select separate server service set settings setup share sharing shell side similar simple simplify single situation skip solve source spec specific specify split standard start state status step steps stop store string structure style suite summary support suppose switch system table target task tasks test testing tests text title todo tool tools track type types undo unit user users valid validate value values variable version view warning window workflow';

/** Everyday words. Their rarity in a project is chance and says nothing. */
const EVERYDAY =
  'adult afternoon age air amount animal annoy annoying answer apple april area arm art august autumn average baby bad bag ball bank bar bath beautiful bed beer best big bill bird birthday bit black blood blue board boat book born bottle bottom bowl box boy bread breakfast bright bring brother brown building bus business busy butter buy cake camera car card care carry cat catch center centre century chair chance chapter cheap chicken child children choice choose church cinema circle city clear clock cloth clothes cloud coffee cold collect color colour compare computer concert contact cook cookie corner cost count country couple cover crazy cream cross crowd cup customer customers cut dance dark date daughter day days dead deal dear death december decide deep degree depend dinner dirty doctor dog door double doubt draw dream dress drink drive drop dry ear early earth east easy eat egg eight eleven empty english enjoy enter equal euro evening exercise expensive experience extra eye face fact fair fall family famous far farm fast father favorite favourite fear february feed feel feet fence fifteen fifth fifty fight fill film final finger finish fire fish fit five flat flight floor flour flower fly food foot football forget forty found four fourth free fresh friday friend front fruit full fun funny future game garden gas gift girl glass goal gold gram grandmother grass green grey ground grow guest guide guitar hair half hall hand hang happy hard hat hate head health hear heart heat heavy height high hill history hit hold hole holiday home hope horse hospital hot hotel hour hours house huge hundred hungry hurt husband ice important include inside interest island jacket january join journey juice july jump june keen kid kids kill kilo kilogram kitchen knee knife lady lake land large late laugh law lead learn leave left leg lemon lesson letter life lift light lip listen live london lose loud love low luck lunch magic man march mark market married match matter meal measure meat meet meeting member men metal meter middle midnight mile milk million minute minutes miss mistake mix moment monday money month months moon mother mountain mouse mouth movie museum music narrow nature near neck neighbour news newspaper night nine noise noon normal north nose november nurse october offer office oil orange outside oven oxygen pack pain paint pair paper parent park party past pay peace pen pencil pepper perfect period person phone photo piano pick picture piece pink pipe place plane plant plate play player pocket poem police poor popular potato pound power practice prefer president price prize promise purple quality quarter quiet rain reach ready receive recipe red relax rent repeat rest restaurant rice rich ride ring rise river road rock roll room rose round row rub rule sad safe salad salt saturday school science sea season seat second seed sell send sense sentence september serious seven shape share sharp sheep ship shirt shoe shop short shoulder shower sick sign silver sing sister sit six size skin sky sleep slow small smart smell smile smoke snow social soft son song sort sound soup south space speak special speed spend sport spring square stage stairs stand star station stay stone storm story straight street strong student study subject sugar suit summer sun sunday supper surprise sweet swim tail tall taste tax tea teach teacher team tear ten term theatre thick thin third thirty thousand three throw thursday tired toddler tomato tone tooth top total touch tour town toy train travel tree trip trousers trunk truth tuesday turn twelve twenty twice uncle upper upstairs vacation vegetable video village visit voice volume vote walk wall war warm wash watch water weak wear weather wedding wednesday week weekend weeks weight welcome west wet white wide wife wild wind wine winter wish woman women wood wool world worry worth year years yellow young zero zoo';

/** Tools and services that occur in the requests of any project. */
const WORKPLACE =
  'agent agents amend bash bun chat checkout claude clone codex comment comments conversation copilot cursor draft editor fetch gemini github gitlab gpt http https id ide ids jira linear linux llm localhost macos markdown mcp md model node npm npx origin pip plugin pnpm pr prompt prs python readme rebase remote reply repo reviewer screenshot session sessions skill slack stash subagent sudo terminal ticket tmux token upstream url urls vscode windows workspace worktree yarn zsh';

/** Words of the chores that end every task: they name no subject. */
const CHORES =
  'address amend branch branches build changes changelog check checks chunk chunks ci clean cleanup comment comments commit commits conflict conflicts description diff draft feedback format formatter formatting issue issues latest lint linter linting main master meaningful merge message open origin pr prs pull push pushes readme rebase refactor resolve revert review reviewer reviews simplify squash summary test tests title undo';

/** Plain verbs and adjectives that apply to anything. */
const PLAIN =
  'accompany accomplish admit advise afford afraid afterward alive alright altogether amaze amazing ancient angry announce annual annoyed apologise apologize apparent appreciate argue arise arose arrange arrive aside aspect assist attend attention attract awake awesome awful awkward badly barely bear beat became beg begun believe bend bent bet bite blame blind blow bored boring borrow bother bought brave brief briefly brilliant broad brought brush burn burnt burst bury calm celebrate challenge charge chase cheer chose claim clever climb closely comfortable concern conclude conclusion confident conscious constantly convince corrupt crack creative cruel cry cute daily damage danger dangerous dare dealt decade decent decrease defend deliver deny deserve desire desperate die died dies dig disappear disappoint disappointing discover discuss dislike distance disturb divide drag drawn driven drove dug eager earn ease elegant embarrass embarrassing encourage engage enormous equally everywhere examine excellent excited exciting excuse expert explore extreme faint fallen familiar fancy fantastic fault fed fell felt fierce firm flew focus fold fond fool foolish forbid forbidden foreign forgive forgot forgotten fought frankly freeze frequent friendly frustrate frustrating gain gather gave generous gentle gently glad gladly glance grab gradually grand grateful greatly grew grown guilty guy habit hardly harm hasty heavily hesitate hire honest hopefully horrible hung hunt hurry ideal ill imagine impress impression incredible inform insist inspire instant intelligent intend invent invite joke judge junior kick knew knock laid largely lately lay lazy lean led lend lent lie likewise lit lonely lovely loyal lucky mad merely mess mild mood nasty naturally nearly neat nervous nevertheless nowhere obey occasion occasionally odd officially opinion opportunity organise organize outcome overcome owe pace paid painful partly patience patient pause peculiar perfectly permanent permit personal personally persuade plenty polite pour precious precisely predict presumably presume pretend pride proof propose proud prove punish quietly rang rapid rarely react realise realize recall recognise recognize recover refuse regard regret regularly relief remarkable remind repair research respond reveal rid risen rough rude ruin rush sake satisfy scare scared seek seldom sensible seriously settle severe shake shaken shame shine shiny shock shoot shortly shot shout shut shy significantly silly sink slept slight slightly slim slip slowly smooth sold solid somehow sought spell spent spill spin spite spoil spoke spoken spot spread squeeze stare steady steal steep stick stiff stole stolen stood strength stress stretch strike struck struggle stubborn stuck stupid suddenly suffer superb surely surround survive suspect suspicious swallow swear sweep swing taught tempt tend terrible thankful thereby thorough thoroughly threaten threw throws tidy tight tiny told tore torn tough treat trick trouble truly ugly ultimately understood unfair unhappy upset urge urgent useless valuable vanish vast virtually vital wake wander waste weigh whoever widely wild willing wipe wise woke wonderful wore worn worse worst wound';

/** Words that are common in manuals of any program: they may be a subject, but mostly are not. */
const MANUAL =
  'ability abort absolute abstract accept acceptable access accessible accidentally according accordingly account accuracy accurate achieve across act action active addition additional additionally addr address adjust advance advantage affect afterwards aka algorithm alias allocate allocation alone along alpha alt alter alternate alternative alternatively ambiguous among anonymous anymore apart appear append applicable applied appropriate appropriately arbitrary arch architecture arg arithmetic ascii assert assertion assign assignment associated assume attach attempt attr attribute author auto automatic automatically available avoid aware background backslash backward bare base basis become behind belong benefit besides beyond bigger bin blank bold boolean bound boundary braces bracket buffered buffering built builtin bunch bundles bypass byte cached callback caller cancel candidate canonical capabilities capable capture careful carefully category caught caution central chain channel char character charset chosen circular circumstances cleanup client cmd collection colon column combination combine comma common commonly compact comparison compatibility compatible compilation complain completely completion complex complicated compress compute concatenated concatenation concept condition conditional config configuration conflict conform confusion conjunction connect connection consist consistency consistent const constant construct construction constructor consult consume contain contributors control convenience convenient convention conversions convert copied core correctly correspond counter coverage crash creation critical currently customize cycle dashes debugger decimal declaration declare decoded decoding definition del delay delimited delimiter demand dependency dependent deprecated deprecation depth derived describe descriptor desirable desired despite destination destroy detection determine development device diagnostic dictionary differ differently difficult digit dir direct direction directives directly discard discouraged discussion disk dispatch display distinct distinction distinguish distribute distribution doc documentation domain dot dummy dump duplicate dynamic dynamically earlier easier easily echo edge effect effective effectively efficient efficiently effort elapsed element elsewhere embed emit emulate encoded encodings encountered encounters enforce engine entire entirely env environment epoch equivalent err escape essentially establish eval evaluate evaluation eventually exact exceed except exception exclude exclusive exec executable execute execution existence exit exp expand expansion experimental explanation explicit explicitly export expose expressed expression extend extension external extract extremely factor fairly fallback false faster fatal favor figure filename filesystem filter finally float flow flush force forever form former forward fraction frame framework frequently fully functionality furthermore general generally generation generic global globally grammar granted greater group guarantee guard handler handy header held helper helpful heuristic hex hidden hide hierarchy higher highest highly hint honored host human identical identified identifier identify identity idle ignore illegal image immediate immediately impact implications implicit implicitly implied implies impossible improvements inc incoming incompatible incomplete inconsistent incorrect increase increment indent indentation independent index indicate indices individual individually infinite infinity information inherit inheritance init initial initialization initialize initially inline inner insensitive insert inspect installation instance int integer integration intended interact interactive interface intermediate internal internally internet interpret interpretation interpreter interrupted interval introduced introduction invalid inverse invocation invoke involve iterate iteration kept keyword knowledge known label lack language larger largest latter launch layer layout leak legacy legal len length level likely limit limitation literal loader locally locate location logical longer lookup loop loose loss lost lower lowercase lowest machine macro mainly maintain maintainer major malformed management manager mandatory manipulate manner manual manually map marker mask master math max maximum meaningful meant mechanism memory met meta milliseconds min minimal minimum minor minus misc mod modern modification modified modify mostly msg mtime multiple namespace native natural nearest necessarily necessary negative nested nesting net newer newline newly non normalize normally notation notice notify null num numeric obj obsolete obtain obvious occur occurrence official offset often older omit operand operate operation operator opposed opposite opt optimization optimize optional optionally ordinary original originally outer overall overflow overhead overridden override overview overwrite overwritten owner package padding param parentheses parse parser partial partially particular particularly patch pathname payload pending perform performance permission permitted persistent phase placeholder plain platform plus pointer policy pool populate port portable portion pos position positional positive possibility possibly post potential potentially pre preceded precedence preceding precision preference prefix prepare prepend presence present preserve prevent previously primarily primary printable prior priority private proceed processor produce profile propagate proper protect protocol public published pure purely purpose qualified query quickly quit quote raise random rare rate raw readable reader readonly reasonable rebuild recognize record recurse recursion recursive recursively redirect redirection reduce redundant refer reflect regardless register registry regular reject related relationship relative relatively released releases reliable reliably reload rely remain remainder removal repeatedly replacement report represent representation requirement reserved reset resolution resolve resource respect respective respectively responsibility responsible restore restricted restriction retain retrieve reverse rewritten risk roughly routine runtime safely safer safety scale scan scheduled scheme scope screen sec secure segment selection self semantics sensitive sent sep separately separator sequence series serve shallow shift shortcut shorter shorthand shown shutdown signal signatures significant silent silently similarly simpler simplified simultaneously site slash slice slightly slot slower smaller smallest software solution somewhat span spawned specially specifically specification specified specifier src stable stack startup stat statement static statistics storage str strategy stream strict strictly strip strongly stuff sub subclass subdirectory subsequent subsequently subset substitute substring succeed success successful successfully sufficient suffix suitable sum super supplied supply suppress swap symbol symbolic synopsis syntax tab tag taken temp template temporarily temporary terminate therefore thrown timer timestamp tmp trace tracker traditional trailing transfer transform translate translation treat trigger trivial true truncate trust tuple typical typically unable unavailable unchanged uncompressed unconditionally undefined underlying underscore undocumented unexpected unfortunately unique universal unknown unless unlike unlikely unlink unnecessary unpack unsafe unset unsigned unspecified unsupported unused unusual upgrade uppercase usable usage useful usr usual util utility val validation var variant variety various vary verbatim verbose verification verified verify virtual visible visual void warn web whenever whereas whitespace width workaround wrap wrapper writable writer written wrote www yield';

/** The first list that contains a word counts. */
const weightLists: () => readonly (readonly [words: WordList, weight: number])[] = once(() => [
  [new WordList(REQUEST_WORDS), 0],
  [new WordList(TRADE), 0.3],
  [new WordList(WORKPLACE), 0.4],
  [new WordList(PLAIN), 0.4],
  [new WordList(EVERYDAY), 0.4],
  [new WordList(CHORES), 0.4],
  [new WordList(MANUAL), 0.5],
]);
/** Inflectional endings and their replacements. */
const ENDINGS: readonly (readonly [ending: string, plain: string])[] = [
  ['s', ''],
  ['es', ''],
  ['ies', 'y'],
  ['ed', ''],
  ['d', ''],
  ['ing', ''],
  ['ing', 'e'],
];
/** At least as many letters precede an ending. */
const MIN_BEFORE_ENDING = 2;

/** How much a word says about a subject in general, 0 to 1. */
function findWeight(word: string): number {
  const own = listedWeight(word);
  if (own !== undefined) return own;
  for (const [ending, plain] of ENDINGS) {
    if (!word.endsWith(ending) || word.length < ending.length + MIN_BEFORE_ENDING) continue;
    const weight = listedWeight(word.slice(0, -ending.length) + plain);
    if (weight !== undefined) return weight;
  }
  const single = undouble(word);
  return (single === undefined ? undefined : listedWeight(single)) ?? 1;
}

/** `stop` for stopped and stopping; undefined for other words. */
function undouble(word: string): string | undefined {
  const ending = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0;
  const end = word.length - ending - 1;
  return ending > 0 && end > MIN_BEFORE_ENDING && word[end] === word[end - 1] ? word.slice(0, end) : undefined;
}

function listedWeight(word: string): number | undefined {
  return isCommonWord(word) ? 0 : weightLists().find(([words]) => words.has(word))?.[1];
}

/** Whether a stem is that of a chore. A prompt of nothing else has no subject. */
function isChore(wordStem: string): boolean {
  return includesStem(CHORES, wordStem);
}
