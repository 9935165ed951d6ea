import { describe, expect, it } from 'vitest';
import { readYaml, yamlKeys } from '../../src/stack/yaml.ts';

describe('readYaml', () => {
  it('reads maps, lists at either indentation, blocks and comments', () => {
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
    const values = entries.map(({ path, value }) => [path.join('.'), value]).filter(([, value]) => value !== '');
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
