import { describe, expect, test } from 'vitest';
import { type MachineState, UNKNOWN_MACHINE } from '../../../src/ask/guard/candidates.ts';
import { DAY, edit, HOUR, Story } from './story.ts';

/** A machine on which these things are there, and no others. */
function sees(...provided: readonly string[]): { readonly machine: MachineState } {
  return { machine: { ...UNKNOWN_MACHINE, provides: (missing) => provided.includes(missing) } };
}

interface Scenario {
  readonly failed: string;
  readonly output: string;
  /** Other calls that need the same. */
  readonly alike: readonly string[];
  /** Calls that do not need it, or provide it themselves. */
  readonly unlike: readonly string[];
  readonly missing: string;
  /** The call after which nothing is known any more. */
  readonly remedy: string;
}

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'a missing Python module': {
    failed: 'python app.py',
    output:
      'Traceback (most recent call last):\n  File "app.py", line 1\nModuleNotFoundError: No module named \'slugify\'',
    alike: ['python app.py --port 80', 'python3 app.py serve'],
    unlike: ['python tools.py', '.venv/bin/python app.py', 'pip install python-slugify && python app.py'],
    missing: 'python:slugify .',
    remedy: 'pip install python-slugify',
  },
  'a missing Node package': {
    failed: 'node bin/sync.js --all',
    output: "node:internal/modules/cjs/loader:1\nError: Cannot find module 'left-trim'\nRequire stack:",
    alike: ['node bin/sync.js', 'node bin/sync.js --dry'],
    unlike: ['node bin/report.js', 'npm install && node bin/sync.js'],
    missing: 'node:left-trim bin',
    remedy: 'npm install',
  },
  'a program that a task needs': {
    failed: 'npm run docs',
    output: '> docs\n> vuebuild docs\n\nsh: 1: vuebuild: not found',
    alike: ['npm run docs -- --quiet'],
    unlike: ['npm run start', 'npm ci && npm run docs'],
    missing: 'program:vuebuild',
    remedy: 'npm ci',
  },
  'an environment variable': {
    failed: 'node seed.js',
    output: 'Error: Missing required environment variable: SHOP_DATABASE_URL',
    alike: ['node seed.js --fast'],
    unlike: ['SHOP_DATABASE_URL=x node seed.js', 'source .env && node seed.js', 'node other.js'],
    missing: 'variable:SHOP_DATABASE_URL',
    remedy: 'git checkout feature',
  },
  'a socket without access': {
    failed: 'docker ps',
    output:
      'permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: Get "http://%2Fvar"',
    alike: ['docker ps', 'docker compose up -d db', 'docker build .'],
    unlike: ['docker --version', 'sudo docker ps', 'sudo usermod -aG docker me && docker ps', 'podman ps'],
    missing: 'socket:/var/run/docker.sock',
    remedy: 'sudo systemctl start docker',
  },
  'a database that does not listen': {
    failed: 'psql shop -c "select 1"',
    output:
      'psql: error: connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused\n\tIs the server running?',
    alike: ['psql shop', 'psql -l'],
    unlike: ['docker compose up -d db && psql shop'],
    missing: 'port:5432',
    remedy: 'docker compose up -d db',
  },
  'a port in use': {
    failed: 'npm run dev',
    output: 'Error: listen EADDRINUSE: address already in use :::3000\n    at Server.setupListenHandle',
    alike: ['npm run dev', 'npm run dev -- --open'],
    unlike: ['npm run build:docs'],
    missing: 'free-port:3000',
    remedy: 'npx service start',
  },
  'an account': {
    failed: 'gh pr list',
    output: 'To get started with GitHub CLI, please run:  gh auth login',
    alike: ['gh pr create --fill', 'gh issue view 3'],
    unlike: ['gh auth login', 'gh --version', 'GH_TOKEN=x gh pr list'],
    missing: 'account:',
    remedy: 'gh auth login --with-token',
  },
  'a wrong version of Node': {
    failed: 'astrobuild check',
    output: 'You are running Node v16.2.0. astrobuild requires Node >= 18.',
    alike: ['astrobuild dev', 'astrobuild sync --force'],
    unlike: ['nvm use 20 && astrobuild check', 'other check'],
    missing: 'version:',
    remedy: 'nvm use 20',
  },
  'a missing library': {
    failed: 'imgtool resize a.png',
    output: 'imgtool: error while loading shared libraries: libvips.so.42: cannot open shared object file',
    alike: ['imgtool crop b.png'],
    unlike: ['apt-get install libvips && imgtool resize a.png'],
    missing: 'library:libvips.so.42',
    remedy: 'apt-get install libvips',
  },
  'an environment that installs nothing': {
    failed: 'pip install requests',
    output: 'error: externally-managed-environment\n\n× This environment is externally managed',
    alike: ['pip install flask'],
    unlike: ['.venv/bin/pip install flask', 'pip install --break-system-packages flask', 'pip list'],
    missing: 'environment:',
    remedy: 'source .venv/bin/activate',
  },
  'a folder that is no repository': {
    failed: 'git status --short',
    output: 'fatal: not a git repository (or any of the parent directories): .git',
    alike: ['git log --oneline', 'git diff'],
    unlike: ['cd web && git status', 'git init && git status', 'git clone https://example.org/a.git'],
    missing: 'folder:git .',
    remedy: 'git init',
  },
  'a missing folder': {
    failed: 'cd frontend && npm test',
    output: 'bash: cd: frontend: No such file or directory',
    alike: ['cd frontend && npm run lint'],
    unlike: [
      'npm test',
      'mkdir frontend && cd frontend && npm init',
      'git clone https://example.org/frontend.git && cd frontend && npm test',
    ],
    missing: 'none',
    remedy: 'mkdir frontend',
  },
  'a missing branch': {
    failed: 'git diff main...HEAD',
    output: "fatal: ambiguous argument 'main...HEAD': unknown revision or path not in the working tree.",
    alike: ['git log main..HEAD', 'git show main:README.md'],
    unlike: ['git diff master...HEAD', 'git log', 'git checkout -b main', 'git fetch origin main:main && git log main'],
    missing: 'none',
    remedy: 'git fetch origin main:main',
  },
  'too many arguments': {
    failed: 'gh pr diff 12 -- src/a.ts',
    output: 'accepts at most 1 arg(s), received 2',
    alike: ['gh pr diff 13 -- docs/b.md'],
    unlike: ['gh pr diff 12', 'gh pr view 12 src'],
    missing: 'none',
    remedy: 'gh pr diff 13 -- docs/b.md',
  },
  'a wrapper that is not installed': {
    failed: 'timeout 60 npm test',
    output: 'bash: timeout: command not found',
    alike: ['timeout 5 make check'],
    unlike: ['npm test'],
    missing: 'none',
    remedy: 'brew install coreutils',
  },
};

