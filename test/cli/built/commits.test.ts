import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ClaudeSession } from '../../import/machine.ts';
import { createPlace, environment, type Place, yore, yoreJson } from './run-yore.ts';

/** When the calls of the transcript run: a minute for each of its lines. */
const at = (minute: number): string => new Date(Date.parse('2026-03-02T09:00:30.000Z') + minute * 60_000).toISOString();

function git(place: Place, date: string, ...args: readonly string[]): string {
  const dates = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  return execFileSync('git', [...identity, ...args], {
    cwd: place.cwd,
    env: environment(place, dates),
    encoding: 'utf8',
  }).trim();
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function transcribe(place: Place, session: ClaudeSession): void {
  write(join(place.folder, '.claude', 'projects', 'my-app', `${session.id}.jsonl`), session.text);
}

const SESSION = 'aaaa1111-0000-4000-8000-000000000001';

/** A repository in which an agent tested and committed quietly, and what was amended since. */
function worked(): Place & { readonly hash: string } {
  const place = createPlace();
  git(place, at(0), 'init', '--quiet', '--initial-branch=main');
  write(join(place.cwd, 'src/cache.ts'), 'export const size = 5;\n');
  write(join(place.cwd, 'test/cache.test.ts'), '');
  git(place, at(3), 'add', '--all');
  git(place, at(3), 'commit', '--quiet', '-m', 'Cache answers');
  const hash = git(place, at(3), 'rev-parse', 'HEAD');
  git(place, at(90), 'commit', '--quiet', '--amend', '-m', 'Cache all answers');
  transcribe(
    place,
    new ClaudeSession(SESSION, place.cwd)
      .asks('Cache the answers')
      .runs('c1', 'npx vitest run test/cache.test.ts test/gone.test.ts', 'Tests  3 passed')
      .runs('c2', "git add -A && git commit -q -m 'Cache answers'", '')
      .says('Done.'),
  );
  return { ...place, hash };
}

function attempts(place: Place): readonly Readonly<Record<string, unknown>>[] {
  const lines = yore(place, ['export', '--session', SESSION]).stdout.trim().split('\n');
  return lines.map((line) => JSON.parse(line)).filter(({ outcome }) => outcome !== undefined);
}

describe('a commit that an agent made quietly', () => {
  it('has its hash, message and files, and a test run has the files that it ran', () => {
    const place = worked();
    yore(place, ['import', 'claude-code']);
    expect(attempts(place)).toMatchObject([
      { kind: 'test', testFiles: ['test/cache.test.ts'] },
      { commit: { hash: place.hash, message: 'Cache answers', files: ['src/cache.ts', 'test/cache.test.ts'] } },
    ]);
  });

  it('is found by its hash and its files, and is counted once', () => {
    const place = worked();
    yore(place, ['import', 'claude-code']);
    expect(yoreJson(place, ['blame', '--commit', place.hash])).toMatchObject({ sessions: [{ sessionId: SESSION }] });
    expect(yoreJson(place, ['blame', 'src/cache.ts'])).toMatchObject({ ranges: [{ commit: {} }] });
    expect(yoreJson(place, ['recap', '--all'])).toMatchObject({
      totals: { commits: 1, files: 2 },
      days: [
        { sessions: [{ files: expect.arrayContaining(['src/cache.ts']), commits: [{ message: 'Cache answers' }] }] },
      ],
    });
    expect(yoreJson(place, ['timeline'])).toMatchObject({ days: [{ commits: 1 }] });
  });

  it('loses nothing else if its repository is gone', () => {
    const place = worked();
    rmSync(place.cwd, { recursive: true });
    yore({ ...place, cwd: place.folder }, ['import', 'claude-code']);
    const [tested, committed] = attempts({ ...place, cwd: place.folder });
    expect(tested).toMatchObject({ kind: 'test', outcome: 'success' });
    expect(tested).not.toHaveProperty('testFiles');
    expect(committed).toMatchObject({ outcome: 'success' });
    expect(committed).not.toHaveProperty('commit');
  });

  it('is looked up without running what the repository configures', () => {
    const place = worked();
    const trap = join(place.folder, 'trap.sh');
    write(trap, `#!/bin/sh\ntouch ${join(place.folder, 'ran')}\n`);
    chmodSync(trap, 0o755);
    for (const key of [
      'core.pager',
      'core.fsmonitor',
      'diff.external',
      'diff.x.textconv',
      'diff.x.command',
      'gpg.program',
    ])
      git(place, at(91), 'config', key, trap);
    git(place, at(91), 'config', 'log.showSignature', 'true');
    write(join(place.cwd, '.gitattributes'), '* diff=x\n');
    yore(place, ['import', 'claude-code']);
    expect(attempts(place)).toMatchObject([{}, { commit: { hash: place.hash } }]);
    expect(() => execFileSync('test', ['-e', join(place.folder, 'ran')])).toThrow();
  });
});
