import { describe, expect, it } from 'vitest';
import { summariseTurns } from '../../../../src/context/compaction/summary/summarise-turns.ts';

/** The lines of one section of the summary of a reply, or of a call and its result. */
function part(heading: string, ...replies: readonly string[]): string[] {
  const turns = replies.map((content, index) => ({
    role: index === 0 ? ('assistant' as const) : ('user' as const),
    content,
  }));
  const summary = summariseTurns([{ role: 'user', content: 'Please go on with the berths.' }, ...turns]);
  const lines = summary.split('\n');
  const start = lines.indexOf(`${heading}:`);
  if (start < 0) return [];
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('- '));
  return lines.slice(start + 1, end < 0 ? undefined : end).map((line) => line.slice(2));
}

describe('a command is found', () => {
  it.each([
    ['after a prompt', '$ pnpm test berths\n14 passed'],
    ['after the prompt of a machine', 'skipper@marina:~/app$ pnpm test berths\n14 passed'],
    ['after the label for suggestions', 'Try this:\nCMD: pnpm test berths'],
    ['after a label', 'Ran: pnpm test berths\nOutput:\n14 passed'],
    ['after a label in bold', '**Command:** `pnpm test berths`\n14 passed'],
    ['after a bullet', '• Ran pnpm test berths\n  └ 14 passed'],
    ['in brackets after the name of a tool', '⏺ Bash(pnpm test berths)\n  ⎿ 14 passed'],
    ['after the name of a tool', 'exec_command pnpm test berths\n14 passed'],
    ['in a fenced block', 'I ran:\n```bash\npnpm test berths\n```\n```\n14 passed\n```'],
    ['in a fenced block with prompts', '```console\n$ pnpm test berths\n14 passed\n```'],
    ['in a fenced block without a language', '```\n$ pnpm test berths\n14 passed\n```'],
    ['between back-ticks', 'I ran `pnpm test berths` and all went well.'],
    ['in a call as JSON', '{"type":"tool_use","name":"Bash","input":{"command":"pnpm test berths"}}'],
    [
      'in a list of blocks',
      '[{"type":"text","text":"Let me see."},{"type":"tool_use","name":"Bash","input":{"command":"pnpm test berths"}}]',
    ],
    [
      'in the arguments of a function',
      '{"tool_calls":[{"function":{"name":"shell","arguments":"{\\"command\\":\\"pnpm test berths\\"}"}}]}',
    ],
    ['as the words of a command', '{"name":"shell","arguments":{"command":["bash","-lc","pnpm test berths"]}}'],
    [
      'in JSON over several lines',
      'Tool call:\n{\n  "name": "Bash",\n  "input": {\n    "command": "pnpm test berths"\n  }\n}\nThen I wait.',
    ],
    ['in JSON after the name of a tool', 'Bash {"command": "pnpm test berths", "timeout": 5}'],
    ['in JSON after a label', 'Tool call: {"command": "pnpm test berths"}'],
    ['in tags with names', '<invoke name="Bash">\n<parameter name="command">pnpm test berths</parameter>\n</invoke>'],
    ['in tags over several lines', '<execute_command>\n<command>\npnpm test berths\n</command>\n</execute_command>'],
    ['in tags with an equals sign', '<function=bash>\n<parameter=command>pnpm test berths</parameter>\n</function>'],
    ['in an attribute', '<tool name="bash" command="pnpm test berths"/>'],
    ['in JSON in a tag', '<tool_call>\n{"name": "bash", "arguments": {"command": "pnpm test berths"}}\n</tool_call>'],
  ])('%s', (_, reply) => {
    expect([...part('Worked', reply), ...part('Ran', reply)]).toEqual(['pnpm test berths']);
  });

  it('with its output in the next turn of the user', () => {
    const call = '<invoke name="Bash">\n<parameter name="command">pnpm test berths</parameter>\n</invoke>';
    expect(part('Worked', call, '<tool_result>\n14 passed\n</tool_result>')).toEqual(['pnpm test berths']);
    expect(part('Still failing', call, '<tool_result is_error="true">\nError: no berths\n</tool_result>')).toEqual([
      'Error: no berths (pnpm test berths)',
    ]);
  });

  it('several times in a turn, without mistaking output for commands', () => {
    const reply =
      '$ pnpm lint\nok\n\n$ pnpm test berths\n> vitest run berths\n14 passed\n\nNow I know that all of it works.';
    expect(part('Worked', reply).sort()).toEqual(['pnpm lint', 'pnpm test berths']);
  });

  it('without the heredoc it begins', () => {
    const reply = "$ cat > notes.md <<'EOF'\n$ rm -rf everything\nEOF\n$ pnpm lint\nok";
    expect(part('Worked', reply)).toEqual(['pnpm lint']);
  });

  it.each([
    ['in JSON that a program printed', '$ cat settings.json\n{"command": "npm install marina"}'],
    ['quoted in what a program printed', '$ cat README.md\nInstall it:\n```bash\nnpm install marina\n```'],
    ['in code', '```ts\nrun("npm install marina");\n```'],
    ['by a word that is no program', 'I ran `fooled again` through it.'],
  ])('not when it is %s', (_, reply) => {
    expect([...part('Worked', reply), ...part('Ran', reply)].join('\n')).not.toMatch(/npm install marina|fooled/);
  });
});