describe.each(Object.entries(SCENARIOS))('%s', (_name, { failed, output, alike, unlike, missing, remedy }) => {
  function failedOnce(): Story {
    const story = new Story();
    story.fails(failed, output);
    return story.pass(10_000);
  }

  test.each([failed, ...alike])('warns before %s after one failure', (call) => {
    expect(failedOnce().check(call)).toBeDefined();
  });

  test.each(unlike)('does not warn before %s', (call) => {
    expect(failedOnce().check(call)).toBeUndefined();
  });

  test('does not warn after it was provided, or once it is seen', () => {
    const story = failedOnce();
    expect(story.check(failed, {}, sees(missing)) === undefined).toBe(missing !== 'none');
    story.works(remedy);
    expect(story.check(failed)).toBeUndefined();
  });
});

describe('what can be seen of the machine', () => {
  const { failed, output, missing } = SCENARIOS['a socket without access'] as Scenario;

  test('decides days later, where nothing would be known without it', () => {
    const story = new Story();
    story.fails(failed, output);
    story.pass(2 * DAY);
    expect(story.check('docker images')).toBeUndefined();
    expect(story.check('docker images', {}, sees())).toBeDefined();
    expect(story.check('docker images', {}, sees(missing))).toBeUndefined();
  });

  test('outweighs what was installed or started since', () => {
    const story = new Story();
    story.fails(failed, output);
    story.works('npm install');
    expect(story.check(failed, {}, sees())).toBeDefined();
  });
});

describe('a script that lacks a module', () => {
  const { failed, output } = SCENARIOS['a missing Python module'] as Scenario;

  test('is not warned of after it was edited', () => {
    const story = new Story();
    story.fails(failed, output);
    const changedAt = (path: string): number | undefined => (path === 'app.py' ? story.now : undefined);
    expect(story.check(failed, {}, { machine: { ...sees().machine, changedAt: () => 0 } })).toBeDefined();
    story.works('', edit('app.py'));
    expect(story.check(failed, {}, { machine: { ...sees().machine, changedAt } })).toBeUndefined();
    expect(story.check(failed)).toBeUndefined();
  });

  test('is warned of again in the same session after two minutes, and not at once', () => {
    const story = new Story();
    story.fails(failed, output);
    expect(story.check(failed, { sessionId: 'one' })).toBeUndefined();
    story.pass(HOUR);
    expect(story.check(failed, { sessionId: 'one' })).toBeDefined();
  });
});

describe('output of tests and builds', () => {
  test('does not speak for a service or a variable', () => {
    const story = new Story();
    story.fails('pytest tests/api.py', 'E  ConnectionRefusedError: connect ECONNREFUSED 127.0.0.1:5432\n1 failed');
    story.fails('vitest run', 'Error: API_TOKEN is not set\n1 failed');
    expect(story.check('pytest tests/other.py', {}, sees())).toBeUndefined();
    expect(story.check('vitest run src', {}, sees())).toBeUndefined();
  });
});

test('an option that an error quotes without dashes warns after one failure', () => {
  const story = new Story();
  story.fails('git push --forse', "error: unknown option `forse'\nusage: git push [<options>]", {}, 129);
  expect(story.check('git push --forse origin main')?.key).toBe('option:git push --forse');
  expect(story.check('git push --force')).toBeUndefined();
});

test('a path without permission warns other commands that use it in the same way', () => {
  const story = new Story();
  story.fails('cat /etc/shop/key.pem', 'cat: /etc/shop/key.pem: Permission denied');
  expect(story.check('', { tool: 'Read', input: { file_path: '/etc/shop/key.pem' } })).toBeDefined();
  expect(story.check('head -1 /etc/shop/key.pem', {}, sees('access:read /etc/shop/key.pem'))).toBeUndefined();
  expect(story.check('sudo chmod +r /etc/shop/key.pem && cat /etc/shop/key.pem')).toBeUndefined();
  story.fails('./deploy.sh', 'bash: ./deploy.sh: Permission denied', {}, 126);
  expect(story.check('./deploy.sh --now')).toBeDefined();
  story.works('chmod +x deploy.sh');
  expect(story.check('./deploy.sh --now')).toBeUndefined();
});
