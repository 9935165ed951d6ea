import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLogLines } from '../../src/log/index.ts';
import { parseAttempt, parseHistoryRecord } from '../../src/record/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

const CORPUS = new URL('../../bench/corpus.mjs', import.meta.url).href;

interface Corpus {
  readonly home: string;
  readonly messages: number;
  readonly attempts: number;
  readonly projects: readonly string[];
  readonly progress: readonly string[];
}

/** Generates a corpus in a process whose temporary folder is `folder`. */
function generate(folder: string, messages = 600): Corpus {
  const code = `
    const { ensureCorpus } = await import(${JSON.stringify(CORPUS)});
    const progress = [];
    const corpus = ensureCorpus({ messages: ${messages}, log: (text) => progress.push(text) });
    console.log(JSON.stringify({ ...corpus, progress }));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    env: { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder },
    encoding: 'utf8',
  });
  if (stderr) throw new Error(stderr);
  return JSON.parse(stdout);
}

function logsIn({ home, projects }: Corpus): { name: string; text: string }[] {
  return projects.flatMap((project) =>
    readdirSync(join(home, 'projects', project))
      .sort()
      .map((name) => ({
        name: `${project}/${name}`,
        text: readFileSync(join(home, 'projects', project, name), 'utf8'),
      })),
  );
}

describe('the benchmark corpus', () => {
  it('is deterministic', () => {
    const [one, two] = [generate(temporaryFolder()), generate(temporaryFolder())];
    expect(one.home).not.toBe(two.home);
    expect(logsIn(one)).toEqual(logsIn(two));
  });

  it('has the requested number of valid records in time order', () => {
    const corpus = generate(temporaryFolder());
    const counts = { history: 0, failures: 0, successes: 0 };
    for (const project of corpus.projects) {
      for (const log of ['history', 'failures', 'successes'] as const) {
        let last = '';
        for (const { text } of readLogLines(join(corpus.home, 'projects', project, `${log}.jsonl`))) {
          const parsed = log === 'history' ? parseHistoryRecord(JSON.parse(text)) : parseAttempt(JSON.parse(text));
          if (!parsed.ok) throw new Error(text);
          expect(parsed.record.timestamp >= last).toBe(true);
          last = parsed.record.timestamp;
          counts[log]++;
        }
      }
    }
    expect(counts.history).toBe(corpus.messages);
    expect(corpus.messages).toBe(600);
    expect(counts.failures + counts.successes).toBe(corpus.attempts);
    expect(counts.failures).toBeGreaterThan(0);
  });

  it('is reused if it is complete, and generated again if it is not', () => {
    const folder = temporaryFolder();
    const first = generate(folder);
    expect(generate(folder).progress.join()).not.toContain('generating');
    rmSync(join(first.home, 'corpus.json'));
    rmSync(join(first.home, 'projects', first.projects[0] ?? '', 'history.jsonl'));
    const again = generate(folder);
    expect(again.progress.join()).toContain('generating');
    expect(logsIn(again)).toEqual(logsIn(first));
  });
});
