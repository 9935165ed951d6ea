import { describe, expect, it } from 'vitest';
import {
  classifyWork,
  continuesTopic,
  detectAnnouncedSwitch,
  findMentionedFiles,
  findNewWords,
  findSwitchEvidence,
} from '../../../src/context/topics/switch-evidence.ts';
import { LOGIN, readme } from './sample-sessions.ts';

describe('detectAnnouncedSwitch', () => {
  it.each([
    "now let's work on the parser",
    'Great. Now, please look at the importer.',
    'Next, we need an export command',
    "ok, let's move on to the settings page",
    'By the way, the icon is missing',
  ])('finds it in: %s', (text) => {
    expect(detectAnnouncedSwitch(text)).toBe('switch');
  });

  it.each([
    'forget that',
    "let's try something else",
    'never mind, I found it myself',
    'scrap that and begin with the tests',
    "let's start over",
    'New topic: colours',
  ])('finds a reset in: %s', (text) => {
    expect(detectAnnouncedSwitch(text)).toBe('reset');
  });

  it.each([
    'does it work now?',
    'what is the next value of the counter?',
    'the function should forget the token',
    `the log says: ${'x '.repeat(200)} forget that`,
    '',
  ])('does not find it in: %s', (text) => {
    expect(detectAnnouncedSwitch(text)).toBeUndefined();
  });
});

describe('isFollowUp', () => {
  it.each([
    'yes, do it',
    "ok, let's do option 2",
    "Let's do 2. Or better: leave it out",
    'go ahead',
    'what is left?',
    'create a description of these changes',
    'Do it as you suggested.',
  ])('finds it in: %s', (text) => {
    expect(continuesTopic(text)).toBe(true);
  });

  it.each(['The README needs an installation section.', "now let's work on the parser", 'Nothing works', ''])(
    'does not find it in: %s',
    (text) => {
      expect(continuesTopic(text)).toBe(false);
    },
  );
});

describe('classifyWork', () => {
  it.each([
    ['the parser crashes on empty input', 'debugging'],
    ['add a dark mode', 'feature development'],
    ['write tests for the parser', 'testing'],
    ['update the README', 'documentation'],
    ['rename this class', 'refactoring'],
    ['deploy it to staging', 'release'],
    ['how does the cache work?', 'explanation'],
    ['looks good', undefined],
  ])('classifies "%s" as %s', (text, kind) => {
    expect(classifyWork(text)).toBe(kind);
  });
});

describe('findMentionedFiles', () => {
  it('returns files without their folders', () => {
    expect([...findMentionedFiles('see src/auth/Login.ts and ./docs/guide.md, then `axis.tsx`')]).toEqual([
      'login.ts',
      'guide.md',
      'axis.tsx',
    ]);
  });

  it('ignores hosts, versions, ranges and abbreviations', () => {
    expect([...findMentionedFiles('e.g. example.com, main..head, 1.2.3, 1.5b, i.e. node.js and path.join(a)')]).toEqual(
      [],
    );
  });
});

describe('findSwitchEvidence', () => {
  const messages = (request: string) =>
    [...LOGIN, ...readme(request)].map(({ role, content }) => ({ role, text: content }));

  it('reports an announcement, other files and another kind of work', () => {
    const evidence = findSwitchEvidence(messages("Now let's work on the README."), LOGIN.length);
    expect(evidence.map(({ reason }) => reason)).toEqual([
      'the user announces another task',
      'other files: readme.md instead of password.ts, login.ts',
      'from debugging to documentation',
    ]);
    expect(evidence.every(({ logOdds }) => logOdds > 0)).toBe(true);
  });

  it('finds nothing where the work continues', () => {
    expect(findSwitchEvidence(messages('Now the README.'), 4)).toEqual([]);
  });

  it('finds nothing outside the session', () => {
    expect(findSwitchEvidence([], 3)).toEqual([]);
  });

  it('finds the new words', () => {
    expect(findNewWords(messages('The README needs an installation section.'), LOGIN.length)).toEqual([
      'readme',
      'installation',
      'section',
    ]);
  });
});
