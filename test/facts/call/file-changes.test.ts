import { describe, expect, it } from 'vitest';
import { describeCall } from '../../../src/facts/call/describe-call.ts';
import { type FileChange, findFileChanges } from '../../../src/facts/call/file-changes.ts';
import type { Outcome } from '../../../src/record/index.ts';
import { formatHunks } from '../../../src/text/line-diff.ts';

const ROOT = '/srv/kiln';
const FILE = `${ROOT}/src/heat.ts`;
const NOTES = `${ROOT}/docs/heat.md`;
const OLD = 'const heat = 900;';
const NEW = 'const heat = 1200;';
const TEXT = 'hot\nhotter\n';
const BLOCK = `<<<<<<< SEARCH\n${OLD}\n=======\n${NEW}\n>>>>>>> REPLACE`;
const PATCH =
  '*** Begin Patch\n*** Update File: src/heat.ts\n@@ function fire()\n const a = 1;\n-const heat = 900;\n+const heat = 1200;\n*** Add File: docs/heat.md\n+hot\n+hotter\n*** Delete File: old.ts\n*** End Patch';

/** The changes of a call as it is recorded. */
function changesOf(tool: string, input: object, more: { cwd?: string; result?: string } = {}): readonly FileChange[] {
  const call = { sessionId: 's', timestamp: '2026-05-20T10:00:00.000Z', root: ROOT, cwd: more.cwd ?? ROOT };
  const fields = describeCall({ ...call, tool, input: { ...input } });
  return findFileChanges({
    ...fields,
    outcome: 'success' satisfies Outcome,
    ...(more.result === undefined ? {} : { result: more.result }),
  });
}

function summarise({ hunks, ...change }: FileChange): object {
  return { ...change, diff: formatHunks(hunks) };
}

const EDITED = [{ path: 'src/heat.ts', added: 1, removed: 1, diff: `-${OLD}\n+${NEW}` }];
const WRITTEN = [{ path: 'docs/heat.md', change: 'created', added: 2, removed: 0, diff: '+hot\n+hotter' }];
const PATCHED = [
  { path: 'src/heat.ts', added: 1, removed: 1, diff: ` const a = 1;\n-${OLD}\n+${NEW}` },
  ...WRITTEN,
  { path: 'old.ts', change: 'deleted', added: 0, removed: 0, diff: '' },
];

