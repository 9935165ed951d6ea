// Fits the weights of src/context/topics/weights.ts to sessions with known topic boundaries.
//   node scripts/fit-topics.mjs DATA [--dist DIR] [--terms N] [--dry]
// DATA is a folder of JSON files, one per corpus: [{"messages":[{"role","text"}],"boundaries":[index]}].
// The model is a logistic regression over all features, and over each feature times the session's register. Every corpus
// has the same total weight. The least important terms (by loss of likelihood, estimated from the second derivatives) are
// removed a few at a time until N are left.
// Prints Score = .5 F1 + .25 (1 - Pk) + .25 (1 - WindowDiff) for each corpus: cross-validated, with terms chosen without
// the held-out sessions, and on the training data. Deterministic.
// Build before, format and build again afterwards.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUTPUT = join(ROOT, 'src', 'context', 'topics', 'weights.ts');
const FOLDS = 4;
const RIDGE = 0.001;
/** Terms that are rarely active would get weights by chance. */
const MIN_SUPPORT = 0.05;
const REGISTERS = ['technical', 'taskOriented'];

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dist: { type: 'string', default: join(ROOT, 'dist') },
    terms: { type: 'string', default: '48' },
    dry: { type: 'boolean', default: false },
  },
});
const [data] = positionals;
if (data === undefined) {
  console.error('usage: node scripts/fit-topics.mjs DATA [--dist DIR] [--terms N] [--dry]');
  process.exit(2);
}
const load = (path) => import(pathToFileURL(resolve(options.dist, 'context', 'topics', path)).href);
const { featureRows, pickTopicStarts } = await load('segment-topics.js');

const corpora = readdirSync(data)
  .filter((name) => name.endsWith('.json'))
  .sort()
  .map((name) => ({ name: basename(name, '.json'), sessions: readSessions(join(data, name)) }));
const terms = listTerms(corpora[0].sessions[0].features[0]).filter(hasSupport);
for (const { sessions } of corpora) for (const session of sessions) session.rows = session.features.map(toRow);

console.log(`${terms.length} terms, ${options.terms} of them to keep, ${FOLDS} folds`);
for (let fold = 0; fold < FOLDS; fold++) {
  const model = fit((index) => index % FOLDS !== fold);
  for (const { sessions } of corpora) {
    for (let index = fold; index < sessions.length; index += FOLDS)
      sessions[index].heldOut = predict(model, sessions[index]);
  }
}
const model = fit(() => true);
for (const { name, sessions } of corpora) {
  const heldOut = mean(sessions.map((session) => score(session, session.heldOut)));
  const own = mean(sessions.map((session) => score(session, predict(model, session))));
  console.log(
    `${name.padEnd(14)} cross-validated ${heldOut.toFixed(3)}   fitted ${own.toFixed(3)}   ${sessions.length} sessions`,
  );
}
if (!options.dry) {
  writeFileSync(OUTPUT, formatWeights(model));
  console.log(`wrote ${OUTPUT}: ${model.kept.length} weights`);
}

function readSessions(path) {
  return JSON.parse(readFileSync(path, 'utf8')).map(({ messages, boundaries }) => ({
    count: messages.length,
    starts: new Set(boundaries),
    features: featureRows(messages),
  }));
}

function listTerms(features) {
  const names = Object.keys(features);
  const always = names.map((feature) => ({ feature, register: 'always' }));
  const scaled = names.filter((name) => !REGISTERS.includes(name));
  return [...always, ...scaled.flatMap((feature) => REGISTERS.map((register) => ({ feature, register })))];
}

/** Whether a term is active in enough gaps of some corpus. */
function hasSupport(term) {
  return corpora.some(({ sessions }) => {
    const gaps = sessions.flatMap(({ features }) => features);
    return gaps.filter((features) => Math.abs(termValue(term, features)) > 0.1).length > MIN_SUPPORT * gaps.length;
  });
}

function toRow(features) {
  return Float64Array.from(terms, (term) => termValue(term, features));
}

