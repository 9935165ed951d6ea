import { describe, expect, it } from 'vitest';
import type { CommandSpec } from '../../src/cli/command.ts';
import { textsOption } from '../../src/cli/options.ts';
import { createStyle } from '../../src/cli/output/terminal.ts';
import { parseCommandLine } from '../../src/cli/parse-command-line.ts';
import { PROGRAM } from '../../src/cli/program.ts';

const look = { columns: 80, style: createStyle(false) };
const parse = (...argv: string[]) => parseCommandLine(argv, PROGRAM, look);

function allCommands(spec: CommandSpec, path: readonly string[]): (readonly string[])[] {
  return (spec.commands ?? []).flatMap((child) => [
    [...path, child.name],
    ...allCommands(child, [...path, child.name]),
  ]);
}

describe('the command line', () => {
  it('runs the status without a command', () => {
    expect(parse()).toMatchObject({ kind: 'run', spec: { name: 'yore' }, args: [], options: {} });
    expect(parse('--json')).toMatchObject({ kind: 'run', options: { json: true } });
  });

  it('accepts options before and after the query', () => {
    expect(parse('search', '--role', 'user', 'redis', 'cache', '--json', '--limit', '5')).toMatchObject({
      spec: { name: 'search' },
      args: ['redis', 'cache'],
      options: { role: 'user', json: true, limit: '5' },
    });
  });

  it('accepts a repeatable option several times, with allowed values only', () => {
    expect(parse('init', '--agent', 'codex', '--agent', 'gemini')).toMatchObject({
      kind: 'run',
      options: { agent: ['codex', 'gemini'] },
    });
    expect(parse('init', '--no-import')).toMatchObject({ options: { import: false } });
    expect(parse('init', '--agent', 'clippy').kind).toBe('usage error');
  });

  it('accepts global options before and after the command', () => {
    for (const argv of [
      ['--home', '/tmp/x', '--no-color', 'sessions'],
      ['sessions', '--home', '/tmp/x', '--no-color'],
      ['--no-color', 'sessions', '--home', '/tmp/x'],
    ]) {
      expect(parse(...argv)).toMatchObject({
        spec: { name: 'sessions' },
        options: { home: '/tmp/x', color: false },
      });
    }
  });

  it('does not take the value of an option for a command', () => {
    expect(parse('--project', 'shop')).toMatchObject({ kind: 'run', options: { project: 'shop' } });
    expect(parse('--project', 'shop', '--json')).toMatchObject({ options: { project: 'shop', json: true } });
  });

  it('parses nested commands', () => {
    expect(parse('config', 'set', 'prompts.size', '50')).toMatchObject({
      spec: { name: 'set' },
      args: ['prompts.size', '50'],
    });
    expect(parse('config')).toMatchObject({ spec: { name: 'config' } });
  });

  it('treats everything after -- as text', () => {
    expect(parse('search', '--', '--no-verify', '-n')).toMatchObject({ args: ['--no-verify', '-n'] });
  });

  it.each([
    [['serach', 'redis'], /unknown command "serach"/, /yore search/],
    [['redis'], /unknown command "redis"/, /yore search redis/],
    [['help', 'shwo'], /unknown command "shwo"/, /yore show/],
    [['search'], /missing required argument 'query'/, /yore search --help/],
    [['search', '--no-verify'], /unknown option '--no-verify'/, /yore search -- --no-verify/],
    [['search', 'x', '--role', 'robot'], /^--role "robot" is not one of user, assistant\.$/, /yore search --help/],
    [['show', 'a', 'b'], /too many arguments/, /yore show --help/],
    [['show', '--jsn', 'a'], /--jsn.*Did you mean --json/, /yore show --help/],
    [['config', 'sett', 'a', 'b'], /too many arguments|unknown command/, /yore config --help/],
    [['--nonsense'], /unknown option '--nonsense'/, /yore --help/],
    [
      ['completion', 'tcsh'],
      /^"tcsh" is not a supported shell\. Choose one of bash, zsh, fish\.$/,
      /yore completion --help/,
    ],
  ])('explains what is wrong with %j', (argv, message, hint) => {
    const line = parse(...argv);
    expect(line.kind).toBe('usage error');
    if (line.kind !== 'usage error') return;
    expect(line.message).toMatch(message);
    expect(line.hint).toMatch(hint);
    expect(line.message).not.toMatch(/^error|\n/);
  });
});

describe('help', () => {
  it.each(allCommands(PROGRAM, []))('of %s %s has a summary, its options and examples', (...path) => {
    const words = path.filter((word) => word !== undefined);
    for (const line of [parse(...words, '--help'), parse('help', ...words), parse(...words, '-h')]) {
      expect(line.kind).toBe('help');
      if (line.kind !== 'help') continue;
      expect(line.text).toContain(`Usage: yore ${words.join(' ')}`);
      expect(line.text).toContain('Examples:');
    }
  });

  it('of yore lists every command and every exit code', () => {
    const line = parse('--help');
    if (line.kind !== 'help') throw new Error('no help');
    for (const { name, summary } of PROGRAM.commands ?? []) {
      expect(line.text).toContain(name);
      expect(line.text.replace(/\s+/g, ' ')).toContain(summary);
    }
    expect(line.text).toContain('Exit codes:');
    expect(line.text).not.toContain('--values');
  });

  it('fits into a narrow terminal', () => {
    const line = parseCommandLine(['search', '--help'], PROGRAM, { ...look, columns: 60 });
    if (line.kind !== 'help') throw new Error('no help');
    const options = line.text.split('Examples:')[0] ?? '';
    for (const row of options.split('\n')) expect(row.length).toBeLessThanOrEqual(60);
  });
});

describe('a repeatable option', () => {
  it('gives all of its values, split at commas, without empty ones', () => {
    expect(textsOption({ tag: ['a', 'b, c', ','] }, 'tag')).toEqual(['a', 'b', 'c']);
    expect(textsOption({}, 'tag')).toEqual([]);
  });
});
