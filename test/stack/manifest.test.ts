import { describe, expect, it } from 'vitest';
import { hasPath, objectAt, readJson, readToml, stringAt, stringsAt } from '../../src/stack/manifest.ts';

describe('readToml', () => {
  const toml = readToml(`
title = "a # b" # comment
tool.ruff.line-length = 80
[a."b.c"]
'quoted key' = 'x'
list = [ "one", # first
  "two]", 'three' ]
long = """
text = 'not a key'
"""
[deps]
serde = { version = "1", features = ["derive"] }
[deps.tokio]
version = "1"
[[bin]]
name = "x"
`);

  it('reads strings, dotted and quoted keys', () => {
    expect(stringAt(toml, 'title')).toBe('a # b');
    expect(objectAt(toml, 'tool', 'ruff')).toEqual({ 'line-length': 80 });
    expect(stringAt(toml, 'a', 'b.c', 'quoted key')).toBe('x');
    expect(hasPath(toml, 'a', 'b.c', 'text')).toBe(false);
  });

  it('reads lists over several lines, tables and nested strings', () => {
    expect(stringsAt(toml, 'a', 'b.c', 'list')).toEqual(['one', 'two]', 'three']);
    expect(Object.keys(objectAt(toml, 'deps'))).toEqual(['serde', 'tokio']);
    expect(stringsAt(toml, 'deps', 'serde')).toEqual(['1', 'derive']);
    expect(hasPath(toml, 'tool')).toBe(true);
    expect(hasPath(toml, 'to')).toBe(false);
    expect(hasPath(toml, 'constructor')).toBe(false);
  });

  it('skips the lines of a merge conflict', () => {
    const text = `[project]
name = "x"
<<<<<<< HEAD
version = "1"
=======
version = "2"
>>>>>>> topic
dependencies = ["a"]
[tool.uv]
`;
    expect(readToml(text)).toEqual({
      project: { name: 'x', version: '1', dependencies: ['a'] },
      tool: { uv: {} },
    });
  });

  it.each([
    ['text', 'no = toml = at all\n'.repeat(1_000)],
    ['deep nesting', `a = ${'['.repeat(200_000)}`],
    ['nothing', ''],
  ])('is empty for %s', (_, text) => {
    expect(readToml(text)).toEqual({});
    expect(readToml(undefined)).toEqual({});
  });
});

describe('readJson', () => {
  it('accepts comments and trailing commas, but not in strings', () => {
    expect(readJson('{ "a": "// no, }", /* x */ "b": [1, 2, ], // y\n }')).toEqual({
      a: '// no, }',
      b: [1, 2],
    });
  });

  it('is undefined for anything but an object', () => {
    for (const text of ['[]', 'null', '1', '', '{', '/*', '"', undefined]) expect(readJson(text)).toBeUndefined();
  });
});
