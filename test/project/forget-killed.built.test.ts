import { spawn } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openHome } from '../../src/project/index.ts';
import { createPlace, environment, MAIN, type Place, yore, yoreJson } from '../cli/built/run-yore.ts';

const MARKER = 'quaxolotl';
const SESSION = 'aaaa1111-0000-4000-8000-000000000001';
const KEPT = 'bbbb1111-0000-4000-8000-000000000002';
/** Milliseconds after the deletion has begun. It takes about a third of a second. */
const DELAYS = [0, 10, 40, 80, 140, 220];

/** A home with two sessions in a project, the first with a marker in its messages, prompts, attempts, labels and a pin. */
function fillHome(place: Place): void {
  const home = openHome({ home: place.home, env: {} });
  const project = home.openProject(place.cwd);
  for (const [sessionId, word] of [
    [SESSION, MARKER],
    [KEPT, 'changelog'],
  ] as const) {
    const recorder = project.recorder();
    const timestamp = new Date().toISOString();
    recorder.recordPrompt({ sessionId, text: `write the ${word} for me`, timestamp, agent: 'claude-code' });
    for (let call = 0; call < 20; call++) {
      recorder.record(
        { sessionId, callId: `${word}-${call}`, tool: 'Bash', input: { command: `./${word}${call} --all` }, timestamp },
        { status: 'error', exitCode: 127, output: `${word}${call}: command not found` },
      );
    }
    home.prompts.defer(`write the ${word} for me`, project.info.projectHash);
    project.labelSession(sessionId, { title: `My ${word}`, starred: true, tags: [word] });
  }
  const [failure] = project.memory.failures({ all: true }).filter(({ what }) => what.includes(MARKER));
  project.memory.choose('pin', failure?.id ?? '');
  home.search({ text: MARKER });
  home.close();
}

function filesWithMarker(home: string): readonly string[] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => join(item.parentPath, item.name))
    .filter((path) => readFileSync(path, 'latin1').toLowerCase().includes(MARKER));
}

/** The same home in another folder, for another attempt. */
function copyOf(template: Place, attempt: number): Place {
  const place = { ...template, home: join(template.folder, `home-${attempt}`) };
  cpSync(template.home, place.home, { recursive: true });
  return place;
}

/** Kills `yore forget` some time after it has written down what it is going to delete. */
async function killForget(place: Place, delay: number): Promise<void> {
  const child = spawn(process.execPath, [MAIN, 'forget', '--session', SESSION, '--yes'], {
    cwd: place.cwd,
    env: environment(place),
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const deletions = join(place.home, 'deletions');
  while (
    child.exitCode === null &&
    !(existsSync(deletions) && readdirSync(deletions).some((name) => name.endsWith('.json')))
  ) {
    await setTimeout(1);
  }
  await setTimeout(delay);
  child.kill('SIGKILL');
  await ended;
}

test('a forget that is killed at any point is finished by the next command', async () => {
  const template = createPlace();
  fillHome(template);
  expect(filesWithMarker(template.home).length).toBeGreaterThan(3);
  let interrupted = 0;
  for (let attempt = 0; attempt < DELAYS.length || interrupted < 3; attempt++) {
    expect(attempt).toBeLessThan(60);
    const delay = DELAYS[attempt] ?? 0;
    const place = copyOf(template, attempt);
    await killForget(place, delay);
    if (filesWithMarker(place.home).length > 0) interrupted++;
    const again = yore(place, ['forget', '--session', SESSION, '--yes']);
    expect(`${again.code} ${again.stderr}`).toMatch(/^0 Finished deleting session aaaa1111|^3 .*no session/s);
    expect(filesWithMarker(place.home), `killed after ${delay} ms`).toEqual([]);
    expect(readdirSync(join(place.home, 'deletions'))).toEqual([]);
    const { sessions } = yoreJson(place, ['sessions']) as {
      readonly sessions: readonly { readonly sessionId: string }[];
    };
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual([KEPT]);
    expect(yore(place, ['doctor']).stdout).toContain('All logs are readable');
  }
});

test('doctor finishes a deletion that was interrupted and says so', async () => {
  const template = createPlace();
  fillHome(template);
  let place: Place;
  let attempt = 0;
  do {
    expect(attempt).toBeLessThan(60);
    place = copyOf(template, attempt++);
    await killForget(place, 0);
  } while (readdirSync(join(place.home, 'deletions')).length === 0);
  const { findings } = yoreJson(place, ['doctor']) as { readonly findings: readonly { readonly area: string }[] };
  expect(findings.filter(({ area }) => area === 'forget')).toMatchObject([
    { ok: true, message: `Finished deleting session ${SESSION}, which had been interrupted.` },
  ]);
  expect(filesWithMarker(place.home)).toEqual([]);
});
