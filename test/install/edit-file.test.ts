import fc from 'fast-check';
import { getNodeValue } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { hookAddition, type JsonTarget, serverAddition, type TomlTarget } from '../../src/agents/installation.ts';
import { type Edit, planInstall, planRemoval } from '../../src/install/edit-file.ts';

import { parseJsonText } from '../../src/install/json-edit.ts';
import { settingsDocument } from './json-document.ts';

const COMMAND = '/home/ada/.yore/bin/yore-hook claude-code || true';

const target: JsonTarget = {
  kind: 'json',
  path: '/settings.json',
  additions: [
    ...['SessionStart', 'PreToolUse', 'Stop'].map((event) =>
      hookAddition(event, { hooks: [{ type: 'command', command: COMMAND, timeout: 10 }] }),
    ),
    serverAddition('mcpServers', { command: '/home/ada/.yore/bin/yore-mcp', args: [] }),
  ],
};

function written(edit: Edit): Extract<Edit, { readonly kind: 'write' }> {
  if (edit.kind !== 'write') throw new Error(`not written: ${JSON.stringify(edit)}`);
  return edit;
}

type Settings = Record<string, unknown> & {
  hooks?: Record<string, unknown[]>;
  mcpServers?: Record<string, unknown>;
};

function parse(text: string): Settings {
  if (text.replace('\uFEFF', '').trim() === '') return {};
  return JSON.parse(JSON.stringify(getNodeValue(parseJsonText(text))));
}

/** The content without yore's entries, empty lists and objects left out. */
function othersIn(text: string): Settings {
  const { hooks, mcpServers, ...rest } = parse(text);
  const events = Object.entries(hooks ?? {})
    .map(([event, groups]) => [event, groups.filter((group) => !JSON.stringify(group).includes('yore-hook'))])
    .filter(([, groups]) => groups?.length !== 0);
  const { yore: _, ...servers } = mcpServers ?? {};
  return { ...rest, hooks: Object.fromEntries(events), mcpServers: servers };
}

