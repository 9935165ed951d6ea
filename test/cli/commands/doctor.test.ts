import { mkdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runDoctor } from '../../../src/cli/commands/data/doctor.ts';
import { Output, type Sink } from '../../../src/cli/output/output.ts';
import { logActivity } from '../../../src/hook/hook-log.ts';
import { openHome } from '../../../src/project/index.ts';
import { addUnknownParts } from '../../../src/recording/transcript/unknown-parts.ts';
import { put } from '../../install/machine.ts';
import { temporaryFolder } from '../../temp-folder.ts';

const NOW = Date.UTC(2026, 10, 16, 9);

/** A machine on which Claude Code was used, and what `yore doctor` prints there. */
function setUp() {
  const folder = realpathSync(temporaryFolder());
  vi.stubEnv('HOME', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(homedir()).toBe(folder);
  mkdirSync(join(folder, '.claude'));
  const home = join(folder, '.yore');
  const doctor = async (): Promise<string> => {
    let text = '';
    const sink: Sink = {
      write: (part) => {
        text += part;
        return true;
      },
      drained: async () => undefined,
      terminal: { isTerminal: false, rows: 500, columns: 500, colour: false, unicode: true },
    };
    const output = new Output(sink, sink, () => NOW);
    const opened = openHome({ home, env: {}, now: () => NOW });
    const env = { HOME: folder, PATH: '' };
    const context = { output, env, cwd: folder, now: () => NOW, homeOption: home, openHome: async () => opened };
    await runDoctor(context, [], {});
    opened.close();
    return text;
  };
  return { folder, home, doctor };
}

describe.runIf(process.platform !== 'win32')('yore doctor', () => {
  it('gives no tick to an agent that yore is not installed into, or to paused recording', async () => {
    const { home, doctor } = setUp();
    const text = await doctor();
    expect(text).toMatch(
      /⚠ recording +No agent is set up, so nothing is recorded as you work\. To set them up: yore init\n/,
    );
    expect(text).toMatch(
      /○ claude-code +Not installed\. To install: yore init\n\nNo problems found\. 1 step left for you/,
    );
    expect(text).not.toContain('Recording is on');
    put(home, 'config.json', '{"recording": {"enabled": false}}');
    expect(await doctor()).toMatch(/○ recording +Recording is paused everywhere\./);
  });

  it('names what it did not understand of an agent', async () => {
    const { home, doctor } = setUp();
    mkdirSync(home, { recursive: true, mode: 0o700 });
    logActivity(home, 'claude-code', { type: 'stop', at: NOW - 60_000, durationMs: 20 });
    const part = { reason: 'unknown line: sparkle', count: 2, path: '/t/one.jsonl', lastAt: NOW - 1000 };
    addUnknownParts(home, 'claude-code', [part], NOW);
    expect(await doctor()).toMatch(
      /○ claude-code +Not installed\. .*unknown line: sparkle \(2, such as in \/t\/one\.jsonl\)\. A newer yore may\. To install: yore init\n/,
    );
  });
});
