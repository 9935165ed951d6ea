import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EMPTY_BROWSER, formatRoute, parseRoute, type Route } from '../../web/src/router/route.ts';

const PAGES = ['overview', 'history', 'timeline', 'chat', 'search', 'files'];
const text = fc.string({ maxLength: 200, unit: 'grapheme' });
const params = fc.dictionary(
  fc.stringMatching(/^[a-z]{2,6}$/),
  text.filter((value) => value !== ''),
  { maxKeys: 5 },
);
const browser = fc.record({
  ...Object.fromEntries(
    (
      ['query', 'project', 'agent', 'role', 'outcome', 'since', 'until', 'session', 'sessionProject', 'match'] as const
    ).map((key) => [key, text]),
  ),
  row: fc.nat(),
  message: fc.nat(),
});

test('a route survives formatting and parsing', () => {
  fc.assert(
    fc.property(fc.constantFrom(...PAGES), text, fc.boolean(), browser, params, (page, project, isOpen, state, own) => {
      const isBrowsing = isOpen && page !== 'history';
      const isShown = isBrowsing || page === 'history';
      const route: Route = {
        page,
        project,
        isBrowsing,
        browser: isShown ? { ...EMPTY_BROWSER, ...state } : EMPTY_BROWSER,
        params: isShown ? {} : own,
      };
      expect(parseRoute(formatRoute(route))).toEqual(route);
    }),
  );
});

test('any address can be parsed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (fragment) => {
      const route = parseRoute(fragment);
      expect(route.page).toMatch(/^[a-z]+$/);
      expect(parseRoute(formatRoute(route)).page).toBe(route.page);
    }),
  );
});

test('an empty address is the list of projects', () => {
  expect(parseRoute('')).toEqual({
    page: 'projects',
    project: '',
    isBrowsing: false,
    browser: EMPTY_BROWSER,
    params: {},
  });
  expect(parseRoute('#/history?row=-3&message=1e999').browser).toEqual(EMPTY_BROWSER);
});

test('the state of the history browser is in the address only while it is shown', () => {
  const route = parseRoute('#/chat?history=1&q=port&session=s1');
  expect(formatRoute(route)).toBe('#/chat?history=1&q=port&session=s1');
  expect(formatRoute({ ...route, isBrowsing: false })).toBe('#/chat');
});