describe('editing a JSON settings file', () => {
  it('restores the same bytes after install and uninstall', () => {
    fc.assert(
      fc.property(settingsDocument, (before) => {
        const { text, record } = written(planInstall(target, before, undefined));
        expect(written(planRemoval(target, text, record)).text).toBe(before);
      }),
      { numRuns: 300 },
    );
  });

  it('changes nothing when it is installed again', () => {
    fc.assert(
      fc.property(settingsDocument, (before) => {
        const { text, record } = written(planInstall(target, before, undefined));
        expect(planInstall(target, text, record).kind).toBe('none');
        expect(planInstall(target, text, undefined).kind).toBe('none');
      }),
      { numRuns: 200 },
    );
  });

  it('adds the entries and leaves every other value as it was', () => {
    fc.assert(
      fc.property(settingsDocument, (before) => {
        const { text } = written(planInstall(target, before, undefined));
        const after = parse(text);
        for (const { path, value } of target.additions.slice(0, 3)) {
          expect(after.hooks?.[path[1] ?? '']).toContainEqual(value);
        }
        expect(after.mcpServers?.yore).toEqual(target.additions[3]?.value);
        expect(othersIn(text)).toEqual(othersIn(before));
      }),
      { numRuns: 200 },
    );
  });

  it('removes its entries and keeps the rest when the file was edited or the record is lost', () => {
    fc.assert(
      fc.property(settingsDocument, fc.boolean(), (before, isRecorded) => {
        const { text, record } = written(planInstall(target, before, undefined));
        const edited = text.replace('{', '{ "edited" : true , /* by hand */');
        const rest = written(planRemoval(target, edited, isRecorded ? record : undefined)).text;
        expect(rest).not.toContain('yore-');
        expect(rest).toContain('/* by hand */');
        expect(othersIn(rest)).toEqual({ ...othersIn(before), edited: true });
        for (const comment of before.match(/\/\* note \*\//g) ?? []) expect(rest).toContain(comment);
      }),
      { numRuns: 300 },
    );
  });

  it('replaces an outdated command of its own and keeps the hooks of others in the same group', () => {
    const before = `{
  // mine
  "hooks": {
    "Stop": [
      { "hooks": [
        { "type": "command", "command": "/old/.yore/bin/yore-hook claude-code" },
        { "type": "command", "command": "say done" } // loud
      ] }
    ]
  }
}
`;
    const { text } = written(planInstall(target, before, undefined));
    expect(text).not.toContain('/old/');
    expect(text).toContain('// mine');
    expect(text).toContain('// loud');
    expect(parse(text).hooks?.Stop).toEqual([
      { hooks: [{ type: 'command', command: 'say done' }] },
      target.additions[2]?.value,
    ]);
  });

  it('formats additions like the file they go into', () => {
    const tabs = '{\r\n\t"model": "x"\r\n}\r\n';
    const hook: JsonTarget = { ...target, additions: target.additions.slice(3) };
    expect(written(planInstall(hook, tabs, undefined)).text).toBe(
      '{\r\n\t"model": "x",\r\n\t"mcpServers": {\r\n\t\t"yore": {\r\n\t\t\t"command": "/home/ada/.yore/bin/yore-mcp",\r\n\t\t\t"args": []\r\n\t\t}\r\n\t}\r\n}\r\n',
    );
    expect(written(planInstall(hook, '{"a":1}', undefined)).text).toBe(
      '{"a":1,"mcpServers":{"yore":{"command":"/home/ada/.yore/bin/yore-mcp","args":[]}}}',
    );
    expect(written(planInstall(hook, undefined, undefined)).text).toBe(
      `${JSON.stringify({ mcpServers: { yore: hook.additions[0]?.value } }, undefined, 2)}\n`,
    );
  });

  it('deletes a file that it created unless somebody added to it', () => {
    const { text, record } = written(planInstall(target, undefined, undefined));
    expect(planRemoval(target, text, record)).toEqual({ kind: 'delete' });
    const edited = text.replace('{', '{\n  "theme": "dark",');
    expect(parse(written(planRemoval(target, edited, record)).text)).toEqual({ theme: 'dark' });
    const commented = text.replace('{', '{\n  // remember\n');
    expect(written(planRemoval(target, commented, record)).text).toContain('// remember');
  });

  it('leaves another server of the same name alone and reports the conflict', () => {
    const before = '{"mcpServers": {"yore": {"command": "/opt/other/yore"}}}';
    const edit = written(planInstall(target, before, undefined));
    expect(edit.conflicts).toEqual(['mcp']);
    expect(parse(edit.text).mcpServers).toEqual({ yore: { command: '/opt/other/yore' } });
    expect(planInstall(target, edit.text, edit.record)).toEqual({ kind: 'none', conflicts: ['mcp'] });
  });

  it.each([
    ['{"hooks": {"Stop": []}', /line 1, column 23: close brace expected/],
    ['{"hooks": [1]}', /"hooks" is not what hooks need/],
    ['{"hooks": {"Stop": {}}}', /"hooks.Stop" is not what hooks need/],
    ['{"mcpServers": "none"}', /"mcpServers" is not an object/],
    ['[]', /it is not/],
    ['<<<<<<< HEAD\n{}', /line 1, column 1: invalid symbol/],
    [`${'['.repeat(100_000)}`, /nested too deeply/],
  ])('refuses %s', (before, problem) => {
    const edit = planInstall(target, before, undefined);
    expect(edit).toMatchObject({ kind: 'problem', problem: expect.stringMatching(problem) });
  });
});

describe('editing a TOML settings file', () => {
  const toml: TomlTarget = {
    kind: 'toml',
    path: '/config.toml',
    part: 'mcp',
    table: ['mcp_servers', 'yore'],
    lines: ['command = "/home/ada/.yore/bin/yore-mcp"', 'args = []'],
  };
  const piece = fc.constantFrom(
    'model = "o9"',
    '# a note',
    '',
    '[mcp_servers.other]\ncommand = "x"',
    '["quoted.name"]',
    'text = """\n[mcp_servers.yore]\nnot a table\n"""',
    "list = [\n  ['a'],\n]",
    '[[profiles]]\nname = "one" # [x]',
  );
  const document = fc
    .tuple(fc.array(piece, { maxLength: 6 }), fc.constantFrom('', '\n', '\n\n'), fc.constantFrom('\n', '\r\n'))
    .map(([pieces, end, lineEnd]) => (pieces.join('\n') + end).replaceAll('\n', lineEnd));

  it('restores the same bytes after uninstalling, and changes nothing when installed again', () => {
    fc.assert(
      fc.property(document, (before) => {
        const { text, record } = written(planInstall(toml, before, undefined));
        expect(text.startsWith(before)).toBe(true);
        expect(planInstall(toml, text, record).kind).toBe('none');
        expect(planInstall(toml, text, undefined).kind).toBe('none');
        expect(written(planRemoval(toml, text, record)).text).toBe(before);
      }),
    );
  });

  it('removes its table and sub-tables when the file was edited', () => {
    const { text, record } = written(planInstall(toml, 'model = "o9"\n', undefined));
    const edited = `${text}\n[mcp_servers.yore.tools.search]\napproval = "auto"\n\n# mine\n[other]\nkey = 1\n`;
    const rest = written(planRemoval(toml, edited, record)).text;
    expect(rest).toContain('model = "o9"');
    expect(rest).toContain('# mine\n[other]\nkey = 1\n');
    expect(rest).not.toContain('yore');
    expect(rest).not.toContain('approval');
  });

  it('replaces an outdated table of its own and leaves a foreign one alone', () => {
    const old = '[mcp_servers.yore]\ncommand = "/old/.yore/bin/yore-mcp"\nargs = []\n';
    expect(written(planInstall(toml, old, undefined)).text).toContain('/home/ada/.yore/bin/yore-mcp');
    expect(written(planInstall(toml, old, undefined)).text).not.toContain('/old/');
    const foreign = '[mcp_servers.yore]\ncommand = "other"\n';
    expect(planInstall(toml, foreign, undefined)).toEqual({ kind: 'none', conflicts: ['mcp'] });
    expect(planRemoval(toml, foreign, undefined)).toEqual({ kind: 'none', conflicts: [] });
  });

  it('refuses a file to which the table cannot be added', () => {
    expect(planInstall(toml, 'mcp_servers = {}\n', undefined)).toMatchObject({ kind: 'problem' });
    expect(planInstall(toml, 'a = """\n', undefined)).toMatchObject({ kind: 'problem' });
  });
});