function termValue({ feature, register }, features) {
  return register === 'always' ? features[feature] : features[feature] * features[register];
}

/** Fits a model with the most important terms to the sessions whose index `isUsed` accepts. */
function fit(isUsed) {
  const rows = corpora.flatMap(({ sessions }) => {
    const used = sessions.filter((_, index) => isUsed(index));
    const gaps = used.reduce((sum, { count }) => sum + count - 1, 0);
    return used.flatMap(({ rows: own, starts }) =>
      own.map((values, index) => ({
        values,
        target: starts.has(index + 1) ? 1 : 0,
        share: 1 / gaps / corpora.length,
      })),
    );
  });
  const scale = standardise(rows);
  let kept = terms.map((_, index) => index);
  let state = iterate(scale.rows, kept, startAt(kept.length), 6);
  while (kept.length > Number(options.terms)) {
    const variances = inverseDiagonal(state.factor);
    const loss = kept.map((_, place) => state.weights[place] ** 2 / variances[place]);
    const dropCount = Math.min(kept.length - Number(options.terms), Math.max(1, Math.floor(kept.length / 40)));
    const dropped = new Set([...kept.keys()].sort((a, b) => loss[a] - loss[b]).slice(0, dropCount));
    const weights = state.weights.filter((_, place) => !dropped.has(place));
    kept = kept.filter((_, place) => !dropped.has(place));
    state = iterate(scale.rows, kept, weights, 2);
  }
  return unscaled(kept, iterate(scale.rows, kept, state.weights, 4).weights, scale);
}

function standardise(rows) {
  const means = terms.map((_, term) => rows.reduce((sum, { values, share }) => sum + share * values[term], 0));
  const deviations = terms.map(
    (_, term) =>
      Math.sqrt(rows.reduce((sum, { values, share }) => sum + share * (values[term] - means[term]) ** 2, 0)) || 1,
  );
  const scaled = rows.map((row) => ({
    ...row,
    values: row.values.map((value, term) => (value - means[term]) / deviations[term]),
  }));
  return { rows: scaled, means, deviations };
}

function unscaled(kept, weights, { means, deviations }) {
  const own = kept.map((term, place) => weights[place] / deviations[term]);
  const intercept = kept.reduce((sum, term, place) => sum - own[place] * means[term], weights[kept.length]);
  return { kept, weights: own, intercept };
}

function startAt(size) {
  const weights = new Float64Array(size + 1);
  weights[size] = -1.5;
  return weights;
}

/** Newton's method with a ridge on all weights but the intercept, which is the last. */
function iterate(rows, kept, start, times) {
  const size = kept.length;
  const weights = Float64Array.from(start);
  let factor;
  for (let time = 0; time < times; time++) {
    const { gradient, curvature } = derivatives(rows, kept, weights);
    for (let place = 0; place < size; place++) {
      curvature[place][place] += RIDGE;
      gradient[place] += RIDGE * weights[place];
    }
    factor = choleskyFactor(curvature);
    const step = solve(factor, gradient);
    for (let place = 0; place <= size; place++) weights[place] -= step[place];
  }
  return { weights, factor };
}

function derivatives(rows, kept, weights) {
  const size = kept.length;
  const gradient = new Float64Array(size + 1);
  const curvature = Array.from({ length: size + 1 }, () => new Float64Array(size + 1));
  const values = new Float64Array(size + 1).fill(1);
  for (const row of rows) {
    let sum = weights[size];
    for (let place = 0; place < size; place++) {
      values[place] = row.values[kept[place]];
      sum += weights[place] * values[place];
    }
    const probability = 1 / (1 + Math.exp(-sum));
    const error = (probability - row.target) * row.share;
    const variance = Math.max(1e-6, probability * (1 - probability)) * row.share;
    for (let place = 0; place <= size; place++) {
      gradient[place] += error * values[place];
      const weighted = variance * values[place];
      const line = curvature[place];
      for (let other = 0; other <= place; other++) line[other] += weighted * values[other];
    }
  }
  return { gradient, curvature };
}

