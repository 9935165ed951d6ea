import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCachedBriefing, writeCachedBriefing } from '../../src/hook/start.ts';
import { temporaryFolder } from '../temp-folder.ts';

const BRIEFING = { text: '## Project context', line: 'yore: 3 previous sessions' };

describe('the cached briefing', () => {
  it('is used until its sources change', () => {
    const directory = temporaryFolder();
    writeFileSync(join(directory, 'digest.json'), 'one');
    writeCachedBriefing(directory, 2000, BRIEFING);
    expect(readCachedBriefing(directory, 2000)).toEqual(BRIEFING);
    expect(readCachedBriefing(directory, 500)).toBeUndefined();
    expect(statSync(join(directory, 'briefing.json')).mode & 0o777).toBe(0o600);
    writeFileSync(join(directory, 'knowledge.json'), 'more is known');
    expect(readCachedBriefing(directory, 2000)).toBeUndefined();
    writeCachedBriefing(directory, 2000, BRIEFING);
    writeFileSync(join(directory, 'digest.json'), 'another one');
    expect(readCachedBriefing(directory, 2000)).toBeUndefined();
  });

  it('is not used when it is damaged', () => {
    const directory = temporaryFolder();
    expect(readCachedBriefing(directory, 2000)).toBeUndefined();
    for (const text of ['', '{', '[]', 'null', '{"v":1,"made":"2000  ","text":7,"line":""}', '{"v":2}']) {
      writeFileSync(join(directory, 'briefing.json'), text);
      expect(readCachedBriefing(directory, 2000)).toBeUndefined();
    }
  });
});
