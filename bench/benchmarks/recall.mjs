import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { manyDigests } from '../corpus/many-digests.mjs';
import { MARINA_PROMPTS, marinaDigests } from '../corpus/marina.mjs';
import { SHORT_ANSWERS, UNRELATED_PROMPTS } from '../corpus/unrelated-prompts.mjs';
import { quantile, timeOf } from '../measure.mjs';
import { recordCorpus } from '../replay-home.mjs';
import { atLeast, atMost, info } from '../runner/result.mjs';

const SESSIONS = 1_000;
const ROUNDS = 31;
const SILENT_ON = [...UNRELATED_PROMPTS, ...SHORT_ANSWERS];
const MIN_CONFIDENCE = 0.75;

/** Whether memory speaks up when it should and keeps silent when it should, and how fast. */
export const recall = {
  group: 'recall',
  description:
    'recall: silence on prompts that have nothing to do with a project, the right session on those that have',
  names: {
    'recall.answered': 'unrelated prompts and short answers that get anything, made-up project',
    'recall.right': 'prompts about earlier work that get the right session, made-up project',
    'recall.time': 'median time of opening the index of 1,000 sessions and answering',
    'recall.p95': 'p95 of the same',
    'recall.update': 'median time of taking a changed session into the index of 1,000',
    'recall.size': 'index of 1,000 sessions',
    'recall.replay.answered': 'unrelated prompts and short answers that get anything, replayed sessions',
    'recall.replay.right': 'prompts about earlier work that get the right session, replayed sessions',
    'recall.replay.first': 'of these, those that get it first',
    'recall.replay.held': 'of the prompts that were held out while tuning, those that get the right session',
  },
  async *run(context) {
    const product = {
      ...(await context.load('memory/recall/recall.js')),
      ...(await context.load('memory/recall/recall-snapshot.js')),
    };
    const marina = product.createRecallMemory(marinaDigests());
    const made = SILENT_ON.map((prompt) => ask(product, marina, prompt));
    yield atMost(
      'recall.answered',
      share(made, (answer) => answer !== undefined),
      '%',
      3,
    );
    const about = MARINA_PROMPTS.map(
      ({ prompt, sessionId }) => ask(product, marina, prompt)?.sessionId === sessionId,
    );
    yield atLeast('recall.right', share(about, Boolean), '%', 80);
    yield* speed(product, context);
    yield* replayed(product, context);
  },
};

function* speed(product, context) {
  const digests = manyDigests(SESSIONS);
  const byId = new Map(digests.map((digest) => [digest.sessionId, digest]));
  const source = { sessionCount: SESSIONS, all: () => digests, digest: (id) => byId.get(id) };
  const folder = context.folder('recall');
  product.updateRecallSnapshot(folder, source, { changed: [], rebuilt: true });
  const prompts = [...SILENT_ON, ...digests.slice(0, 60).map(({ requests }) => requests[0].text)];
  const times = prompts.map((prompt) =>
    timeOf(() => product.withRecallMemory(folder, source, [], (memory) => ask(product, memory, prompt))),
  );
  yield atMost('recall.time', quantile(times, 0.5), 'ms', 10);
  yield info('recall.p95', quantile(times, 0.95), 'ms');
  const updates = Array.from({ length: ROUNDS }, (_, round) =>
    timeOf(() =>
      product.updateRecallSnapshot(folder, source, { changed: [digests[round].sessionId], rebuilt: false }),
    ),
  );
  yield info('recall.update', quantile(updates, 0.5), 'ms');
  yield info('recall.size', statSync(join(folder, product.RECALL_FILE)).size / 1_000, 'kB');
}

async function* replayed(product, context) {
  const folder = join(context.shared, 'bench', 'replay');
  const corpora = existsSync(folder)
    ? readdirSync(folder).flatMap((name) =>
        name.endsWith('.jsonl.gz') ? [name.slice(0, -'.jsonl.gz'.length)] : [],
      )
    : [];
  if (corpora.length === 0) {
    context.say(`skipped replay: there are no sessions in ${folder} (--shared DIR says where they are)`);
    return;
  }
  const memories = new Map();
  for (const name of corpora) {
    context.say(`recording the sessions of ${name}`);
    memories.set(name, await memoryOf(product, context, join(folder, `${name}.jsonl.gz`), name));
  }
  const silent = [...memories.values()].flatMap((memory) =>
    SILENT_ON.map((prompt) => ask(product, memory, prompt)),
  );
  yield atMost(
    'recall.replay.answered',
    share(silent, (answer) => answer !== undefined),
    '%',
    3,
  );

  const file = join(context.shared, 'bench', 'recall', 'related.json');
  if (!existsSync(file)) {
    context.say(
      `skipped replay.right: there is no ${file}, an array of {corpus, prompt, right: [session ids], heldOut?}`,
    );
    return;
  }
  const related = JSON.parse(readFileSync(file, 'utf8')).filter(({ corpus }) => memories.has(corpus));
  const answers = new Map(
    related.map((each) => [each, ask(product, memories.get(each.corpus), each.prompt)]),
  );
  const isFirst = (each) => each.right.includes(answers.get(each)?.sessionId);
  const isRight = (each) =>
    isFirst(each) || (answers.get(each)?.otherSessionIds ?? []).some((id) => each.right.includes(id));
  yield atLeast('recall.replay.right', share(related, isRight), '%', 80);
  yield info('recall.replay.first', share(related, isFirst), '%');
  const held = related.filter(({ heldOut }) => heldOut);
  if (held.length > 0) yield atLeast('recall.replay.held', share(held, isRight), '%', 80);
}

async function memoryOf(product, context, file, name) {
  const { DigestStore } = await context.load('memory/digest/digest-store.js');
  const { directory } = await recordCorpus(context, file, context.folder(`replay-${name}`));
  const store = DigestStore.open(directory);
  store.update();
  return product.createRecallMemory(store.all());
}

function ask(product, memory, prompt) {
  return product.recall(prompt, memory, {
    minConfidence: MIN_CONFIDENCE,
    now: new Date('2026-08-01T00:00:00Z'),
  });
}

function share(list, isOne) {
  return (list.filter(isOne).length / list.length) * 100;
}
