import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EMPTY_BROWSER, formatRoute, PAGES, parseRoute, type Route } from '../../web/src/router/route.ts';

const text = fc.string({ maxLength: 200, unit: 'grapheme' });
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
    fc.property(
      fc.constantFrom(...PAGES),
      text,
      fc.boolean(),
      browser,
      text,
      (page, project, isOpen, state, search) => {
        const isBrowsing = isOpen && page !== 'history';
        const isShown = isBrowsing || page === 'history';
        const route: Route = {
          page,
          project,
          isBrowsing,
          browser: isShown ? { ...EMPTY_BROWSER, ...state } : EMPTY_BROWSER,
          search: page === 'search' ? search : '',
        };
        expect(parseRoute(formatRoute(route))).toEqual(route);
      },
    ),
  );
});

test('any address can be parsed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (fragment) => {
      const route = parseRoute(fragment);
      expect(PAGES).toContain(route.page);
      expect(parseRoute(formatRoute(route)).page).toBe(route.page);
    }),
  );
});

test('an empty address is the overview', () => {
  expect(parseRoute('')).toEqual({
    page: 'overview',
    project: '',
    isBrowsing: false,
    browser: EMPTY_BROWSER,
    search: '',
  });
  expect(parseRoute('#/nowhere?row=-3&message=1e999').browser).toEqual(EMPTY_BROWSER);
});

test('the state of the history browser is in the address only while it is shown', () => {
  const route = parseRoute('#/chat?history=1&q=port&session=s1');
  expect(formatRoute(route)).toBe('#/chat?history=1&q=port&session=s1');
  expect(formatRoute({ ...route, isBrowsing: false })).toBe('#/chat');
});
