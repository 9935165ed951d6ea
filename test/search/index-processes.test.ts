import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { SearchIndex } from '../../src/search/index.ts';
import { dumpStore } from '../store/dump-store.ts';
import { temporaryFolder } from '../temp-folder.ts';

const DIST = fileURLToPath(new URL('../../dist/search/index.js', import.meta.url));
const RECORDS = 10_000;
/** Few distinct words and many bytes: several transactions, but little to compare. */
const LONG_WORD = `${'word'.repeat(12)} `;

/** A home with one log that takes several transactions to index. */
function homeWithLog(): {
  readonly home: string;
  readonly sources: readonly { readonly id: string; readonly directory: string }[];
} {
  const home = temporaryFolder();
  const directory = join(home, 'p');
  mkdirSync(directory);
  const lines = Array.from({ length: RECORDS }, (_, n) =>
    JSON.stringify({
      v: 1,
      id: `${n}-id`,
      sessionId: `s${n % 50}`,
      timestamp: new Date(1.76e12 + n).toISOString(),
      role: 'user',
      content: `number${n} ${LONG_WORD.repeat(40)}`,
    }),
  );
  writeFileSync(join(directory, 'history.jsonl'), `${lines.join('\n')}\n`);
  return { home, sources: [{ id: 'p', directory }] };
}

function catchUpIn(home: string, sources: unknown): ChildProcess {
  const code = `import { SearchIndex } from ${JSON.stringify(DIST)};
    const index = SearchIndex.open(${JSON.stringify(home)});
    // A process that has waited too long for another leaves the rest to its next time.
    while (!index.catchUp(${JSON.stringify(sources)}, { onProgress: (done) => console.log(done) }).complete);
    index.close();`;
  return spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('close', resolve));

function contents(home: string, sources: Parameters<SearchIndex['catchUp']>[0]): readonly string[] {
  const index = SearchIndex.open(home);
  index.catchUp(sources);
  try {
    expect(index.counts()).toMatchObject({ sessions: 50, messages: RECORDS });
    expect(index.search({ text: 'number9999' }).hits).toHaveLength(1);
    return dumpStore(home);
  } finally {
    index.close();
  }
}

describe('concurrent catch-up', () => {
  it('gives the same index as a single process, even when some processes are killed', async () => {
    const { home, sources } = homeWithLog();
    for (let round = 0; round < 4; round++) {
      const child = catchUpIn(home, sources);
      const end = ended(child);
      await Promise.race([new Promise((resolve) => child.stdout?.once('data', resolve)), end]);
      child.kill('SIGKILL');
      await end;
    }
    const children = Array.from({ length: 3 }, () => catchUpIn(home, sources));
    expect(await Promise.all(children.map(ended))).toEqual([0, 0, 0]);
    const single = join(home, 'single');
    mkdirSync(single);
    expect(contents(home, sources)).toEqual(contents(single, sources));
  }, 120_000);
});
