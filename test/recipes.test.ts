import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './temp-folder.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A sample of CONTRIBUTING.md, and where its first line says that it belongs. */
interface Sample {
  readonly file: string;
  readonly where: 'after' | 'before' | 'in place of' | 'new';
  /** A part of exactly one line of the file. Empty for a new file. */
  readonly anchor: string;
  readonly text: string;
}

function readSamples(): readonly Sample[] {
  const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  return [...page.matchAll(/^( *)```(?:ts|md)\n(.*?)^ *```$/gms)].map(([, indent = '', block = '']) => {
    const [head = '', ...lines] = block.split('\n').map((line) => line.slice(indent.length));
    const place =
      /^(?:\/\/|<!--) (?<file>[\w./-]+), (?:new|(?<where>after|before|in place of): (?<anchor>.*?))(?: -->)?$/.exec(
        head,
      );
    const { file = '', where = 'new', anchor = '' } = place?.groups ?? {};
    return { file, where: where as Sample['where'], anchor, text: lines.join('\n') };
  });
}

function apply(folder: string, { file, where, anchor, text }: Sample): void {
  const path = join(folder, file);
  if (where === 'new') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx' });
    return;
  }
  const lines = readFileSync(path, 'utf8').split('\n');
  const at = lines.findIndex((line) => line.includes(anchor));
  lines.splice(
    where === 'after' ? at + 1 : at,
    where === 'in place of' ? 1 : 0,
    text.trimEnd(),
    ...(file.endsWith('rpc.md') ? [''] : []),
  );
  writeFileSync(path, lines.join('\n'));
}

const COPIED = [
  'src',
  'test',
  'docs',
  'README.md',
  'CONTRIBUTING.md',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
];

const samples = readSamples();
/** Takes long, so that only its part about the sample is run. */
const DOORS = 'test/config/doors.test.ts';
/** What the recipes say to run, as far as it needs neither a build nor long, and what they change. */
const NAMED_TESTS = new Set([
  'test/redact/formats.test.ts',
  'test/redact/rules.test.ts',
  'test/config/docs.test.ts',
  'test/cli/docs.test.ts',
  'test/server/docs.test.ts',
  ...samples.map(({ file }) => file).filter((file) => file.endsWith('.test.ts') && file !== DOORS),
]);

describe('the recipes of CONTRIBUTING.md', () => {
  it.each(samples)('say where a sample belongs: $file $anchor', ({ file, where, anchor }) => {
    expect(file).not.toBe('');
    if (where === 'new') return;
    const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
    expect(lines.filter((line) => line.includes(anchor))).toHaveLength(1);
  });

  it('name files that exist', () => {
    const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
    const added = new Set(samples.filter(({ where }) => where === 'new').map(({ file }) => file));
    const named = Array.from(page.matchAll(/\b(?:src|test|web|docs)\/[\w./-]*[\w/]/g), ([path]) => path);
    const isMissing = (path: string): boolean => !added.has(path) && !existsSync(join(ROOT, path));
    expect(named.filter(isMissing)).toEqual([]);
  });

  it('work when they are followed to the letter', () => {
    const copy = join(temporaryFolder(), 'yore');
    mkdirSync(copy);
    for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction');
    for (const sample of samples) apply(copy, sample);
    const run = (tool: string, ...args: readonly string[]): string => {
      const all = [join('node_modules', tool), ...args];
      const { status, stdout, stderr } = spawnSync(process.execPath, all, { cwd: copy, encoding: 'utf8' });
      return status === 0 ? '' : `${stdout}\n${stderr}`;
    };
    const runTests = (...args: readonly string[]): string =>
      run('vitest/vitest.mjs', 'run', '--project', 'source', ...args);

    const include = ['src', ...samples.map(({ file }) => file).filter((file) => file.startsWith('test/'))];
    writeFileSync(join(copy, 'tsconfig.recipes.json'), JSON.stringify({ extends: './tsconfig.json', include }));
    expect(run('typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.recipes.json')).toBe('');
    expect(runTests(...NAMED_TESTS)).toBe('');
    expect(runTests(DOORS, '-t', 'prompts.onlyProject|has a door')).toBe('');
  }, 400_000);
});
