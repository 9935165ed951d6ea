import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CommandSpec } from '../../src/cli/command.ts';
import { EXIT, EXIT_CODES, EXIT_MEANINGS } from '../../src/cli/exit-codes.ts';
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

  it('mentions no command that does not exist', () => {
    const names = new Set(['help', ...(PROGRAM.commands ?? []).map(({ name }) => name)]);
    // In code only: prose has sentences such as "yore ends quietly".
    const mentioned = [...docs.matchAll(/(?:^|[`(])yore ([a-z]+)/gm)].map(([, name = '']) => name);
    expect(mentioned.length).toBeGreaterThan(50);
    for (const name of mentioned) expect(names).toContain(name);
  });
});
