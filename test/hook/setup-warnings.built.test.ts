import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temp-folder.ts';
import { installShim } from './hook-process.ts';
import { type AgentPlace, SCRIPTED_AGENTS } from './scripted-agents.ts';

/** An agent in a folder of its own, every call of which is made in a new session. */
class Shop {
  readonly place: AgentPlace;
  #sessions = 0;

  constructor() {
    const userHome = temporaryFolder();
    this.place = { userHome, home: join(userHome, '.yore'), cwd: join(userHome, 'shop') };
    mkdirSync(this.place.cwd);
    installShim(this.place.home);
  }

  file(path: string, content = ''): string {
    const file = join(this.place.cwd, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  /** The warning before a command, which is run if there is none. */
  run(command: string, output = '', exitCode = 1): string | undefined {
    const id = `5e55a0b2-0000-4000-8000-${String(this.#sessions++).padStart(12, '0')}`;
    return SCRIPTED_AGENTS['claude-code']?.(this.place, id).call(command, { exitCode, output });
  }
}

/** The call, its error, what provides what was missing, and a call that needs it as well. */
interface Kind {
  readonly command: string;
  readonly output: (shop: Shop) => string;
  readonly alike: string;
  readonly provide: (shop: Shop) => void;
}

const KINDS: Readonly<Record<string, Kind>> = {
  'a Python module that is not installed': {
    command: 'python app.py',
    output: () => "Traceback (most recent call last):\nModuleNotFoundError: No module named 'sluggish'",
    alike: 'python app.py --port 81',
    provide: (shop) => shop.file('.venv/lib/python3.12/site-packages/sluggish/__init__.py'),
  },
  'a Node package that is not installed': {
    command: 'node bin/sync.js',
    output: () => "Error: Cannot find module 'left-trim'\nRequire stack:",
    alike: 'node bin/sync.js --all',
    provide: (shop) => shop.file('node_modules/left-trim/package.json', '{}'),
  },
  'a program that a task runs': {
    command: 'npm run docs',
    output: () => 'sh: 1: vuebuild: not found',
    alike: 'npm run docs -- --quiet',
    provide: (shop) => chmodSync(shop.file('node_modules/.bin/vuebuild'), 0o755),
  },
  'a socket that cannot be accessed': {
    command: 'docker ps',
    output: ({ place }) =>
      `permission denied while trying to connect to the Docker daemon socket at unix://${place.cwd}/docker.sock: Get`,
    alike: 'docker compose build',
    provide: (shop) => shop.file('docker.sock'),
  },
  'an environment variable': {
    command: 'node seed.js',
    output: () => 'Error: Missing required environment variable: SHOP_DATABASE_URL',
    alike: 'node seed.js --fast',
    provide: (shop) => shop.file('.env', 'SHOP_DATABASE_URL=x'),
  },
  'a script that may not be run': {
    command: './deploy.sh',
    output: () => 'bash: ./deploy.sh: Permission denied',
    alike: './deploy.sh --now',
    provide: (shop) => chmodSync(join(shop.place.cwd, 'deploy.sh'), 0o755),
  },
  'a file that a task reads': {
    command: 'npm start',
    output: ({ place }) => `Error: ENOENT: no such file or directory, open '${place.cwd}/dist/menu.json'`,
    alike: 'npm start -- --fast',
    provide: (shop) => shop.file('dist/menu.json'),
  },
  'a task that does not exist': {
    command: 'npm run lnt',
    output: () => 'npm error Missing script: "lnt"',
    alike: 'npm run lnt -- --fix',
    provide: (shop) => shop.file('package.json', '{ "scripts": { "lnt": "true" } }'),
  },
};

describe.each(Object.entries(KINDS))('%s', (_name, { command, output, alike, provide }) => {
  it('warns before the repetition after one failure, and no longer once it is provided', () => {
    const shop = new Shop();
    for (const script of ['app.py', 'bin/sync.js', 'seed.js', 'deploy.sh']) shop.file(script);
    const error = output(shop);
    expect(shop.run(command, error)).toBeUndefined();
    expect(shop.run(command, error)).toMatch(/^yore: This failed on /);
    expect(shop.run(alike, error)).toMatch(/^yore: This failed on /);
    provide(shop);
    expect(shop.run(alike, '', 0)).toBeUndefined();
    expect(shop.run(command, '', 0)).toBeUndefined();
  });
});

it('warns of an option that does not exist, and not of the right one', () => {
  const shop = new Shop();
  const error = "error: unknown option `forse'\nusage: git push [<options>]";
  expect(shop.run('git push --forse', error, 129)).toBeUndefined();
  expect(shop.run('git push --forse', error, 129)).toContain('git push has no option --forse');
  expect(shop.run('git push --force', '', 0)).toBeUndefined();
});

it.runIf(process.platform === 'linux')('warns of a port in use until it is free', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as { readonly port: number };
  const error = `Error: listen EADDRINUSE: address already in use :::${port}`;
  const shop = new Shop();
  expect(shop.run('npm run dev', error)).toBeUndefined();
  expect(shop.run('npm run dev', error)).toMatch(/^yore: This failed on /);
  await new Promise((resolve) => server.close(resolve));
  expect(shop.run('npm run dev', '', 0)).toBeUndefined();
});

it('stays silent about what comes and goes', () => {
  const shop = new Shop();
  for (const error of ['curl: (28) Operation timed out', 'fatal: unable to access: Could not resolve host: git.test']) {
    expect(shop.run('git fetch', error)).toBeUndefined();
    expect(shop.run('git fetch', error)).toBeUndefined();
  }
  shop.file('a.test.js');
  expect(shop.run('node --test a.test.js', 'not ok 1 - adds\n# fail 1')).toBeUndefined();
  expect(shop.run('node --test a.test.js', 'not ok 1 - adds\n# fail 1')).toBeUndefined();
});
