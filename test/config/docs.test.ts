import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeAllowed, SETTINGS, type Setting } from '../../src/config/index.ts';

const PAGE = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');

/** The row of a setting in the documentation. */
function row(setting: Setting): string {
  const name = `\`${setting.key}\`${setting.homeOnly ? ' ⌂' : ''}`;
  const standard = setting.default === undefined ? '' : `\`${JSON.stringify(setting.default)}\``;
  return `| ${name} | ${standard} | ${describeAllowed(setting)} | ${setting.description} |`;
}

test('docs/configuration.md lists exactly the declared settings', () => {
  const rows = PAGE.split('\n').filter((line) => line.startsWith('| `'));
  expect(rows).toEqual(SETTINGS.map(row));
});
