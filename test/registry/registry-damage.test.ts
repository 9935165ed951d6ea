import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../temp-folder.ts';
import { createRepository, git } from './git.ts';
import { errorOf, folder, home, open, repository } from './open-registry.ts';

describe('a damaged registry', () => {
  test.each(['{"v": 1, "folders": [', '', '[]', '{"folders": {}}', '\u0000\u0000'])(
    'of %j is copied and rebuilt from the projects',
    (damage) => {
      const path = home();
      const root = repository();
      const { id } = open(path).register(root);
      const plain = folder('notes');
      const plainId = open(path).register(plain).id;
      writeFileSync(join(path, 'registry.json'), damage);

      const reader = open(path);
      expect(reader.lookup(join(root, 'src'))).toBe(id);
      expect(readFileSync(join(path, 'registry.json'), 'utf8')).toBe(damage);
      expect(reader.diagnostics).toHaveLength(1);

      const registry = open(path);
      registry.register(folder('new'));
      const aside = 'registry.json.corrupt-20251112T100000Z';
      expect(readFileSync(join(path, aside), 'utf8')).toBe(damage);
      expect(registry.diagnostics[0]).toMatchObject({
        code: 'rebuilt',
        message: expect.stringContaining(aside),
      });
      expect(registry.lookup(root)).toBe(id);
      expect(registry.register(root)).toMatchObject({ id, isNew: false });
      expect(registry.lookup(plain)).toBe(plainId);
      expect(registry.list()).toHaveLength(3);
    },
  );

  test('that is missing is rebuilt without a warning', () => {
    const path = home();
    const root = repository();
    const tree = join(temporaryFolder(), 'tree');
    git(root, 'worktree', 'add', '-q', tree);
    const { id } = open(path).register(root);
    rmSync(join(path, 'registry.json'));
    const registry = open(path);
    expect(registry.lookup(root)).toBe(id);
    expect(registry.register(tree)).toMatchObject({ id, isNew: false });
    expect(registry.register(root)).toMatchObject({ id, isNew: false });
    expect(registry.diagnostics).toEqual([]);
  });

  test('that was rebuilt does not confuse another repository at a known path with the old project', () => {
    const path = home();
    const root = repository('app', 'old');
    const { id } = open(path).register(root);
    rmSync(join(path, 'registry.json'));
    rmSync(root, { recursive: true });
    createRepository(root, 'new');
    expect(open(path).register(root).id).not.toBe(id);
  });

  test('of a newer version can be read but not changed', () => {
    const path = home();
    const root = folder();
    const { id } = open(path).register(root);
    const text = readFileSync(join(path, 'registry.json'), 'utf8').replace('"v": 1', '"v": 2');
    writeFileSync(join(path, 'registry.json'), text);
    expect(open(path).lookup(root)).toBe(id);
    const error = errorOf(() => open(path).register(folder('new')));
    expect(error.code).toBe('NEWER_VERSION');
    expect(error.message).toContain('Update yore');
    expect(readFileSync(join(path, 'registry.json'), 'utf8')).toBe(text);
  });

  test('cannot point outside of the home: entries with invalid ids are skipped', () => {
    const path = home();
    const root = folder();
    mkdirSync(path);
    writeFileSync(
      join(path, 'registry.json'),
      JSON.stringify({ v: 1, folders: [{ path: root, project: '../../elsewhere' }, 5, null, { path: 1 }] }),
    );
    expect(open(path).lookup(root)).toBeUndefined();
    writeFileSync(join(path, 'index.json'), JSON.stringify(open(home()).register(root).info));
    expect(open(path).info('..')).toBeUndefined();
  });
});
