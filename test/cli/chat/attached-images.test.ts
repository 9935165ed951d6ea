import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findAttachedImages } from '../../../src/cli/chat/attached-images.ts';
import '../../property-seed.ts';
import { temporaryFolder } from '../../temp-folder.ts';

const PNG = Buffer.from('iVBORw0KGgo=', 'base64');

function folderWith(...names: readonly string[]): string {
  const folder = temporaryFolder();
  for (const name of names) writeFileSync(join(folder, name), PNG);
  return folder;
}

function paths(text: string, folder: string): readonly string[] {
  return findAttachedImages(text, folder).map(({ path }) => path);
}

describe('images that a message names', () => {
  it('are read as data URIs of their type', () => {
    const folder = folderWith('shot.png', 'photo.JPEG');
    expect(findAttachedImages('compare shot.png with photo.JPEG', folder)).toEqual([
      { path: join(folder, 'shot.png'), dataUri: 'data:image/png;base64,iVBORw0KGgo=' },
      { path: join(folder, 'photo.JPEG'), dataUri: 'data:image/jpeg;base64,iVBORw0KGgo=' },
    ]);
  });

  it.each([
    ['quoted', (path: string) => `see "${path}"`],
    ['in single quotes', (path: string) => `see '${path}' please`],
    ['with escaped spaces, as a terminal drops a file', (path: string) => path.replaceAll(' ', '\\ ')],
    ['as an address', (path: string) => `${pathToFileURL(path)}`],
  ])('may have spaces when they are %s', (_, written) => {
    const folder = folderWith('my shot.png');
    const path = join(folder, 'my shot.png');
    expect(paths(written(path), '/')).toEqual([path]);
  });

  it.each([['What is in shot.png?'], ['(shot.png)'], ['shot.png, please'], ["don't you like shot.png, it's new"]])(
    'are found in "%s"',
    (text) => {
      const folder = folderWith('shot.png');
      expect(paths(text, folder)).toEqual([join(folder, 'shot.png')]);
    },
  );

  it('are attached once', () => {
    const folder = folderWith('shot.png');
    expect(paths(`shot.png ./shot.png ${join(folder, 'shot.png')}`, folder)).toHaveLength(1);
  });

  it('that are no files are left as text', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'folder.png'));
    expect(paths('nowhere.png folder.png https://example.org/a.png notes.txt', folder)).toEqual([]);
  });

  it('that are too large are an error that says so', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'large.png'), Buffer.alloc(6 * 1024 * 1024));
    expect(() => findAttachedImages('large.png', folder)).toThrow(/large\.png is larger than 5 MB/);
  });

  it('never stand in the way of a message, whatever it says', () => {
    const folder = temporaryFolder();
    expect(
      paths(`${'x'.repeat(4000)}.png ${'.'.repeat(200_000)}x.png a\0b.png file://host/a.png file:///%zz.png`, folder),
    ).toEqual([]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(findAttachedImages(`${text}.png`, folder)).toEqual([]);
      }),
    );
  });
});