function choleskyFactor(matrix) {
  const factor = matrix.map((line) => new Float64Array(line.length));
  for (let row = 0; row < matrix.length; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = matrix[row][column];
      for (let k = 0; k < column; k++) sum -= factor[row][k] * factor[column][k];
      factor[row][column] = row === column ? Math.sqrt(Math.max(sum, 1e-12)) : sum / factor[column][column];
    }
  }
  return factor;
}

function solve(factor, right) {
  const result = Float64Array.from(right);
  for (let row = 0; row < result.length; row++) {
    for (let k = 0; k < row; k++) result[row] -= factor[row][k] * result[k];
    result[row] /= factor[row][row];
  }
  for (let row = result.length - 1; row >= 0; row--) {
    for (let k = row + 1; k < result.length; k++) result[row] -= factor[k][row] * result[k];
    result[row] /= factor[row][row];
  }
  return result;
}

function inverseDiagonal(factor) {
  return factor.map((_, column) => {
    const inverse = new Float64Array(factor.length);
    inverse[column] = 1 / factor[column][column];
    let sum = inverse[column] ** 2;
    for (let row = column + 1; row < factor.length; row++) {
      for (let k = column; k < row; k++) inverse[row] -= factor[row][k] * inverse[k];
      inverse[row] /= factor[row][row];
      sum += inverse[row] ** 2;
    }
    return sum;
  });
}

function predict({ kept, weights, intercept }, { rows }) {
  const probabilities = rows.map((values) => {
    const sum = kept.reduce((total, term, place) => total + weights[place] * values[term], intercept);
    return 1 / (1 + Math.exp(-sum));
  });
  return [0, ...probabilities];
}

function score({ count, starts }, probabilities) {
  const found = new Set(pickTopicStarts(probabilities).map(({ index }) => index));
  const width = Math.max(2, roundHalfToEven(count / (starts.size + 1) / 2));
  const windows = count - width + 1;
  let [missed, differing] = [0, 0];
  for (let first = 1; first <= windows; first++) {
    const [wanted, got] = [starts, found].map(
      (set) => [...set].filter((at) => at >= first && at < first + width).length,
    );
    if (wanted > 0 !== got > 0) missed++;
    if (wanted !== got) differing++;
  }
  const hits = [...found].filter((at) => starts.has(at)).length;
  const f1 = hits > 0 ? (2 * hits) / (starts.size + found.size) : 0;
  return windows > 0 ? 0.5 * f1 + 0.25 * (1 - missed / windows) + 0.25 * (1 - differing / windows) : 0.5 * f1 + 0.5;
}

function roundHalfToEven(value) {
  const floor = Math.floor(value);
  return value - floor === 0.5 ? floor + (floor % 2) : Math.round(value);
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function formatWeights({ kept, weights, intercept }) {
  const features = new Map();
  for (const [place, term] of kept.entries()) {
    const { feature, register } = terms[term];
    features.set(feature, [...(features.get(feature) ?? []), `${register}: ${toDigits(weights[place])}`]);
  }
  const lines = [...features].map(([feature, own]) => `    ${feature}: { ${own.join(', ')} },`);
  return `// Generated by scripts/fit-topics.mjs. Change the features or the script, not the numbers.

/** A fitted logistic model of topic boundaries. */
export interface TopicWeights {
  readonly intercept: number;
  /** What each feature adds to the log-odds. */
  readonly features: Readonly<Record<string, FeatureWeight>>;
}

/** The weight of a feature in every session, plus weights that scale with the session's register. */
interface FeatureWeight {
  readonly always?: number;
${REGISTERS.map((register) => `  readonly ${register}?: number;`).join('\n')}
}

/** The weights that ship: ${kept.length}, fitted to public dialogues and steps of coding agents, one set for all. */
export const TOPIC_WEIGHTS: TopicWeights = {
  intercept: ${toDigits(intercept)},
  features: {
${lines.join('\n')}
  },
};
`;
}

function toDigits(value) {
  return Number(value.toPrecision(4));
}
