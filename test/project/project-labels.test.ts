import { describe, expect, it } from 'vitest';
import { labelProjects } from '../../src/project/project-labels.ts';

function label(...paths: readonly string[]): string[] {
  const projects = paths.map((projectPath, index) => ({
    projectHash: `p${index}`,
    projectPath,
    displayName: projectPath.split(/[/\\]/).at(-1) ?? '',
  }));
  return [...labelProjects(projects).entries()].sort().map(([, text]) => text);
}

describe('labelProjects', () => {
  it('calls a project by its name if no other has it', () => {
    expect(label('/home/ann/api', '/home/ann/web')).toEqual(['api', 'web']);
  });

  it('tells projects with the same name apart by as few folders as possible', () => {
    expect(label('/home/ann/work/api', '/home/ann/play/api')).toEqual(['work/api', 'play/api']);
    expect(label('/a/one/src/api', '/a/two/src/api', '/a/lib/api')).toEqual(['one/src/api', 'two/src/api', 'lib/api']);
    expect(label('C:\\work\\api', 'C:\\play\\api')).toEqual(['work/api', 'play/api']);
  });

  it('falls back on the whole path for a folder above another one', () => {
    expect(label('/api', '/home/api')).toEqual(['api (/api)', 'home/api']);
  });
});
