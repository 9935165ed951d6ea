import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appendRecord, type LogName, openSegmentPath, rotate } from '../../../src/log/index.ts';
import { DigestStore } from '../../../src/memory/digest/digest-store.ts';
import { buildKnowledge } from '../../../src/memory/knowledge/synthesise.ts';
import { temporaryFolder } from '../../temp-folder.ts';

const LOGS: readonly LogName[] = ['history', 'failures', 'successes'];
const REQUESTS = [
  'Add Redis caching',
  'Fix the login form',
  'yes',
  'Write release notes for the API',
  'Add Redis metrics',
];
const COMMANDS = [
  'npm test',
  'npm run build',
  'npm install left',
  'npm install right',
  'python x.py',
  'python3 x.py',
  'ls lost',
];
const KINDS = ['test', 'build', 'install', 'run', 'edit', 'create', 'commit', 'push', 'read', 'feedback', undefined];
const CLASSES = ['missing', 'usage', 'environment', 'state', 'transient', 'feedback', undefined];

const time = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 0, max: 4_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(-900_000, 40_000_000) },
);
const shared = {
  sessionId: fc.constantFrom('a', 'b', 'c'),
  minute: time,
  context: fc.option(fc.constantFrom(...REQUESTS), { nil: undefined }),
  command: fc.option(fc.constantFrom(...COMMANDS), { nil: undefined }),
  path: fc.constantFrom('src/a.ts', 'src/b.ts'),
};
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('message' as const),
      ...shared,
      isUser: fc.boolean(),
      text: fc.constantFrom(...REQUESTS),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('success' as const), ...shared, kind: fc.constantFrom(...KINDS) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('failure' as const),
      ...shared,
      kind: fc.constantFrom(...CLASSES),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('update' as const), ...shared }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('rotate' as const), ...shared, log: fc.constantFrom(...LOGS) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), ...shared }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const START = Date.parse('2025-11-01T00:00:00.000Z');

function write(folder: string, one: Step, index: number): void {
  const { sessionId, minute, context, command, path } = one;
  const common = {
    v: 1,
    id: `${index}`,
    sessionId,
    timestamp: new Date(START + minute * 60_000).toISOString(),
  };
  if (one.do === 'message') {
    const role = one.isUser ? 'user' : 'assistant';
    const content = one.isUser ? one.text : `Done: I added ${one.text} to the project`;
    appendRecord(openSegmentPath(folder, 'history'), { ...common, role, content });
  } else if (one.do === 'forget') {
    appendRecord(openSegmentPath(folder, 'history'), { ...common, kind: 'tombstone' });
  } else if (one.do === 'success' || one.do === 'failure') {
    const call = command === undefined ? { path } : { command, signature: `sh ${command}` };
    appendRecord(openSegmentPath(folder, one.do === 'success' ? 'successes' : 'failures'), {
      ...common,
      outcome: one.do,
      ...call,
      ...(context === undefined ? {} : { context }),
      ...(one.kind === undefined ? {} : { kind: one.kind }),
      ...(one.do === 'failure'
        ? { error: `error: cannot do ${command ?? path}` }
        : { result: '[main 1a2b3c4] Change' }),
    });
  } else if (one.do === 'rotate') rotate(folder, one.log);
}

function contentOf(store: DigestStore) {
  const at = '2025-11-20T00:00:00.000Z';
  return {
    digests: store.all(),
    counts: JSON.parse(JSON.stringify(store.counts)) as unknown,
    knowledge: buildKnowledge({ counts: store.counts, digest: (id) => store.digest(id), at }),
  };
}

function copyOfLogs(folder: string): string {
  const copy = temporaryFolder();
  mkdirSync(copy, { recursive: true });
  for (const name of readdirSync(folder)) {
    if (!name.startsWith('digest')) copyFileSync(join(folder, name), join(copy, name));
  }
  return copy;
}

test('incremental updates give the same digests and counts as a rebuild', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 70, size: 'max' }), (steps) => {
      const folder = temporaryFolder();
      for (const [index, one] of steps.entries()) {
        if (one.do === 'update') DigestStore.open(folder).update();
        else write(folder, one, index);
      }
      const grown = DigestStore.open(folder);
      grown.update();
      const rebuilt = DigestStore.open(copyOfLogs(folder));
      rebuilt.update();
      expect(contentOf(grown)).toEqual(contentOf(rebuilt));
      expect(contentOf(DigestStore.open(folder))).toEqual(contentOf(grown));
    }),
    { numRuns: 60 },
  );
});

test('bounds the size of a digest and keeps the first and the latest requests', () => {
  const folder = temporaryFolder();
  for (let index = 0; index < 1_500; index++) {
    const base = {
      v: 1,
      id: `${index}`,
      sessionId: 's',
      timestamp: new Date(START + index * 60_000).toISOString(),
    };
    const context = `Rewrite the parser of module ${index} ${'and more '.repeat(80)}`;
    if (index % 3 === 0) appendRecord(openSegmentPath(folder, 'history'), { ...base, role: 'user', content: context });
    else if (index % 3 === 1)
      appendRecord(openSegmentPath(folder, 'successes'), {
        ...base,
        outcome: 'success',
        path: `src/${index}/${'long'.repeat(100)}.ts`,
        kind: 'edit',
        context,
        tags: Array.from({ length: 30 }, (_, tag) => `tag-${index}-${tag}`),
      });
    else
      appendRecord(openSegmentPath(folder, 'failures'), {
        ...base,
        outcome: 'failure',
        command: `make ${index} ${'x'.repeat(5_000)}`,
        error: `error: ${'y'.repeat(5_000)}`,
        signature: `sh make ${index}`.repeat(100),
        kind: 'usage',
        context,
      });
  }
  const store = DigestStore.open(folder);
  store.update();
  const [digest] = store.all();
  expect(digest?.requests.length).toBeLessThanOrEqual(40);
  expect(digest?.requests[0]?.text).toContain('module 0');
  expect(digest?.requests.at(-1)?.text).toContain('module 149');
  expect(JSON.stringify(digest).length).toBeLessThan(60_000);
  expect(JSON.stringify(store.counts).length).toBeLessThan(300_000);
});
