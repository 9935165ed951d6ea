import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MARINA_PROMPTS, recordMarina } from '../corpus/marina.mjs';
import { SHORT_ANSWERS, UNRELATED_PROMPTS } from '../corpus/unrelated-prompts.mjs';
import { measureTime, quantile } from '../measure.mjs';
import { recordCorpus } from '../replay.mjs';
import { atLeast, atMost, info } from '../runner/result.mjs';
import { readQuestions } from '../scorers/find.mjs';

const MAX_UNRELATED_PERCENT = 2;
/** What is recalled for the subject of a commit should be the session that it came from: a little below what was measured. */
const MIN_RIGHT_PERCENT = { other: 70, said: 95 };

/** Whether recall finds the right session for related prompts and nothing for unrelated ones, and how fast it is. */
export const recall = {
  group: 'recall',
  description: 'nothing recalled for prompts that are unrelated to a project, the right session for related ones',
  names: {
    'recall.answered': 'unrelated prompts for which something is recalled, fictional project',
    'recall.short': 'short replies ("yes", "go on") for which something is recalled, fictional project',
    'recall.right': 'prompts about earlier work for which the right session is recalled, fictional project',
    'recall.time': 'median time of recall for unrelated prompts, recorded sessions',
    'recall.p95': 'p95 of the same',
    'recall.replay.answered': 'unrelated prompts for which something is recalled, recorded sessions',
    'recall.replay.short': 'short replies for which something is recalled, recorded sessions',
    'recall.find.other':
      'prompts that are subjects of commits, in other words than the session: recall.find.other.answered (something is recalled), of these .right (the session that the commit came from) and .first (it is first)',
    'recall.find.said': 'the same for subjects that the session has word for word',
    'recall.replay.right': 'prompts about earlier work for which the right session is recalled, recorded sessions',
    'recall.replay.first': 'the same, with the right session first',
    'recall.replay.held': 'the same for prompts that were held out while tuning',
  },
  async *run(context) {
    const marina = await createMarina(context);
    yield* measureSilence([marina], 'recall', atMost);
    const isFound = MARINA_PROMPTS.map(({ prompt, sessionId }) => marina.recall(prompt)?.sessionId === sessionId);
    yield atLeast('recall.right', share(isFound, Boolean), '%', 80);
    yield* measureReplayed(context);
  },
};

async function createMarina(context) {
  const { openHome } = await context.load('project/index.js');
  const folder = context.folder('recall');
  const cwd = join(folder, 'marina');
  mkdirSync(cwd);
  const project = openHome({ home: join(folder, 'home') }).openProject(cwd);
  recordMarina(project.recorder(), cwd);
  project.maintain();
  return project.memory;
}

async function* measureReplayed(context) {
  const folder = context.recorded.replay;
  const corpora = existsSync(folder)
    ? readdirSync(folder).flatMap((name) => (name.endsWith('.jsonl.gz') ? [name.slice(0, -'.jsonl.gz'.length)] : []))
    : [];
  if (corpora.length === 0) {
    context.log(`skipped recall.replay: no recorded sessions in ${folder} (set --shared DIR or --corpus DIR)`);
    return;
  }
  const memories = new Map();
  for (const name of corpora) memories.set(name, await createMemory(context, join(folder, `${name}.jsonl.gz`)));
  const most = context.isKnownCorpus ? atMost : info;
  yield* measureSilence([...memories.values()], 'recall.replay', most);
  const times = UNRELATED_PROMPTS.flatMap((prompt) =>
    [...memories.values()].map((memory) => measureTime(() => memory.recall(prompt))),
  );
  yield atMost('recall.time', quantile(times, 0.5), 'ms', 10);
  yield info('recall.p95', quantile(times, 0.95), 'ms');
  yield* measureSubjects(context);

  const file = join(context.shared, 'bench', 'recall', 'related.json');
  if (!existsSync(file)) {
    context.log(
      `skipped recall.replay.right: no ${file}, an array of {corpus, prompt, right: [session ids], heldOut?}`,
    );
    return;
  }
  const related = JSON.parse(readFileSync(file, 'utf8')).filter(({ corpus }) => memories.has(corpus));
  const answers = new Map(related.map((each) => [each, memories.get(each.corpus).recall(each.prompt)]));
  const isFirst = (each) => each.right.includes(answers.get(each)?.sessionId);
  const isRight = (each) =>
    isFirst(each) || (answers.get(each)?.otherSessionIds ?? []).some((id) => each.right.includes(id));
  yield atLeast('recall.replay.right', share(related, isRight), '%', 80);
  yield info('recall.replay.first', share(related, isFirst), '%');
  const held = related.filter(({ heldOut }) => heldOut);
  if (held.length > 0) yield atLeast('recall.replay.held', share(held, isRight), '%', 80);
}

/** Whether recall is silent when nothing earlier is meant. */
function* measureSilence(memories, name, most) {
  const answered = (prompts) =>
    share(
      memories.flatMap((memory) => prompts.map((prompt) => memory.recall(prompt))),
      (answer) => answer !== undefined,
    );
  yield most(`${name}.answered`, answered(UNRELATED_PROMPTS), '%', MAX_UNRELATED_PERCENT);
  yield most(`${name}.short`, answered(SHORT_ANSWERS), '%', 0);
}

/** What recall says to the subjects of commits, as if somebody were about to do the same work again. */
async function* measureSubjects(context) {
  const answers = [];
  for (const { events, queries } of readQuestions(context.recorded)) {
    const memory = await createMemory(context, events);
    for (const query of queries) answers.push({ ...query, answer: memory.recall(query.text) });
  }
  if (answers.length === 0) {
    context.log(`skipped recall.find: no questions in ${context.recorded.find}`);
    return;
  }
  const least = context.isKnownCorpus ? atLeast : info;
  for (const group of ['other', 'said']) {
    const asked = answers.filter((each) => each.group === group);
    const answered = asked.filter(({ answer }) => answer !== undefined);
    const isFirst = ({ sessions, answer }) => sessions.includes(answer.sessionId);
    const isRight = (each) => isFirst(each) || each.answer.otherSessionIds.some((id) => each.sessions.includes(id));
    context.log(`${group}: something is recalled for ${answered.length} of ${asked.length} subjects`);
    if (asked.length > 0)
      yield info(
        `recall.find.${group}.answered`,
        share(asked, (each) => answered.includes(each)),
        '%',
      );
    if (answered.length === 0) continue;
    yield least(`recall.find.${group}.right`, share(answered, isRight), '%', MIN_RIGHT_PERCENT[group]);
    yield info(`recall.find.${group}.first`, share(answered, isFirst), '%');
  }
}

/** The memory of the sessions in a corpus; made once per run. */
function createMemory(context, file) {
  return context.once(`recall of ${file}`, async () => {
    context.log(`recording the sessions of ${file}`);
    const project = await recordCorpus(context, file, context.folder(`recall-${file.replace(/\W+/g, '-')}`));
    project.maintain();
    return project.memory;
  });
}

function share(list, isCounted) {
  return (list.filter(isCounted).length / list.length) * 100;
}
