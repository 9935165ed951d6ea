import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../../../src/project/index.ts';
import { createPlace, type Place, yore, yoreJson } from './run-yore.ts';
import { seed } from './seed.ts';

function isRecording(place: Place): boolean {
  const home = openHome({ home: place.home });
  try {
    return home.openProject(place.cwd).isRecording();
  } finally {
    home.close();
  }
}

describe('yore config', () => {
  it('sets, shows and unsets a value with its origin', () => {
    const place = createPlace();
    const file = join(place.home, 'config.json');
    expect(yore(place, ['config', 'get', 'prompts.size']).stdout).toBe('100\n');
    expect(yoreJson(place, ['config', 'get', 'prompts.size'])).toMatchObject({
      value: 100,
      origin: 'default',
    });
    expect(yore(place, ['config', 'path']).stdout).toBe(`${file}\n`);
    expect(yoreJson(place, ['config', 'set', 'prompts.size', '50'])).toEqual({
      key: 'prompts.size',
      value: 50,
      file,
    });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ prompts: { size: 50 } });
    expect(yoreJson(place, ['config', 'get', 'prompts.size'])).toMatchObject({ value: 50, origin: file });
    expect(yore(place, ['config']).stdout).toMatch(/prompts\.size +50 +\//);
    expect(yore(place, ['config', 'unset', 'prompts.size']).stdout).toContain('no longer set');
    expect(yore(place, ['config', 'unset', 'prompts.size']).stdout).toContain('was not set');
    expect(yore(place, ['config', 'get', 'prompts.size']).stdout).toBe('100\n');
  });

  it('keeps project settings separate', () => {
    const place = createPlace();
    seed(place);
    yore(place, ['config', 'set', 'prompts.size', '50', '--project', '.']);
    expect(yore(place, ['config', 'get', 'prompts.size']).stdout).toBe('100\n');
    expect(yore(place, ['config', 'get', 'prompts.size', '--project', 'my-app']).stdout).toBe('50\n');
    expect(yore(place, ['config', 'path', '--project', '.']).stdout).toMatch(/projects.*config\.json\n$/);
  });

  it('lists every setting as JSON', () => {
    const { settings } = yoreJson(createPlace(), ['config', 'list']) as { settings: { key: string }[] };
    expect(settings.length).toBeGreaterThan(3);
    for (const setting of settings)
      expect(Object.keys(setting)).toEqual(
        expect.arrayContaining(['key', 'value', 'origin', 'default', 'type', 'description']),
      );
  });
});

describe('yore pause and resume', () => {
  it('apply to the current project', () => {
    const place = createPlace();
    seed(place);
    expect(yore(place, ['pause']).stdout).toContain('paused in my-app');
    expect(isRecording(place)).toBe(false);
    expect(yore(place, []).stdout).toContain('paused');
    expect(yoreJson(place, ['resume'])).toMatchObject({ recording: true, scope: 'project' });
    expect(isRecording(place)).toBe(true);
  });

  it('apply to all projects with --everywhere', () => {
    const place = createPlace();
    seed(place);
    expect(yore(place, ['pause', '--everywhere']).stdout).toContain('paused everywhere');
    expect(isRecording(place)).toBe(false);
    yore(place, ['resume']);
    expect(isRecording(place)).toBe(true);
    yore(place, ['pause', '--everywhere']);
    expect(isRecording(place)).toBe(false);
    yore(place, ['resume', '--everywhere']);
    expect(isRecording(place)).toBe(true);
    yore(place, ['pause']);
    const resumed = yore(place, ['resume', '--everywhere']);
    expect(resumed.stderr).toContain('my-app');
    expect(isRecording(place)).toBe(false);
  });
});
