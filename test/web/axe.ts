import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What keeps people from using the page as it is now. */
export async function seriousViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found = (await page.evaluate(
    'axe.run().then(({ violations }) => violations.flatMap(({ id, impact, nodes }) => nodes.map(({ html, failureSummary }) => [id, impact, html, failureSummary])))',
  )) as readonly (readonly [string, string, string, string])[];
  return found
    .filter(([, impact]) => impact === 'serious' || impact === 'critical')
    .map(([id, , html, summary]) => `${id}: ${html.slice(0, 160)} ${summary.slice(0, 240)}`);
}