describe('files changed by a recorded call', () => {
  it.each<[agent: string, tool: string, input: object, changes: readonly object[]]>([
    ['Claude Code', 'Edit', { file_path: FILE, old_string: OLD, new_string: NEW }, EDITED],
    ['Claude Code', 'Write', { file_path: NOTES, content: TEXT }, WRITTEN],
    ['Claude Code', 'MultiEdit', { file_path: FILE, edits: [{ old_string: OLD, new_string: NEW }] }, EDITED],
    [
      'Claude Code',
      'NotebookEdit',
      { notebook_path: `${ROOT}/a.ipynb`, new_source: 'x = 1' },
      [{ path: 'a.ipynb', added: 1, removed: 0, diff: '+x = 1' }],
    ],
    ['Codex', 'apply_patch', { input: PATCH }, PATCHED],
    ['Codex', 'shell', { command: ['bash', '-lc', `apply_patch <<'EOF'\n${PATCH}\nEOF`] }, PATCHED],
    [
      'Codex',
      'apply_patch',
      { changes: { [FILE]: { type: 'update', unified_diff: `@@ -1 +1 @@\n-${OLD}\n+${NEW}\n` } } },
      EDITED,
    ],
    ['Gemini', 'replace', { file_path: FILE, old_string: OLD, new_string: NEW, instruction: 'Hotter' }, EDITED],
    ['Gemini', 'write_file', { file_path: NOTES, content: TEXT }, WRITTEN],
    ['opencode', 'edit', { filePath: FILE, oldString: OLD, newString: NEW }, EDITED],
    ['opencode', 'write', { filePath: NOTES, content: TEXT }, WRITTEN],
    ['opencode', 'apply_patch', { patchText: PATCH }, PATCHED],
    ['Copilot', 'edit', { path: FILE, old_str: OLD, new_str: NEW }, EDITED],
    ['Copilot', 'str_replace_editor', { command: 'create', path: NOTES, file_text: TEXT }, WRITTEN],
    ['Copilot', 'str_replace_editor', { command: 'view', path: FILE }, []],
    ['Cursor', 'StrReplace', { path: FILE, old_string: OLD, new_string: NEW }, EDITED],
    ['Cursor', 'Write', { path: NOTES, contents: TEXT }, WRITTEN],
    ['Cursor', 'Delete', { path: FILE }, [{ path: 'src/heat.ts', change: 'deleted', added: 0, removed: 0, diff: '' }]],
    ['pi', 'edit', { path: FILE, oldText: OLD, newText: NEW }, EDITED],
    ['pi', 'edit', { path: FILE, edits: [{ oldText: OLD, newText: NEW }] }, EDITED],
    ['Qwen', 'edit', { file_path: FILE, old_string: OLD, new_string: NEW }, EDITED],
    ['Cline', 'replace_in_file', { path: 'src/heat.ts', diff: BLOCK }, EDITED],
    ['Roo', 'apply_diff', { path: 'src/heat.ts', diff: BLOCK.replace(OLD, `:start_line:3\n-------\n${OLD}`) }, EDITED],
    ['Cline', 'write_to_file', { path: 'docs/heat.md', content: TEXT }, WRITTEN],
    ['aider', 'edit_file', { path: 'src/heat.ts' }, [{ path: 'src/heat.ts', added: 0, removed: 0, diff: '' }]],
    ['any agent', 'Read', { file_path: FILE }, []],
    ['any agent', 'Bash', { command: 'npm test' }, []],
  ])('are those of %s: %s %j', (_agent, tool, input, changes) => {
    expect(changesOf(tool, input).map(summarise)).toEqual(changes);
  });

  it('keep the headings of a patch and the lines that differ in several edits', () => {
    expect(changesOf('apply_patch', { input: PATCH })[0]?.hunks[0]?.heading).toBe('function fire()');
    const edits = [
      { old_string: OLD, new_string: NEW },
      { old_string: 'off()', new_string: 'on()' },
    ];
    const [change] = changesOf('MultiEdit', { file_path: FILE, edits });
    expect(change).toMatchObject({ added: 2, removed: 2 });
    expect(change?.hunks).toHaveLength(2);
  });

  it('are relative to the checkout when a patch is applied in a folder of it', () => {
    const changes = changesOf('apply_patch', { input: PATCH }, { cwd: `${ROOT}/packages/oven` });
    expect(changes.map(({ path }) => path)).toEqual([
      'packages/oven/src/heat.ts',
      'packages/oven/docs/heat.md',
      'packages/oven/old.ts',
    ]);
  });

  it('name the path before a move', () => {
    const input = '*** Begin Patch\n*** Update File: a.ts\n*** Move to: b.ts\n@@\n-x\n+y\n*** End Patch';
    expect(changesOf('apply_patch', { input })).toMatchObject([{ path: 'b.ts', movedFrom: 'a.ts', added: 1 }]);
  });

  it('are not called created when the result says that an existing file was overwritten', () => {
    const result = 'The file /srv/kiln/docs/heat.md has been updated. Here is the result.';
    expect(changesOf('Write', { file_path: NOTES, content: TEXT }, { result })[0]).not.toHaveProperty('change');
  });

  it('are marked as partial when the record holds only a part of the text', () => {
    const [change] = changesOf('Write', { file_path: NOTES, content: 'a line of a long file\n'.repeat(5000) });
    expect(change).toMatchObject({ isPartial: true, removed: 0 });
    expect(change?.added).toBeGreaterThan(20);
  });

  it('are read from a list of edits that was recorded as truncated JSON', () => {
    const edits = JSON.stringify([{ old_string: 'a "b"\nc', new_string: 'd' }]).slice(0, -3);
    const [change] = findFileChanges({ tool: 'MultiEdit', path: 'x.ts', args: { edits }, outcome: 'success' });
    expect(formatHunks(change?.hunks ?? [])).toBe('-a "b"\n-c\n+d');
  });
});
