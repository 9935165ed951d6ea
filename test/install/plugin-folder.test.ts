import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { claudeCodeInstallation } from '../../src/agents/claude-code/install.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { createMachine } from './machine.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readJson = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'));

describe('the plugin folder', () => {
  it('is listed in the marketplace, has the version of the package and the hooks that yore init installs', () => {
    const { plugins } = readJson('.claude-plugin/marketplace.json');
    expect(plugins).toMatchObject([{ name: 'yore', source: './plugin' }]);
    expect(readJson('plugin/.claude-plugin/plugin.json').version).toBe(readJson('package.json').version);
    const [settings] = claudeCodeInstallation.targets(createMachine(), { kind: 'user' });
    const installed = settings?.kind === 'json' ? settings.additions.map(({ path }) => path[1]) : [];
    expect(Object.keys(readJson('plugin/hooks/hooks.json').hooks)).toEqual(installed);
    expect(readJson('package.json').files).toEqual(expect.arrayContaining(['plugin', '.claude-plugin']));
  });

  it.runIf(process.platform !== 'win32')(
    'calls the hook as the agent that runs it, and exits with 0 without one',
    () => {
      const home = temporaryFolder();
      const run = (env: Readonly<Record<string, string>>) => {
        const [{ hooks }] = readJson('plugin/hooks/hooks.json').hooks.PreToolUse;
        const { status, stdout, stderr } = spawnSync('sh', ['-c', hooks[0].command], {
          env: { PATH: '/usr/bin:/bin', HOME: home, CLAUDE_PLUGIN_ROOT: join(root, 'plugin'), ...env },
          input: '{}',
          encoding: 'utf8',
        });
        return { status, stdout, stderr };
      };
      expect(run({})).toEqual({ status: 0, stdout: '', stderr: '' });
      mkdirSync(join(home, '.yore/bin'), { recursive: true });
      writeFileSync(join(home, '.yore/bin/yore-hook'), '#!/bin/sh\necho "$1 $(cat)"\nexit 3\n');
      chmodSync(join(home, '.yore/bin/yore-hook'), 0o755);
      expect(run({})).toEqual({ status: 0, stdout: 'claude-code {}\n', stderr: '' });
      expect(run({ PLUGIN_ROOT: join(root, 'plugin') }).stdout).toBe('codex {}\n');
    },
  );
});
