import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ClaudeSession as Transcript } from '../../import/machine.ts';
import { createPlace, environment, type Place, yore, yoreJson } from './run-yore.ts';

const MINUTES_PER_DAY = 1440;
const START = Date.parse('2026-03-02T09:00:00.000Z');

/** What agents did in a project, in transcripts, and what yore says about it afterwards. */
class Recorded {
  readonly place: Place = createPlace();
  #sessions = 0;

  /** A session that began so many days and an hour ago. */
  session(daysAgo: number, tell: (transcript: Transcript) => unknown): this {
    const minute = Math.floor((Date.now() - START) / 60_000) - daysAgo * MINUTES_PER_DAY - 60;
    const id = `${String(++this.#sessions).padStart(8, '0')}-0000-4000-8000-000000000001`;
    const transcript = new Transcript(id, this.place.cwd, minute);
    tell(transcript);
    const path = join(this.place.folder, '.claude', 'projects', 'my-app', `${id}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, transcript.text);
    yore(this.place, ['import', 'claude-code']);
    return this;
  }

  json(...args: readonly string[]): unknown {
    return yoreJson(this.place, args);
  }

  text(...args: readonly string[]): string {
    return yore(this.place, args, { env: { COLUMNS: '240' } }).stdout;
  }

  ask(question: string): string {
    return yore(this.place, ['chat'], { input: `${question}\n`, env: { COLUMNS: '240' } }).stdout;
  }

  /** Everything that a person or an agent is recorded about failures. */
  everyDoor(command: string): string {
    return [
      this.text('failures', '--all'),
      this.text('check', '--', ...command.split(' ')),
      this.text('knowledge'),
      this.text('recap', '--all'),
      this.ask('what failed?'),
      this.ask(command),
    ].join('\n');
  }
}

const MISSING = 'npm error code E404\nnpm error 404 Not Found - GET https://registry.example/redis-node';

describe('what worked instead', () => {
  it.each([
    ['docker ps', 'bash: docker: command not found', 'which docker || echo "Docker not found on PATH"'],
    ['npm install redis-node', MISSING, 'npm install left-pad'],
  ])('of %s is no probe, and nothing else that was installed', (failed, output, later) => {
    const recorded = new Recorded().session(1, (s) =>
      s.asks('Set up the services').runs('a', failed, output, true).runs('b', later, 'done').says('Done.'),
    );
    const said = recorded.everyDoor(failed);
    expect(said).toContain(failed);
    expect(said).not.toContain(later);
  });

  it.each([
    ['bun run format:check', 'Checked 4 files.\nerror: Some files are not formatted: src/a.ts', 'bun run lint:fix'],
    ['redis-cli -h localhost -p 6379 ping', 'bash: redis-cli: command not found', 'nc -z localhost 6379'],
    [
      'pnpm install',
      'ERR_PNPM_UNEXPECTED_STORE  Unexpected store location\nThe dependencies are linked from another store.',
      'CI=true pnpm install --no-frozen-lockfile',
    ],
  ])('of %s is named by lists, the guard and the chat', (failed, output, fix) => {
    const recorded = new Recorded().session(1, (s) =>
      s
        .asks('Check the project')
        .runs('a', failed, output, true)
        .runs('b', fix, 'done')
        .runs('c', failed.startsWith('bun') ? failed : 'true', 'done')
        .says('Done.'),
    );
    const { past } = recorded.json('failures') as { past: { failures: readonly { what: string; fix?: string }[] } };
    expect(past.failures).toMatchObject([{ what: failed, fix }]);
    expect(recorded.ask('what failed?')).toContain(fix);
  });

  it('of a file that is missing is no package that was installed', () => {
    const recorded = new Recorded().session(3, (s) =>
      s
        .asks('Start the app')
        .runs('a', 'python app.py', "FileNotFoundError: [Errno 2] No such file or directory: 'config.yml'", true)
        .runs('b', 'pip install requests', 'Successfully installed requests')
        .says('Done.'),
    );
    expect(recorded.everyDoor('python app.py')).not.toContain('pip install requests');
  });
});

describe('why a command failed', () => {
  it('has each of its causes, however often it failed', () => {
    const output = (line: string) => `Found 1 error.\n${line}\nFAIL\tgithub.com/tea/kettle [build failed]\nFAIL`;
    const recorded = new Recorded().session(1, (s) =>
      s
        .asks('Make the lid test pass')
        .runs('a', 'go test ./lid', output('lid/lid.go:12:2: undefined: heat'), true)
        .runs(
          'b',
          'go test ./lid',
          output('lid/lid.go:14:9: cannot use x (variable of type int) as string value'),
          true,
        )
        .runs('c', 'go test ./lid', '--- FAIL: TestLid (0.00s)\n    lid_test.go:8: got 3, want 4\nFAIL', true)
        .says('It fails.'),
    );
    const { past } = recorded.json('failures') as { past: { failures: readonly { causes: readonly object[] }[] } };
    const causes = past.failures[0]?.causes as readonly { error: string; count: number }[];
    expect(causes.map(({ count }) => count)).toEqual([1, 1, 1]);
    const errors = causes.map(({ error }) => error).join('\n');
    for (const line of ['undefined: heat', 'cannot use x', 'got 3, want 4']) expect(errors).toContain(line);
    for (const line of ['Found 1 error', 'build failed', '(0.00s)\n']) expect(errors).not.toContain(line);
    expect(recorded.text('check', '--', 'go', 'test', './lid')).toMatch(/3 times|failed/);
  });
});

describe('what is open', () => {
  it('is no conflict that the next call resolved', () => {
    const recorded = new Recorded().session(1, (s) =>
      s
        .asks('Rebase the branch onto main')
        .runs(
          'a',
          'git rebase origin/main',
          'CONFLICT (content): Merge conflict in lid.go\nerror: could not apply 3999d95',
          true,
        )
        .runs('b', 'git rebase --continue', 'error: could not apply 4aa1b2c... Warm the pot', true)
        .runs('c', 'GIT_EDITOR=true git rebase --continue', 'Successfully rebased and updated refs/heads/lid.')
        .runs('d', 'git push --force-with-lease', 'done')
        .says('The branch is rebased and pushed.'),
    );
    expect(recorded.text('recap', '--all')).not.toMatch(/left open|still fails/i);
    const { days } = recorded.json('recap') as {
      days: readonly { sessions: readonly { failures: readonly { what: string; solvedAt?: string }[] }[] }[];
    };
    const failed = days.flatMap(({ sessions }) => sessions).flatMap(({ failures }) => failures);
    expect(failed.find(({ what }) => what === 'git rebase --continue')?.solvedAt).toBeDefined();
  });
});

describe('active warnings', () => {
  it('are not about locks, tools of agents and services that were down for a moment', () => {
    const tell = (s: Transcript) =>
      s
        .asks('Commit the change')
        .runs('a', 'git add -A', "fatal: Unable to create '.git/index.lock': File exists.", true)
        .runs('b', 'rm .git/index.lock', 'rm: .git/index.lock: No such file or directory', true)
        .runs('c', 'curl -sf http://localhost:3000/health', '', true)
        .says('Hm.');
    const recorded = new Recorded().session(2, tell).session(1, tell);
    expect(recorded.json('failures')).toMatchObject({ failures: [] });
    expect(recorded.text('knowledge')).not.toMatch(/index\.lock|health/);
  });

  it('are given for the same name only', () => {
    const region = (name: string) => `terraform apply -var region=${name}`;
    const output = "Error: unknown region 'eu-west-2'";
    const recorded = new Recorded()
      .session(2, (s) => s.asks('Deploy the service').runs('a', region('eu-west-2'), output, true).says('No.'))
      .session(1, (s) => s.asks('Deploy it again').runs('a', region('eu-west-2'), output, true).says('No.'));
    const isSilent = (name: string) =>
      recorded.text('check', '--', ...region(name).split(' ')).startsWith('No warning');
    expect([isSilent('eu-west-2'), isSilent('eu-west-1')]).toEqual([false, true]);
  });

  it('say the same of a command wherever it is asked about', () => {
    const fail = (s: Transcript) =>
      s
        .asks('Publish it')
        .runs('a', 'bun --check scripts/publish.ts', 'npm error code E403\nnpm error 403 Forbidden', true);
    const recorded = new Recorded().session(20, fail).session(19, fail);
    expect(recorded.text('failures')).toContain('bun --check scripts/publish.ts');
    expect(recorded.text('check', '--', 'bun', '--check', 'scripts/publish.ts')).toMatch(/failed/);
  });
});

describe('feedback', () => {
  it.each([
    'Not working hours should be grey',
    'That failed test should be skipped',
    'Try again with exponential backoff',
  ])('is not what asks for something: %s', (prompt) => {
    const recorded = new Recorded().session(1, (s) =>
      s
        .asks('Show the hours in the calendar')
        .edits('a', { file_path: `${s.cwd}/src/hours.ts`, old_string: 'a', new_string: 'b' })
        .says('Done.')
        .asks(prompt)
        .says('Done.'),
    );
    const { days } = recorded.json('recap') as {
      days: readonly { sessions: readonly { requests: readonly object[] }[] }[];
    };
    for (const request of days[0]?.sessions[0]?.requests ?? []) expect(request).not.toHaveProperty('outcome');
  });
});

describe('the commands of a project', () => {
  it('build nothing by publishing it, and are those of the manifest', () => {
    const recorded = new Recorded();
    const scripts = { build: 'tsc', 'css:build': 'sass src', test: 'jest' };
    writeFileSync(join(recorded.place.cwd, 'package.json'), JSON.stringify({ scripts }));
    recorded.session(1, (s) => {
      for (let run = 0; run < 5; run++) s.asks(`Release ${run}`).runs(`p${run}`, 'npm publish', '+ kettle@1.0.0');
      for (let run = 0; run < 3; run++) s.runs(`j${run}`, 'npx jest', 'ok').runs(`c${run}`, 'npm run css:build', 'ok');
    });
    expect(recorded.json('knowledge')).toMatchObject({
      patterns: { buildCommand: 'npm run build', testCommand: 'npm test' },
    });
    expect(recorded.ask('how do I build?')).toContain('npm run build');
    expect(recorded.ask('how do I build?')).not.toContain('publish');
    expect(recorded.text('knowledge')).not.toContain('%');
  });

  it('are the same in each worktree', () => {
    const recorded = new Recorded().session(1, (s) => {
      s.asks('Test the three branches');
      for (const tree of [1, 2, 3])
        s.runs(`t${tree}`, `cd .worktrees/${tree} && mise run test`, 'ok').runs(`u${tree}`, 'mise run test', 'ok');
    });
    expect(recorded.json('knowledge')).toMatchObject({ patterns: { testCommand: 'mise run test' } });
    expect(recorded.text('knowledge')).not.toContain('.worktrees');
  });
});

describe('sessions', () => {
  it('are titled by what was asked for, and the same everywhere', () => {
    const recorded = new Recorded()
      .session(3, (s) =>
        s.asks('/clear').asks('y').asks('Warm the pot before the tea').says('Warm.').asks('Do both').says('Done.'),
      )
      .session(2, (s) => s.asks('Implement the following plan:\n\n# Descale the kettle\n\n1. Fill it').says('Filled.'));
    const titles = ['Descale the kettle', 'Warm the pot before the tea'];
    const { sessions } = recorded.json('sessions') as { sessions: readonly { sessionId: string; title: string }[] };
    expect(sessions.map(({ title }) => title)).toEqual(titles);
    for (const door of [recorded.text('sessions'), recorded.text(), recorded.text('recap', '--all')])
      for (const title of titles) expect(door).toContain(title);
    for (const { sessionId, title } of sessions) expect(recorded.text('show', sessionId).split('\n')[0]).toBe(title);
  });

  it('are found by each of their branches', () => {
    const recorded = new Recorded();
    recorded.session(1, (s) => {
      s.asks('Fix the lid').runs('a', 'git switch -c user/fixes', 'Switched to a new branch');
      s.says('Switched.');
      const last = s.lines.at(-1) ?? {};
      s.lines[s.lines.length - 1] = { ...last, gitBranch: 'user/fixes' };
      s.says('Done.');
    });
    for (const branch of ['main', 'user/fixes'])
      expect(recorded.json('sessions', '--branch', branch)).toMatchObject({ total: 1 });
  });

  it('have the outcome of their own requests', () => {
    const recorded = new Recorded().session(1, (s) =>
      s
        .asks('Why is there an index.lock?')
        .says('Two agents ran git add and git commit in parallel.')
        .asks('Implement the JSON path')
        .edits('a', { file_path: `${s.cwd}/main.go`, old_string: 'a', new_string: 'b' })
        .says('Implemented the JSON path.'),
    );
    const { days } = recorded.json('recap') as {
      days: readonly {
        sessions: readonly { requests: readonly { text: string; steps: readonly object[]; decision?: string }[] }[];
      }[];
    };
    const [first, second] = days[0]?.sessions[0]?.requests ?? [];
    expect(first).toMatchObject({ text: 'Why is there an index.lock?', steps: [] });
    expect(first?.decision ?? '').not.toContain('JSON path');
    expect(second).toMatchObject({ steps: [{ text: 'main.go' }], decision: expect.stringContaining('JSON path') });
  });

  it('are listed by day, with the times of that day', () => {
    const recorded = new Recorded().session(3, (s) => {
      s.asks('Draw the pot').edits('a', { file_path: `${s.cwd}/pot.ts`, old_string: 'a', new_string: 'b' });
    });
    const { days } = recorded.json('recap') as {
      days: readonly { date: string; sessions: readonly { startedAt: string; endedAt: string }[] }[];
    };
    for (const { sessions } of days)
      for (const { startedAt, endedAt } of sessions) expect(startedAt <= endedAt).toBe(true);
    expect(recorded.text('recap')).toContain('1 session');
  });
});

describe('the chat without a model', () => {
  it('answers what was done last and what it cost, each line by itself', () => {
    const recorded = new Recorded()
      .session(2, (s) => s.asks('Warm the pot').says('It is warm.'))
      .session(1, (s) => s.asks('Descale the kettle').runs('a', 'make descale', 'ok').says('The kettle is descaled.'));
    const both = recorded.ask('what did I do last?\nwhat did it cost?');
    expect(both).toContain('Descale the kettle');
    expect(both).toMatch(/tokens/);
    expect(recorded.ask('what is the airspeed of a swallow?')).toMatch(/good match|[Nn]othing/);
  });
});

describe('search', () => {
  it('knows the filters that one expects, and says when nothing fits', () => {
    const recorded = new Recorded()
      .session(2, (s) =>
        s
          .asks('Debug the http 500 error of the sync')
          .runs('a', 'curl localhost', 'HTTP 500')
          .says('Fixed the http 500 error.'),
      )
      .session(1, (s) => s.asks('Compile the parser to wasm').says('Compiled.'));
    const search = (query: string) =>
      (recorded.json('search', query) as { sessions: readonly { sessionId: string }[] }).sessions.map(({ sessionId }) =>
        Number(sessionId.slice(0, 8)),
      );
    expect(search('how did we fix the http 500 error')[0]).toBe(1);
    for (const filter of ['session:00000002', 'agent:claude-code', 'branch:main', 'project:my-app'])
      expect(search(`${filter} wasm`)).toEqual([2]);
    for (const filter of ['session:00000001', 'agent:codex', 'branch:next', 'before:2020-01-01'])
      expect(search(`${filter} wasm`)).toEqual([]);
    expect(recorded.text('search', 'zxqv blorptang wibble')).toMatch(/[Nn]o (?:good )?match|[Nn]othing/);
  });
});

describe('doctor and projects', () => {
  it('says that agents are not set up, and takes worktrees of a repository for one project', () => {
    const place = createPlace();
    const git = (cwd: string, ...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
        cwd,
        env: environment(place),
      });
    git(place.cwd, 'init', '--quiet');
    git(place.cwd, 'commit', '--quiet', '--allow-empty', '-m', 'Start');
    git(place.cwd, 'worktree', 'add', '--quiet', join(place.folder, 'lid'));
    for (const [index, cwd] of [place.cwd, join(place.folder, 'lid')].entries()) {
      const transcript = new Transcript(`0000000${index}-0000-4000-8000-000000000001`, cwd)
        .asks(`Warm pot ${index}`)
        .says('Warm.');
      const path = join(place.folder, '.claude', 'projects', `p${index}`, `${transcript.id}.jsonl`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, transcript.text);
    }
    yore(place, ['import', 'claude-code']);
    expect(yoreJson(place, ['projects'])).toMatchObject({ projects: [{ path: place.cwd, sessions: 2 }] });
    const { stdout } = yore(place, ['doctor']);
    expect(stdout).toContain('No agent is set up, so nothing is recorded as you work.');
  });
});
