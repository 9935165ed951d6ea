import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeAllowed, SETTINGS, type Setting } from '../../src/config/index.ts';

const PAGE = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');

/** What the page must say of a setting, word for word. */
function row(setting: Setting): string {
  const name = `\`${setting.key}\`${setting.homeOnly ? ' ⌂' : ''}`;
  const standard = setting.default === undefined ? '' : `\`${JSON.stringify(setting.default)}\``;
  return `| ${name} | ${standard} | ${describeAllowed(setting)} | ${setting.description} |`;
}

test('docs/configuration.md lists every setting that is in use as the table has it, and no other', () => {
  const rows = PAGE.split('\n').filter((line) => line.startsWith('| `'));
  expect(rows).toEqual(SETTINGS.map(row));
});
