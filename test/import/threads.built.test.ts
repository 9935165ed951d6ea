import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ImportOptions, ImportReport, importTranscripts } from '../../src/import/index.ts';
import type { openHome } from '../../src/project/index.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { ClaudeSession, TestMachine } from './machine.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const DIST = join(root, 'dist');
const NOW = Date.parse('2026-03-05T09:00:00.000Z');
const PROJECTS = ['app', 'tool', 'site'];

interface Built {
  readonly importTranscripts: typeof importTranscripts;
  readonly openHome: typeof openHome;
}

async function load(dist = DIST): Promise<Built> {
  const moduleAt = (path: string) => import(pathToFileURL(join(dist, path)).href);
  return { ...(await moduleAt('project/index.js')), ...(await moduleAt('import/index.js')) };
}

/** A copy of the build whose worker runs other code first. */
function buildWithWorker(script: string): string {
  const folder = temporaryFolder();
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const dist = join(folder, 'dist');
  cpSync(DIST, dist, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  renameSync(join(dist, 'import', 'import-worker.js'), join(dist, 'import', 'real-worker.js'));
  writeFileSync(join(dist, 'import', 'import-worker.js'), script);
  return dist;
}

/** Sessions in several projects, with sub-agents and forks. */
function machineWith(sessions: readonly { readonly project: number; readonly turns: number }[]): TestMachine {
  const machine = new TestMachine();
  for (const [at, { project, turns }] of sessions.entries()) {
    const cwd = join(machine.user, PROJECTS[project] ?? 'app');
    mkdirSync(cwd, { recursive: true });
    const id = `aaaa1111-0000-4000-8000-${String(at).padStart(12, '0')}`;
    const session = new ClaudeSession(id, cwd, at * 600);
    for (let turn = 0; turn < turns; turn++) {
      session
        .asks(`do the thing ${turn} of ${at}`)
        .runs(`${id}-${turn}`, `npm run task-${turn}`, turn % 3 === 0 ? 'sh: vite: not found' : 'done', turn % 3 === 0)
        .says(`Done with ${turn}.`);
    }
    machine.write(session);
    if (at % 2 === 0) machine.write({ ...session, id: `fork-of-${at}`, text: session.text } as ClaudeSession);
  }
  return machine;
}

async function run(
  machine: TestMachine,
  built: Built,
  name: string,
  options: Partial<ImportOptions> = {},
): Promise<ImportReport> {
  const home = built.openHome({ home: join(machine.folder, name), now: () => NOW, env: {} });
  const places = { home: machine.user, env: {}, platform: 'linux', projects: [] } as const;
  try {
    return await built.importTranscripts(home, { places, now: () => NOW, learn: false, ...options });
  } finally {
    home.close();
  }
}

/** Delays this thread until another one has died; otherwise it would be done before the others have started. */
async function letOthersDieFirst(dist: string, death: string): Promise<void> {
  const { SourceImporter } = await import(pathToFileURL(join(dist, 'import', 'source-importer.js')).href);
  const { importSource } = SourceImporter.prototype;
  SourceImporter.prototype.importSource = async function (...found: unknown[]): Promise<void> {
    await expect.poll(() => existsSync(death), { timeout: 20_000 }).toBe(true);
    return importSource.apply(this, found);
  };
}

/** The logs of all projects, file by file. */
function recordsIn(machine: TestMachine, name: string): Readonly<Record<string, string>> {
  const folder = join(machine.folder, name, 'projects');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.jsonl'));
  return Object.fromEntries(files.toSorted().map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}

function locksIn(machine: TestMachine, name: string): readonly string[] {
  return readdirSync(join(machine.folder, name, 'imports')).filter((file) => file.endsWith('.lock'));
}

const MANY = [0, 1, 2, 0, 1, 2, 1].map((project) => ({ project, turns: 40 }));

describe('importing in several threads', () => {
  it('gives the same records in the same order, and the same report, as one thread', async () => {
    const built = await load();
    const session = fc.record({ project: fc.nat(2), turns: fc.integer({ min: 1, max: 12 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(session, { minLength: 2, maxLength: 8 }), async (sessions) => {
        const machine = machineWith(sessions);
        const one = await run(machine, built, 'one', { threads: 1 });
        const several = await run(machine, built, 'several', { threads: 3 });
        expect(recordsIn(machine, 'several')).toEqual(recordsIn(machine, 'one'));
        expect({ ...several, projects: several.projects.toSorted() }).toEqual({
          ...one,
          projects: one.projects.toSorted(),
        });
        expect(await run(machine, built, 'several', { threads: 3 })).toMatchObject({
          projects: [],
          prompts: 0,
        });
      }),
      { numRuns: 3 },
    );
  });

  it('reports the progress of all threads together', async () => {
    const machine = machineWith(MANY);
    const reported: number[] = [];
    let total = 0;
    await run(machine, await load(), 'yore', {
      threads: 2,
      onProgress: (progress) => {
        reported.push(progress.done);
        total = progress.total;
      },
    });
    expect(reported).toEqual(reported.toSorted((a, b) => a - b));
    expect(reported.every((done) => done <= total)).toBe(true);
  });

  it('stops all threads on request and continues from there', async () => {
    const built = await load();
    const machine = machineWith(MANY);
    const stopped = run(machine, built, 'yore', {
      threads: 2,
      onProgress: () => {
        throw new Error('enough');
      },
    });
    await expect(stopped).rejects.toThrow('enough');
    expect(locksIn(machine, 'yore')).toEqual([]);
    await run(machine, built, 'yore', { threads: 2 });
    await run(machine, built, 'whole', { threads: 1 });
    expect(recordsIn(machine, 'yore')).toEqual(recordsIn(machine, 'whole'));
  });

  it('reports a thread that cannot start, and keeps what was read', async () => {
    const machine = machineWith(MANY);
    const broken = await load(buildWithWorker(`throw new Error('no such thread');`));
    await expect(run(machine, broken, 'yore', { threads: 2 })).rejects.toMatchObject({
      code: 'STORAGE',
      message: expect.stringMatching(/thread of the import ended early: no such thread.*import again/),
    });
    await run(machine, await load(), 'yore');
    await run(machine, await load(), 'whole');
    expect(recordsIn(machine, 'yore')).toEqual(recordsIn(machine, 'whole'));
  });

  it('loses nothing when a thread dies while reading a transcript', async () => {
    const machine = machineWith(MANY);
    const death = join(machine.folder, 'death');
    const dist = buildWithWorker(`
      import { writeFileSync } from 'node:fs';
      import { SourceImporter } from './source-importer.js';
      const importSource = SourceImporter.prototype.importSource;
      SourceImporter.prototype.importSource = function (found) {
        return importSource.call(this, found, () => {
          writeFileSync(${JSON.stringify(death)}, '');
          process.exit(3);
        });
      };
      await import('./real-worker.js');
    `);
    const dying = await load(dist);
    await letOthersDieFirst(dist, death);
    await expect(run(machine, dying, 'yore', { threads: 3 })).rejects.toMatchObject({
      code: 'STORAGE',
      message: expect.stringContaining('exit code 3'),
    });
    expect(locksIn(machine, 'yore')).toEqual([]);
    await run(machine, await load(), 'yore', { threads: 1 });
    await run(machine, await load(), 'whole', { threads: 1 });
    const sorted = (name: string): readonly (readonly string[])[] =>
      Object.values(recordsIn(machine, name)).map((text) => text.split('\n').toSorted());
    expect(sorted('yore')).toEqual(sorted('whole'));
  });
});