describe('the outcome of a command', () => {
  it('is success if its output shows no failure, or the text says so', () => {
    expect(part('Worked', '$ pnpm test berths\n14 passed')).toEqual(['pnpm test berths']);
    expect(part('Worked', '{"name":"Bash","input":{"command":"pnpm seed"}}\n{"exit_code":0,"output":""}')).toEqual([
      'pnpm seed',
    ]);
  });

  it('is unknown if nothing says how it ended', () => {
    expect(part('Ran', 'CMD: pnpm test berths\nThat runs the tests of the berths.')).toEqual(['pnpm test berths']);
    expect(part('Ran', 'Run this:\n```bash\npnpm seed\n```\nThen look at the map.')).toEqual(['pnpm seed']);
    expect(part('Ran', '$ pnpm test berths\n2 failed')).toEqual(['pnpm test berths']);
  });

  it('is failure if the exit code says so, whatever it printed', () => {
    expect(part('Worked', '$ pnpm seed\nall fine\n(exit code 1)')).toEqual([]);
    expect(part('Still failing', '$ pnpm seed\nno fish left\nExit code: 3')).toEqual(['no fish left (pnpm seed)']);
  });
});

describe('a command in a sentence', () => {
  it('has failed if the sentence says so', () => {
    const reply = 'I ran `pnpm test berths`: it fails with "Error: expected 16 berths".';
    expect(part('Worked', reply)).toEqual([]);
    expect(part('Still failing', reply)).toEqual(['Error: expected 16 berths (pnpm test berths)']);
  });

  it('is solved if a later sentence says that it passes', () => {
    const reply =
      'I ran `pnpm test berths` and got "Error: connect ECONNREFUSED 127.0.0.1:6373". I changed src/berths/reserve.ts so that it waits, and ran the test again: it passes.';
    expect(part('Worked', reply)).toEqual(['pnpm test berths']);
    expect(part('Failed → solved', reply)).toEqual(['Error: connect ECONNREFUSED 127.0.0.1:6373 (pnpm test berths)']);
    expect(part('Files', reply)).toEqual(['src/berths/reserve.ts']);
  });

  it('has an unknown outcome if the sentence does not say', () => {
    expect(part('Ran', 'You can start it with `pnpm run marina`.')).toEqual(['pnpm run marina']);
  });
});

describe('an edited file is found', () => {
  it.each([
    ['after a verb', 'Edited src/berths/reserve.ts'],
    ['after a label', 'Wrote: src/berths/reserve.ts (12 lines)'],
    ['in brackets', '⏺ Update(src/berths/reserve.ts)\n  ⎿ Updated with 3 additions'],
    ['in a sentence', 'I have now changed `src/berths/reserve.ts` so that it checks the dates.'],
    ['after the output of a command', '$ pnpm lint\n2 errors\nEdited src/berths/reserve.ts'],
    ['in a patch', '*** Begin Patch\n*** Update File: src/berths/reserve.ts\n@@\n-a\n+b\n*** End Patch'],
    ['in a diff', '```diff\n--- a/src/berths/reserve.ts\n+++ b/src/berths/reserve.ts\n```\nThat is the change.'],
    ['above a block to search for', 'src/berths/reserve.ts\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE'],
    [
      'in a call as JSON',
      '{"name":"Edit","input":{"file_path":"src/berths/reserve.ts","old_string":"a","new_string":"b"}}',
    ],
    [
      'in a patch as JSON',
      '{"name":"apply_patch","input":{"input":"*** Begin Patch\\n*** Update File: src/berths/reserve.ts\\n"}}',
    ],
    ['in JSON after the name of a tool', 'str_replace_editor {"path": "src/berths/reserve.ts", "old_str": "a"}'],
    ['under the name of a tool', '### Tool: Edit\npath: src/berths/reserve.ts'],
    ['in tags', '<invoke name="Write">\n<parameter name="file_path">src/berths/reserve.ts</parameter>\n</invoke>'],
    [
      'in tags of its own',
      '<write_to_file>\n<path>src/berths/reserve.ts</path>\n<content>x</content>\n</write_to_file>',
    ],
    ['in what the tool reports', 'Done.\nThe file src/berths/reserve.ts has been updated.'],
  ])('%s', (_, reply) => {
    expect(part('Files', reply)[0]).toBe('src/berths/reserve.ts');
  });

  it('under its longest path only', () => {
    const reply =
      'Edited /home/skipper/app/src/berths/reserve.ts\nI changed src/berths/reserve.ts and reserve.ts again.';
    expect(part('Files', reply)).toEqual(['/home/skipper/app/src/berths/reserve.ts']);
  });

  it('before files that were only read', () => {
    const read = '{"name":"Read","input":{"file_path":"src/tides/import.ts"}}';
    const edited = '{"name":"Edit","input":{"file_path":"src/tides/parser.ts"}}';
    expect(part('Files', `${read}\n${edited}\n${read}`)).toEqual(['src/tides/parser.ts', 'src/tides/import.ts']);
  });

  it('not in the command that a sentence quotes', () => {
    const reply =
      'I ran `pnpm test test/berths.test.ts` twice. Then I changed src/berths/reserve.ts after `sed -n 1p src/tides.ts` told me why.';
    expect(part('Files', reply)[0]).toBe('src/berths/reserve.ts');
    expect(part('Files', `${reply}\nAll of it is in test/berths.test.ts.\nEdited src/tides.ts`).at(-1)).toBe(
      'test/berths.test.ts',
    );
  });

  it('not in the output of a program', () => {
    const reply = '$ pnpm build\ncreated dist/index.js\nwrote dist/index.d.ts\nok';
    expect(part('Files', reply)).toEqual([]);
  });
});
