import { createRandom } from '../corpus/random.mjs';
import { createTextMaker } from '../corpus/text.mjs';
import { createVocabulary } from '../corpus/vocabulary.mjs';

/** Commands of typical projects; `one` tests a single file. */
const TOOLS = [
  { test: 'npm test', lint: 'npm run lint', build: 'npm run build', one: (path) => `npx vitest run ${path}` },
  {
    test: 'pnpm test -- --run',
    lint: 'pnpm lint',
    build: 'pnpm build',
    one: (path) => `pnpm vitest ${path}`,
  },
  {
    test: 'uv run pytest -q',
    lint: 'uv run ruff check .',
    build: 'uv build',
    one: (path) => `uv run pytest ${path} -x`,
  },
  {
    test: 'cargo test',
    lint: 'cargo clippy -- -D warnings',
    build: 'cargo build --release',
    one: (path) => `cargo test --test ${path}`,
  },
  {
    test: 'go test ./...',
    lint: 'golangci-lint run',
    build: 'go build ./...',
    one: (path) => `go test ./${path} -run Case`,
  },
  { test: 'make check', lint: 'make lint', build: 'make', one: (path) => `make check FILE=${path}` },
];
const INSPECTIONS = [
  'git status --short',
  'git status',
  'git diff --stat',
  'git log --oneline -5',
  'git branch --show-current',
];

/**
 * Generates sessions, deterministic per seed. In each task some files are read, edited and tested until the tests pass,
 * then linted and committed. Later tasks return to files of earlier ones.
 * @param {{seed: string, sessions: number, tasks: number}} options
 * @returns {import('./replayed-sessions.mjs').Step[][]}
 */
export function generateSessions({ seed, sessions, tasks }) {
  const vocabulary = createVocabulary();
  return Array.from({ length: sessions }, (_, index) => {
    const random = createRandom(`${seed}-${index}`);
    return generateSession(random, createTextMaker(vocabulary, random), tasks);
  });
}

function generateSession(random, text, tasks) {
  const root = random.chance(0.5) ? `/home/${text.word()}/${text.word()}/` : '';
  const project = { random, text, root, tools: random.pick(TOOLS), known: [], errors: [], steps: [] };
  for (let count = 0; count < tasks; count++) addTask(project);
  return project.steps;
}

function addTask(project) {
  const { random, text, root, tools, known, steps } = project;
  steps.push({ kind: 'prompt', text: text.request() });
  const files = Array.from({ length: random.between(1, 4) }, () =>
    known.length > 0 && random.chance(0.45) ? random.pick(known) : root + text.path(),
  );
  known.push(...files);
  if (random.chance(0.6)) run(project, random.pick(INSPECTIONS));
  for (const path of files) look(project, path);
  for (let round = random.between(1, 4); round > 0; round--) {
    edit(project, random.pick(files));
    if (round > 1 && random.chance(0.7)) fail(project, random.chance(0.5) ? tools.test : tools.one(random.pick(files)));
  }
  if (random.chance(0.3)) run(project, tools.one(random.pick(files)));
  run(project, tools.test);
  if (random.chance(0.6)) run(project, tools.lint);
  if (random.chance(0.3)) run(project, tools.build);
  if (random.chance(0.5)) run(project, `git commit -am "${text.word()} ${text.word()} ${text.word()}"`);
}

function look({ random, text, steps }, path) {
  const output = Array.from({ length: random.between(10, 60) }, () => text.reply().slice(0, 120)).join('\n');
  if (random.chance(0.5)) steps.push(command(`sed -n '1,${random.between(80, 400)}p' ${path}`, output));
  else
    steps.push({
      kind: 'tool',
      tool: 'Read',
      text: path,
      input: { file_path: path },
      output,
      worked: true,
      failed: false,
    });
  if (random.chance(0.5)) steps.push(command(`rg -n ${text.word()} ${path}`, text.output()));
}

function edit({ text, steps }, path) {
  const input = { file_path: path, old_string: text.reply(), new_string: text.reply() };
  const output = `The file ${path} has been updated.`;
  steps.push({
    kind: 'edit',
    tool: 'Edit',
    text: path,
    paths: [path],
    input,
    output,
    worked: true,
    failed: false,
  });
}

function run({ text, steps, random }, line) {
  steps.push(command(line, Array.from({ length: random.between(1, 12) }, () => text.output()).join('\n')));
}

function fail({ random, text, errors, steps }, line) {
  const error = errors.length > 0 && random.chance(0.3) ? random.pick(errors) : text.failure();
  errors.push(error);
  steps.push({ ...command(line, `${text.output()}\n${error}\n1 failed`), worked: false, failed: true });
}

function command(line, output) {
  return {
    kind: 'command',
    tool: 'Bash',
    text: line,
    input: { command: line },
    output,
    worked: true,
    failed: false,
  };
}
