import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { CommandSpec } from '../../src/cli/command.ts';
import { EXIT, EXIT_CODES, EXIT_MEANINGS } from '../../src/cli/exit-codes.ts';
import { createStyle } from '../../src/cli/output/terminal.ts';
import { parseCommandLine } from '../../src/cli/parse-command-line.ts';
import { GLOBAL_OPTIONS, PROGRAM } from '../../src/cli/program.ts';

const docs = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8');

/** The text from the heading that names a command to the next heading. */
function sectionOf(command: string): string {
  const sections = docs.split(/^## /m);
  return sections.find((section) => new RegExp(`^(yore [a-z]+, )?yore ${command}\\b`).test(section)) ?? '';
}

function longNames(spec: CommandSpec): string[] {
  const options = (spec.options ?? []).filter((option) => !option.hidden);
  return options.map(({ flags }) => /--[\w-]+/.exec(flags)?.[0] ?? flags);
}

describe('docs/cli.md', () => {
  it.each((PROGRAM.commands ?? []).filter(({ name }) => name !== 'status').map((spec) => [spec.name, spec] as const))(
    'describes yore %s with its options',
    (name, spec) => {
      const section = sectionOf(name);
      expect(section).not.toBe('');
      for (const child of spec.commands ?? []) {
        expect(section).toContain(`yore ${name} ${child.name}`);
        for (const option of longNames(child)) expect(section).toContain(`\`${option}`);
      }
      for (const option of longNames(spec)) expect(section).toContain(`\`${option}`);
      for (const choice of [...(spec.options ?? []), ...(spec.arguments ?? [])]
        .filter((option) => !('hidden' in option && option.hidden))
        .flatMap(({ choices = [] }) => choices))
        expect(section).toContain(`\`${choice}\``);
    },
  );

  it('lists every command in the overview, and the JSON fields of those with --json', () => {
    const overview = docs.slice(0, docs.indexOf('## Options of every command'));
    const shapes = docs.slice(docs.indexOf('## JSON'));
    for (const spec of PROGRAM.commands ?? []) {
      expect(overview).toContain(`yore ${spec.name}`);
      if (longNames(spec).includes('--json')) expect(shapes).toContain(`yore ${spec.name}`);
    }
  });

  it('describes the options of every command', () => {
    for (const { flags } of [...GLOBAL_OPTIONS, ...(PROGRAM.options ?? [])])
      expect(docs).toContain(`\`${/--[\w-]+/.exec(flags)?.[0]}`);
  });

  it('describes every exit code', () => {
    const documented = new Set(EXIT_MEANINGS.map(([code]) => code));
    for (const code of [...Object.values(EXIT), ...Object.values(EXIT_CODES)]) {
      expect(documented).toContain(code);
      expect(docs).toContain(`| ${code} |`);
    }
  });
});

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

describe('the commands in the documentation', () => {
  it.each(pages)('are accepted by the argument parser: %s', (page) => {
    const commands = commandsIn(readFileSync(join(root, page), 'utf8'));
    expect(commands.flatMap((command) => findProblem(command) ?? [])).toEqual([]);
  });

  it('are found in fenced and in inline code, in pipes and in substitutions', () => {
    const found = commandsIn(
      [
        'yore ends quietly. `yore export | head`, `yore restore\nFILE` and `echo question | yore chat`',
        '```sh\nyore init   # asks once\neval "$(yore completion bash)"\nyore config get prompts.size    one value\n```',
        '```\n$ yore check -- npm i redis-node --save\nyore v1\n```',
      ].join('\n'),
    );
    expect(found).toEqual([
      'yore export',
      'yore restore FILE',
      'yore chat',
      'yore init',
      'yore completion bash',
      'yore config get prompts.size',
      'yore check -- npm i redis-node --save',
    ]);
  });

  it.each([
    ['yore forgot', 'unknown command'],
    ['yore config sett KEY VALUE', 'too many arguments'],
    ['yore forget --failure ID', 'unknown option'],
    ['yore forget --pattern', 'argument missing'],
    ['yore export --format yaml', 'is not one of'],
    ['yore restore --replace', 'missing required argument'],
  ])('are rejected when they are wrong: %s', (command, problem) => {
    expect(findProblem(command)).toContain(problem);
  });
});

/** Where a command of yore begins: at the start of the code, or after what starts or joins commands in a shell. */
const COMMAND = /(?:^|\$ |[|;(] ?|&& |-- )(yore(?: [^|;)\n]*)?)/g;

/** The commands of yore in the code of a page, without comments and what they are piped to. */
function commandsIn(page: string): string[] {
  const fenced = [...page.matchAll(/^ *```[^\n]*\n(.*?)^ *```/gms)].flatMap(([, block = '']) => {
    const lines = block.split('\n');
    const typed = lines.filter((line) => line.startsWith('$ '));
    return typed.length > 0 ? typed : lines;
  });
  const prose = page.replace(/^ *```.*?^ *```/gms, '');
  const inline = [...prose.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replace(/\s+/g, ' '));
  return [...inline, ...fenced].flatMap((code) =>
    [...code.replace(/\s+# .*/, '').matchAll(COMMAND)].map(([, command = '']) =>
      command.replace(/ {2,}\S.*| [<>&].*/, '').trim(),
    ),
  );
}

/** Values for the placeholders of which only some values are accepted. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  AGENT: 'claude-code',
  COMMAND: 'search',
  NAME: 'claude-code',
  SHELL: 'bash',
};

/** Why the parser rejects a command; undefined when it accepts it. A command may be mentioned without its arguments. */
function findProblem(command: string): string | undefined {
  const words = (command.match(/'[^']*'|"[^"]*"|\S+/g) ?? [])
    .slice(1)
    .map((word) => word.replace(/^(['"[])(.*)['"\]]$/, '$2').replace(/\.\.\.$/, ''))
    .map((word) => PLACEHOLDERS[word] ?? word);
  const parsed = parseCommandLine(words, PROGRAM, { columns: 80, style: createStyle(false) });
  if (parsed.kind !== 'usage error') return undefined;
  const isMention = words.every((word) => /^[a-z]+$/.test(word)) && parsed.message.startsWith('missing required');
  return isMention ? undefined : `${command}: ${parsed.message}`;
}
