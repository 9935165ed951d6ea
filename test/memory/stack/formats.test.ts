import { describe, expect, it } from 'vitest';
import { readJson } from '../../../src/memory/stack/formats/json.ts';
import { readToml } from '../../../src/memory/stack/formats/toml.ts';
import { readYaml, yamlKeys } from '../../../src/memory/stack/formats/yaml.ts';

describe('TOML', () => {
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

  it('keeps text with signs in it, dotted and quoted keys', () => {
    expect(toml.text('', 'title')).toBe('a # b');
    expect(toml.text('tool.ruff', 'line-length')).toBe('80');
    expect(toml.text('a.b.c', 'quoted key')).toBe('x');
    expect(toml.text('a.b.c', 'text')).toBeUndefined();
    expect(toml.text('bin', 'name')).toBe('x');
  });

  it('reads lists over lines and names of tables', () => {
    expect(toml.strings('a.b.c', 'list')).toEqual(['one', 'two]', 'three']);
    expect(toml.names('deps')).toEqual(['serde', 'tokio']);
    expect(toml.has('tool')).toBe(true);
    expect(toml.has('to')).toBe(false);
  });
});

describe('YAML', () => {
  it('reads maps, lists at either depth, blocks and comments', () => {
    const entries = readYaml(`# head
jobs:
  "a b":
    steps:
    - uses: x@v1
    - name: Test # why
      run: |
        one
          two

        three
      shell: bash
  c:
    steps:
        - run: 'echo: "#1"'
        -
          run: >-
            folded
list: [a, "b"]
- stray
`);
    const values = entries
      .map(({ path, value }) => [path.join('.'), value])
      .filter(([, value]) => value !== '');
    expect(values).toEqual([
      ['jobs.a b.steps.0.uses', 'x@v1'],
      ['jobs.a b.steps.1.name', 'Test'],
      ['jobs.a b.steps.1.run', 'one\ntwo\n\nthree'],
      ['jobs.a b.steps.1.shell', 'bash'],
      ['jobs.c.steps.0.run', 'echo: "#1"'],
      ['jobs.c.steps.1.run', 'folded'],
      ['list.0', 'a'],
      ['list.1', 'b'],
      ['list.0', 'stray'],
    ]);
    expect(yamlKeys(entries, 'jobs')).toEqual(['a b', 'c']);
  });
});

describe('JSON', () => {
  it('may have comments and trailing commas, but not in its strings', () => {
    expect(readJson('{ "a": "// no, }", /* x */ "b": [1, 2, ], // y\n }')).toEqual({
      a: '// no, }',
      b: [1, 2],
    });
  });

  it('is nothing when it is no object', () => {
    for (const text of ['[]', 'null', '1', '', '{', '/*', '"', undefined])
      expect(readJson(text)).toBeUndefined();
  });
});
