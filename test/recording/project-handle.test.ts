import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../../src/project/index.ts';
import { ProjectHandle, type ProjectHandleOptions } from '../../src/recording/project-handle.ts';
import { createRepository, git } from '../registry/git.ts';
import { temporaryFolder } from '../temp-folder.ts';

const NOW = Date.parse('2026-03-04T10:00:00.000Z');

function createPlace(): ProjectHandleOptions & { readonly cwd: string; readonly folder: string } {
  const folder = temporaryFolder();
  const cwd = join(folder, 'shop');
  mkdirSync(join(cwd, 'src'), { recursive: true });
  return { folder, cwd, home: join(folder, 'home'), env: {}, now: () => NOW };
}

describe('a project handle', () => {
  it('is found for a known project without writing, and registers an unknown one on entering', () => {
    const place = createPlace();
    expect(ProjectHandle.find(place.cwd, place)).toBeUndefined();
    expect(existsSync(place.home)).toBe(false);
    const entered = ProjectHandle.enter(place.cwd, place);
    expect(entered?.info.projectPath).toBe(place.cwd);
    expect(ProjectHandle.find(join(place.cwd, 'src'), place)?.directory).toBe(entered?.directory);
    expect(openHome({ home: place.home }).findProject(place.cwd)?.directory).toBe(entered?.directory);
  });

  it('is not entered when nothing may be recorded', () => {
    const place = createPlace();
    mkdirSync(place.home);
    writeFileSync(join(place.home, 'config.json'), '{"recording": {"enabled": false}}');
    expect(ProjectHandle.enter(place.cwd, place)).toBeUndefined();
    const excluded = JSON.stringify({ recording: { excludedProjects: [place.cwd] } });
    writeFileSync(join(place.home, 'config.json'), excluded);
    expect(ProjectHandle.enter(place.cwd, place)).toBeUndefined();
    expect(existsSync(join(place.home, 'registry.json'))).toBe(false);
  });

  it('is not entered in a new clone of an excluded project', () => {
    const place = { ...createPlace(), env: { PATH: process.env.PATH } };
    const app = createRepository(join(place.folder, 'app'));
    git(app, 'remote', 'add', 'origin', 'https://git.example/app.git');
    const { projectHash } = ProjectHandle.enter(app, place)?.info ?? {};
    const excluded = JSON.stringify({ recording: { excludedProjects: [projectHash] } });
    writeFileSync(join(place.home, 'config.json'), excluded);
    const copy = join(place.folder, 'copy');
    git(place.folder, 'clone', '-q', 'app', copy);
    git(copy, 'remote', 'set-url', 'origin', 'https://git.example/app.git');
    expect(ProjectHandle.enter(copy, place)).toBeUndefined();
    expect(ProjectHandle.find(copy, place)?.info.projectHash).toBe(projectHash);
  });

  it('uses the defaults of wrong settings and reports them', () => {
    const place = createPlace();
    const entered = ProjectHandle.enter(place.cwd, place);
    writeFileSync(join(place.home, 'config.json'), '{"retrieval": {"minConfidence": "high"}}');
    const found = ProjectHandle.find(place.cwd, place);
    expect(found?.config.get('retrieval.minConfidence')).toBe(0.75);
    expect(found?.config.warnings).toHaveLength(1);
    expect(entered?.config.warnings).toEqual([]);
  });

  it('knows its checkout and branch', () => {
    const place = createPlace();
    for (const name of ['objects', 'refs']) mkdirSync(join(place.cwd, '.git', name), { recursive: true });
    writeFileSync(join(place.cwd, '.git', 'HEAD'), 'ref: refs/heads/feature/wish-list\n');
    const found = ProjectHandle.enter(join(place.cwd, 'src'), place);
    expect(found?.root).toBe(place.cwd);
    expect(found?.branch()).toBe('feature/wish-list');
    writeFileSync(join(place.cwd, '.git', 'HEAD'), `${'a'.repeat(40)}\n`);
    expect(found?.branch()).toBeUndefined();
  });

  it('records that the project is in use, at most once an hour', () => {
    const place = createPlace();
    const info = (now: number): string => {
      ProjectHandle.find(place.cwd, { ...place, now: () => now })?.touch();
      return ProjectHandle.find(place.cwd, place)?.info.lastActiveAt ?? '';
    };
    ProjectHandle.enter(place.cwd, place);
    const first = info(NOW);
    expect(info(NOW + 60_000)).toBe(first);
    expect(info(NOW + 2 * 3_600_000)).toBe(new Date(NOW + 2 * 3_600_000).toISOString());
  });

  it('throws for a home that is a file', () => {
    const place = createPlace();
    writeFileSync(place.home, 'x');
    expect(() => ProjectHandle.find(place.cwd, place)).toThrow(/must be a folder/);
    expect(readFileSync(place.home, 'utf8')).toBe('x');
  });
});
