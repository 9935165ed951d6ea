import { describe, expect, it } from 'vitest';
import {
  classifyWork,
  detectAnnouncedSwitch,
  findMentionedFiles,
  findNewWords,
  findSwitchEvidence,
  isFollowUp,
} from '../../../src/context/topics/switch-evidence.ts';
import { LOGIN, readme } from './sample-sessions.ts';

describe('an announced switch', () => {
  it.each([
    "now let's work on the parser",
    'Great. Now, please look at the importer.',
    'Next, we need an export command',
    "ok, let's move on to the settings page",
    'By the way, the icon is missing',
  ])('is heard in: %s', (text) => {
    expect(detectAnnouncedSwitch(text)).toBe('switch');
  });

  it.each([
    'forget that',
    "let's try something else",
    'never mind, I found it myself',
    'scrap that and begin with the tests',
    "let's start over",
    'New topic: colours',
  ])('that gives up what went before is heard in: %s', (text) => {
    expect(detectAnnouncedSwitch(text)).toBe('reset');
  });

  it.each([
    'does it work now?',
    'what is the next value of the counter?',
    'the function should forget the token',
    `the log says: ${'x '.repeat(200)} forget that`,
    '',
  ])('is not heard in: %s', (text) => {
    expect(detectAnnouncedSwitch(text)).toBeUndefined();
  });
});

describe('a request that leans on what was said before', () => {
  it.each([
    'yes, do it',
    "ok, let's do option 2",
    "Let's do 2. Or better: leave it out",
    'go ahead',
    'what is left?',
    'create a description of these changes',
    'Do it as you suggested.',
  ])('is heard in: %s', (text) => {
    expect(isFollowUp(text)).toBe(true);
  });

  it.each(['The README needs an installation section.', "now let's work on the parser", 'Nothing works', ''])(
    'is not heard in: %s',
    (text) => {
      expect(isFollowUp(text)).toBe(false);
    },
  );
});

describe('the kind of work', () => {
  it.each([
    ['the parser crashes on empty input', 'debugging'],
    ['add a dark mode', 'feature development'],
    ['write tests for the parser', 'testing'],
    ['update the README', 'documentation'],
    ['rename this class', 'refactoring'],
    ['deploy it to staging', 'release'],
    ['how does the cache work?', 'explanation'],
    ['looks good', undefined],
  ])('of "%s" is %s', (text, kind) => {
    expect(classifyWork(text)).toBe(kind);
  });
});

describe('the files that a text names', () => {
  it('are taken without their folders', () => {
    expect([...findMentionedFiles('see src/auth/Login.ts and ./docs/guide.md, then `axis.tsx`')]).toEqual([
      'login.ts',
      'guide.md',
      'axis.tsx',
    ]);
  });

  it('are no hosts, versions, ranges or abbreviations', () => {
    expect([
      ...findMentionedFiles('e.g. example.com, main..head, 1.2.3, 1.5b, i.e. node.js and path.join(a)'),
    ]).toEqual([]);
  });
});

describe('the evidence of a switch', () => {
  const messages = (request: string) =>
    [...LOGIN, ...readme(request)].map(({ role, content }) => ({ role, text: content }));

  it('names announcement, other files and another kind of work', () => {
    const evidence = findSwitchEvidence(messages("Now let's work on the README."), LOGIN.length);
    expect(evidence.map(({ reason }) => reason)).toEqual([
      'the user announces another task',
      'other files: readme.md instead of password.ts, login.ts',
      'from debugging to documentation',
    ]);
    expect(evidence.every(({ logOdds }) => logOdds > 0)).toBe(true);
  });

  it('is none where work goes on', () => {
    expect(findSwitchEvidence(messages('Now the README.'), 4)).toEqual([]);
  });

  it('is none outside of the session', () => {
    expect(findSwitchEvidence([], 3)).toEqual([]);
  });

  it('knows the words that are new', () => {
    expect(findNewWords(messages('The README needs an installation section.'), LOGIN.length)).toEqual([
      'readme',
      'installation',
      'section',
    ]);
  });
});
