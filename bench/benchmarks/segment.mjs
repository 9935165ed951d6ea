import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sampleTexts } from '../corpus.mjs';
import { measureTime, median } from '../measure.mjs';
import { atLeast, atMost, info } from '../runner/result.mjs';

const ROUNDS = 5;
const FEW = 1_000;
const MANY = 10_000;

/** How well topic boundaries are found without a model, if the labelled data is available, and how fast. */
export const segment = {
  group: 'segment',
  description: 'topic boundaries: speed on long sessions, and quality, measured by the scorer of bench/segmentation',
  names: {
    'segment.speed': 'speed in a session of 10,000 messages',
    'segment.growth': 'time per message in a session of 10,000 messages, relative to one of 1,000',
    'segment.dialseg711': 'Score on dialogues about several errands',
    'segment.tiage': 'Score on small talk',
    'segment.agentseg': 'Score on steps of coding agents with several tasks',
    'segment.sure': 'share of boundaries with confidence ≥ 0.5 that are within one message of a true one',
  },
  async *run(context) {
    const { segmentTopics } = await context.load('context/topics/segment-topics.js');
    const messages = sampleTexts(MANY).map((text, index) => ({
      role: index % 2 ? 'assistant' : 'user',
      text,
    }));
    const perMessage = { few: [], many: [] };
    for (let round = 0; round < ROUNDS; round++) {
      perMessage.few.push(measureTime(() => segmentTopics(messages.slice(0, FEW))) / FEW);
      perMessage.many.push(measureTime(() => segmentTopics(messages)) / MANY);
    }
    yield info('segment.speed', 1_000 / median(perMessage.many), 'messages/s');
    yield atMost('segment.growth', median(perMessage.many) / median(perMessage.few), '×', 2);

    const scorer = join(context.shared, 'bench', 'segmentation', 'score.mjs');
    if (!existsSync(scorer)) {
      context.log(`skipped the scores: no ${scorer} (set --shared DIR)`);
      return;
    }
    const { datasets } = await score(context, scorer);
    const { dialseg711, tiage, agentseg } = datasets;
    yield atLeast('segment.dialseg711', dialseg711.score, 'Score', 0.7);
    yield atLeast('segment.tiage', tiage.score, 'Score', 0.48);
    yield atLeast('segment.agentseg', agentseg.score, 'Score', 0.75);
    yield info('segment.sure', shareOfConfident([dialseg711, tiage, agentseg]) * 100, '%');
  },
};

async function score(context, scorer) {
  const adapter = join(context.root, 'bench', 'adapters', 'segment.mjs');
  const command = [process.execPath, adapter, '--dist', context.dist];
  const { stdout } = await promisify(execFile)(process.execPath, [scorer, '--json', '--', ...command], {
    maxBuffer: 1e8,
  });
  return JSON.parse(stdout);
}

function shareOfConfident(datasets) {
  const sure = datasets.flatMap(({ confident }) => confident ?? []);
  const count = sure.reduce((sum, { boundaries }) => sum + boundaries, 0);
  return count === 0 ? 0 : sure.reduce((sum, { boundaries, withinOne }) => sum + boundaries * withinOne, 0) / count;
}
