import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

describe('the packed package, installed into an empty prefix', () => {
  const folder = mkdtempSync(join(tmpdir(), 'yore-package-'));
  const prefix = join(folder, 'prefix');
  const home = join(folder, 'home');
  const yore = (...args: string[]): string =>
    execFileSync(join(prefix, 'node_modules', '.bin', 'yore'), args, {
      cwd: home,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: home, YORE_HOME: join(home, '.yore'), NO_COLOR: '1' },
    });

  beforeAll(() => {
    for (const path of [prefix, home]) mkdirSync(path);
    const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
    const [{ filename }] = JSON.parse(execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }));
    const install = ['install', '--prefix', prefix, '--prefer-offline', '--no-audit', '--no-fund'];
    // A stalled download is tried again after seconds; npm's own default is five minutes.
    install.push('--fetch-timeout=20000', '--fetch-retries=5');
    execFileSync('npm', [...install, join(folder, filename)], { cwd: folder, stdio: 'pipe' });
  }, 300_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('plays the demo', () => {
    expect(yore('demo')).toContain('bun add ioredis');
  }, 60_000);

  it('shows what init would do, and changes nothing', () => {
    mkdirSync(join(home, '.claude'));
    expect(yore('init', '--dry-run')).toContain('Claude Code');
    expect(existsSync(join(home, '.claude', 'settings.json'))).toBe(false);
  }, 60_000);

  it('brings its licence, its notices and its documentation', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const installed = join(prefix, 'node_modules', 'yore');
    for (const file of ['LICENSE', 'THIRD-PARTY-NOTICES.md', 'docs/cli.md']) {
      expect(existsSync(join(installed, file)), file).toBe(true);
    }
    expect(yore('--version').trim()).toBe(version);
  });
});
