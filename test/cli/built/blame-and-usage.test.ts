import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openHome, type UsageReport } from '../../../src/project/index.ts';
import { createPlace, type Place, yore, yoreJson } from './run-yore.ts';

const UNICODE = { env: { LANG: 'C.UTF-8' } };

/** A session that wrote a file and reported its usage. */
function recorded(): Place {
  const place = createPlace();
  const home = openHome({ home: place.home });
  const project = home.openProject(place.cwd);
  const session = { sessionId: 'cache-1', agent: 'codex' } as const;
  const text = 'const cache = new Map();\n';
  const call = { ...session, outcome: 'success', context: 'Add a cache', tool: 'Write' } as const;
  project.record({ ...call, path: 'src.ts', args: { content: text } });
  const usage = { inputTokens: 1000, outputTokens: 200, cacheReadTokens: 30_000, cacheWriteTokens: 4000 };
  const reply = { ...session, role: 'assistant', content: 'Done.', usage } as const;
  project.history.append({ ...reply, model: 'claude-sonnet-4-5' });
  project.history.append({ ...reply, model: 'home-grown-7b' });
  home.close();
  writeFileSync(join(place.cwd, 'src.ts'), `${text}\tconst size  = 5;\n`);
  return place;
}

it('yore usage prints the same sums as the library, in each grouping', () => {
  const place = recorded();
  const home = openHome({ home: place.home });
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const report = home.usage({ timeZone });
  home.close();
  for (const by of ['day', 'model', 'agent', 'project'] as const) {
    const printed = yoreJson(place, ['usage', '--by', by]) as UsageReport;
    expect(printed).toMatchObject({ by, total: report.total, groups: report.by[by] });
  }
  expect(yoreJson(place, ['usage', '--by', 'session', '--project', '.'])).toMatchObject({
    groups: [{ key: 'cache-1', projectName: 'my-app', ...report.topSessions[0] }],
  });
  const { stdout } = yore(place, ['usage', '--by', 'model'], UNICODE);
  expect(stdout).toMatch(/^All projects · about \$0\.03 \(50 %\) · 70\.4k tokens · \d+ s active · 1 session$/m);
  expect(stdout).toMatch(/^claude-sonnet-4-5 +\$0\.03 +1\.00k +200 +30\.0k +4\.00k/m);
  expect(stdout).toMatch(/^home-grown-7b +unknown +1\.00k/m);
  expect(stdout).toMatch(/35\.2k tokens are of\s+models without a known price\./);
  for (const [columns, head] of [
    ['100', /^day +cost +input +output +cache read +cache write +active +sessions$/m],
    ['70', /^day +cost +input +output +active +sessions$/m],
    ['40', /^day +cost +sessions$/m],
  ] as const)
    expect(yore(place, ['usage'], { env: { ...UNICODE.env, COLUMNS: columns } }).stdout).toMatch(head);
  expect(yore(place, ['usage', '--until', '2020-01-01']).stdout).toBe(
    'All projects: no usage recorded in that time.\n',
  );
  expect(yore(createPlace(), ['usage']).stdout).toBe('All projects: no usage recorded yet.\n');
});

it('yore blame prints the origin of lines', () => {
  const place = recorded();
  const { stdout } = yore(place, ['blame', 'src.ts'], UNICODE);
  expect(stdout).toMatch(
    /^Add a cache\ncodex · just now · cache-1 · not committed\n {2}1 {2}const cache = new Map\(\);\n\nno session recorded · not committed\n {2}2 {4}const size {2}= 5;\n$/,
  );
  expect(yore(place, ['blame', '--project', 'my-app', 'src.ts'], { ...UNICODE, cwd: place.home }).stdout).toBe(stdout);
  expect(yore(place, ['blame', 'src.ts:2']).stdout).not.toContain('Add a cache');
  expect(yoreJson(place, ['blame', 'src.ts:1-2'])).toMatchObject({
    path: 'src.ts',
    git: false,
    ranges: [{ from: 1, to: 1, basis: 'text', change: { sessionId: 'cache-1', request: 'Add a cache' } }, { from: 2 }],
  });
  expect(yore(place, ['blame', 'src.ts:7'])).toMatchObject({ code: 2, stderr: expect.stringContaining('no line 7') });
  expect(yore(place, ['blame', 'none.ts'])).toMatchObject({ code: 4 });
  expect(yore(place, ['blame'])).toMatchObject({ code: 2 });
  expect(yore(place, ['blame', '--commit', '1a2b3c4']).stdout).toContain('No recorded session made that commit.');
});
