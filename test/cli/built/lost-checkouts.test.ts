import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { createPlace, type Place, yore, yoreJson } from './run-yore.ts';

/** A session of Codex in a folder that no longer exists, with the remote that it had. */
function transcribe(place: Place, day: number, cwd: string): void {
  const id = `019c0000-0000-7000-8000-00000000000${day}`;
  const line = (type: string, payload: object) => ({ timestamp: `2026-05-0${day}T10:00:00.000Z`, type, payload });
  const git = { branch: 'main', repository_url: 'https://example.com/tea/kettle.git' };
  const lines = [
    line('session_meta', { id, cwd, git, timestamp: `2026-05-0${day}T10:00:00.000Z` }),
    line('event_msg', { type: 'user_message', message: `Warm pot ${day}`, images: [] }),
  ];
  const name = `rollout-2026-05-0${day}T10-00-00-${id}.jsonl`;
  const path = join(place.folder, '.codex', 'sessions', '2026', '05', `0${day}`, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
}

it.each([
  ['first', ['kettle__worktrees/lid/results/try-1', 'kettle', 'kettle.worktrees/spout']],
  ['last', ['kettle__worktrees/lid/results/try-1', 'kettle.worktrees/spout', 'kettle']],
])('the path of a project whose checkouts are all gone is that of the main one: %s', (_, folders) => {
  const place = createPlace();
  const gone = join(place.folder, 'gone');
  for (const [index, folder] of folders.entries()) {
    transcribe(place, index + 1, join(gone, folder));
    yore(place, ['import', 'codex']);
  }
  expect(yoreJson(place, ['projects'])).toMatchObject({
    projects: [{ name: 'kettle', path: join(gone, 'kettle'), sessions: 3 }],
  });
});
