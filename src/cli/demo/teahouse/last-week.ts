import {
  ago,
  asks,
  commits,
  day,
  edits,
  ends,
  fails,
  heeds,
  insists,
  type Moment,
  reads,
  runs,
  says,
  session,
  writes,
} from '../script.ts';
import { claude, codex, copilot, gemini, passed } from './scene.ts';

const NO_PYTHON = 'bash: python: command not found';
const NO_COMPOSE = 'bash: docker-compose: command not found';
const NO_GREP = 'CACError: Unknown option `--grep`\n    at Command.checkUnknownOptions';

/** The last week: other agents, the same mistakes, and what the guard says to them. */
export const LAST_WEEK: readonly Moment[] = [
  session(
    { name: 'gift cards', when: day(6, '08:20'), ...codex('gift-cards') },
    asks('Add gift cards: buy one, pay with one, and never below zero.'),
    writes('src/gift-cards/gift-card.ts', 'export function payWith(card: GiftCard, price: Cents): Paid {'),
    fails('pnpm vitest run --grep gift', NO_GREP),
    runs('pnpm vitest run -t gift', ' Tests  9 passed (9)'),
    runs('pnpm build'),
    runs('pnpm test', passed(56)),
    commits('Gift cards', 'gift-cards', 6),
    says(`
Gift cards work like money that can only become tea:

- **buy**: a line in the basket, its code comes by mail
- **pay**: takes what is there, the rest goes to Stripe
- **never below zero**: checked in the database, not only in code

\`\`\`sql
alter table gift_cards add constraint not_below_zero check (cents >= 0);
\`\`\``),
  ),
  session(
    { name: 'compose again', when: day(6, '09:40'), ...claude('main') },
    asks('Upgrade Redis to 8 and restart the containers.'),
    edits('compose.yml', 'redis:7', 'redis:8'),
    fails('docker-compose up -d', NO_COMPOSE, 127),
    runs('docker compose up -d', ' ✔ Container teahouse-redis-1  Started'),
    runs('pnpm test', passed(56)),
    commits('Redis 8', 'main', 1),
    says('Redis 8 runs. It is `docker compose`, two words, on this machine.'),
  ),
  session(
    { name: 'why red', when: day(6, '14:15'), ...copilot('gift-cards') },
    asks('CI is red on gift-cards. What happened?'),
    fails(
      'gh run view 9127 --json jobs,logs',
      'Unknown JSON field: "logs"\nAvailable fields:\n  attempt\n  conclusion\n  jobs',
    ),
    runs('gh run view 9127 --log-failed', 'test  AssertionError: expected 2500 to be 25'),
    edits('test/gift-cards/pay.test.ts', 'toBe(25)', 'toBe(2500)'),
    heeds('docker-compose up -d'),
    runs('docker compose up -d', ' ✔ Container teahouse-db-1  Running'),
    runs('pnpm lint', 'Checked 58 files in 44ms. No fixes applied.'),
    runs('pnpm test', passed(57)),
    commits('The test counts in cents, like everything else', 'gift-cards', 1),
    says('The test expected euros: 25 instead of 2500 cents. The code was right.'),
  ),
  session(
    { name: 'price list', when: day(5, '10:00'), ...claude('main') },
    asks('The importer sent a new price list, take it in.'),
    fails('python scripts/import_prices.py prices.csv', NO_PYTHON, 127),
    runs('python3 scripts/import_prices.py prices.csv', '112 prices read, 41 changed'),
    commits('The new price list', 'main', 1),
    says('41 prices changed, most by a few cents. Darjeeling went up by 2.10: there was hail.'),
  ),
  session(
    { name: 'stock', when: day(5, '15:20'), ...claude('stock') },
    asks('Show how many packets are left, and stop selling at zero.'),
    writes(
      'src/stock/stock.ts',
      'export async function reserve(tea: TeaId, packets: number): Promise<boolean> {',
    ),
    heeds('pnpm vitest run --grep stock'),
    runs('pnpm vitest run -t stock', ' Tests  7 passed (7)'),
    runs('pnpm build'),
    runs('pnpm lint', 'Checked 60 files in 46ms. No fixes applied.'),
    runs('pnpm test', passed(64)),
    commits('Nothing is sold that is not there', 'stock', 4),
    says(`
Packets are reserved in one statement, so two people cannot buy the last one:

\`\`\`sql
update teas set packets = packets - $2
where id = $1 and packets >= $2
returning packets;
\`\`\`

yore stopped me before \`--grep\`: vitest calls it \`-t\`.`),
  ),
  session(
    { name: 'fresh database', when: day(5, '17:05'), ...gemini('stock') },
    asks('Start with a fresh database, I have sold minus three packets of Assam.'),
    insists('docker-compose up -d', { status: 'error', exitCode: 127, output: NO_COMPOSE }),
    runs('docker compose up -d', ' ✔ Container teahouse-db-1  Started'),
    runs('pnpm tsx scripts/seed.ts', 'inserted 24 teas'),
    says('The database is fresh. Yes, I was warned about the hyphen in `docker-compose`.'),
  ),
  session(
    { name: 'sessions in redis', when: day(4, '09:30'), ...gemini('cache') },
    asks('Keep the basket in Redis, so that it survives a restart.'),
    heeds('pnpm add redis-node'),
    runs('pnpm add ioredis', 'Already up to date'),
    writes('src/basket/kept-basket.ts', "import { redis } from '../cache/redis.ts';"),
    runs('pnpm test', passed(66)),
    commits('Baskets survive a restart', 'cache', 3),
    says(
      'Baskets are kept for a week. I was about to install `redis-node`, which does not exist; `ioredis` was here already.',
    ),
  ),
  session(
    { name: 'ci again', when: day(4, '13:45'), ...copilot('cache') },
    asks('See why CI is red on the cache branch.'),
    insists('gh run view 9188 --json jobs,logs', {
      status: 'ok',
      exitCode: 0,
      output: '{"jobs":[{"name":"test","conclusion":"failure"}],"logs":"Error: connect ECONNREFUSED 6379"}',
    }),
    edits('.github/workflows/ci.yml', 'services:', 'services:\n      redis:\n        image: redis:8'),
    runs('pnpm lint', 'Checked 61 files in 48ms. No fixes applied.'),
    runs('pnpm test', passed(66)),
    commits('CI has a Redis', 'cache', 1),
    says(
      'CI had no Redis. The warning about `--json logs` was out of date: gh was upgraded this week, and the field exists now.',
    ),
  ),
  session(
    { name: 'importer in a hurry', when: day(3, '11:10'), ...codex('main') },
    asks('Take in the corrected price list, quickly please.'),
    insists('python scripts/import_prices.py prices.csv', {
      status: 'error',
      exitCode: 127,
      output: NO_PYTHON,
    }),
    runs('python3 scripts/import_prices.py prices.csv', '112 prices read, 2 changed'),
    commits('The new price list, corrected', 'main', 1),
    says(
      'Two prices were wrong in the first list. I was told that `python` is missing here, tried it all the same, and it is missing.',
    ),
  ),
  session(
    { name: 'containers once more', when: day(3, '16:00'), ...claude('main') },
    asks('Restart the containers, the database hangs.'),
    heeds('docker-compose restart db'),
    runs('docker compose restart db', ' ✔ Container teahouse-db-1  Started'),
    runs('pnpm test', passed(66)),
    says('Restarted. A query of the importer had held a lock since noon.'),
  ),
  session(
    { name: 'wrapping', when: day(2, '10:30'), ...gemini('gift-wrap') },
    asks('Offer gift wrapping, 2.50 per order.'),
    reads('src/shipping/wrap.ts', 'File does not exist: src/shipping/wrap.ts'),
    fails(
      "rg 'wrap(?!ped)' src",
      'regex parse error:\n    wrap(?!ped)\n        ^^^\nerror: look-around, including look-ahead and look-behind, is not supported',
      2,
    ),
    ends('rg -n "wrapping" src', 'error', '', 1),
    writes('src/checkout/wrap.ts', 'export const WRAPPING: Cents = cents(250);'),
    ends('pnpm biome check src', 'cancelled', 'Cancelled: parallel tool call errored'),
    fails(
      'pnpm lint',
      'src/checkout/wrap.ts:3:7 lint/correctness/noUnusedVariables\n\n  × This variable WRAPPING is unused.\n\nFound 1 error.',
    ),
    edits('src/checkout/orders.ts', 'total(lines)', 'total(lines) + (wrapped ? WRAPPING : cents(0))'),
    runs('pnpm lint', 'Checked 62 files in 47ms. No fixes applied.'),
    runs('pnpm test', passed(69)),
    commits('Gift wrapping', 'gift-wrap', 3),
    says('Wrapping costs 2.50 per order, once, however many pots are inside.'),
  ),
  session(
    { name: 'browser tests', when: day(1, '09:15'), ...claude('e2e') },
    asks('Test the checkout in a real browser.'),
    fails('pnpm run test:integration', ' ERR_PNPM_NO_SCRIPT  Missing script: test:integration'),
    runs('pnpm run test:e2e', 'no tests found'),
    fails(
      'pnpm exec playwright install --with-deps chromium',
      'Switching to root user to install dependencies...\nsudo: a password is required\nFailed to install browsers',
    ),
    runs('pnpm exec playwright install chromium', 'Chromium 140.0 downloaded to ~/.cache/ms-playwright'),
    writes('e2e/checkout.spec.ts', "test('buys a teapot', async ({ page }) => {"),
    runs('pnpm run test:e2e', passed(8)),
    commits('A browser buys a teapot', 'e2e', 4),
    says('Chromium goes shopping now: it finds the teapot, pays with the test card, and reads the receipt.'),
    asks('Perfect.'),
  ),
  session(
    { name: 'what is slow', when: day(1, '14:40'), ...codex('e2e') },
    asks('The browser tests are flaky: "buys a teapot" fails one time in five.'),
    fails(
      'pnpm run test:e2e',
      ' FAIL  e2e/checkout.spec.ts > buys a teapot\nError: expect(locator).toHaveText("62.10") failed\nReceived: "0.00"\n\n 1 failed, 7 passed',
    ),
    reads('e2e/checkout.spec.ts'),
    edits(
      'e2e/checkout.spec.ts',
      'await page.waitForTimeout(200);',
      "await page.getByText('3 items').waitFor();",
    ),
    runs('pnpm run test:e2e', passed(8)),
    commits('The browser waits for the basket, not for luck', 'e2e', 1),
    says('It waited 200 ms and hoped. It now waits for the basket to say "3 items". **50 runs, 50 green.**'),
  ),
  session(
    { name: 'invoice', when: ago(125), ...claude('invoices') },
    asks('Companies want invoices as PDF. Keep it small: no headless browser on the server.'),
    runs('pnpm add pdf-lib', '+ pdf-lib 1.17.1\nDone in 1.6s'),
    writes('src/invoices/invoice-pdf.ts', "import { PDFDocument } from 'pdf-lib';"),
    fails(
      'pnpm test',
      ' FAIL  test/invoices/pdf.test.ts > writes umlauts\nError: WinAnsi cannot encode "→" (0x2192)\n\n Tests  1 failed | 70 passed (71)',
    ),
    edits('src/invoices/invoice-pdf.ts', "'Tee → Kanne'", "'Tee, Kanne'"),
    runs('pnpm build'),
    runs('pnpm test', passed(71)),
    commits('Invoices as PDF', 'invoices', 4),
    says(`
Invoices are written with \`pdf-lib\`, 40 KB each:

\`\`\`ts
const page = document.addPage([595, 842]);
page.drawText(\`Invoice \${order.number}\`, { x: 50, y: 780, size: 18 });
\`\`\`

One thing to know: the built-in fonts have umlauts, but no arrows.`),
  ),
  session(
    { name: 'vat', when: ago(40), ...codex('invoices') },
    asks('Add VAT to the invoices: 7% for tea, 19% for teapots.'),
    writes('src/invoices/vat.ts', 'export const RATES = { tea: 7, teapot: 19 } as const;'),
    runs('pnpm vitest run -t vat', ' Tests  5 passed (5)'),
    runs('pnpm lint', 'Checked 66 files in 51ms. No fixes applied.'),
    runs('pnpm test', passed(76)),
    commits('Tea is taxed less than teapots', 'invoices', 3),
    says(`
| | net | VAT | gross |
|---|---|---|---|
| Earl Grey, 100 g | 7.38 | 7% | 7.90 |
| Teapot | 35.13 | 19% | 41.80 |

The law agrees with the shop: tea is a necessity, a teapot is a luxury.`),
  ),
  session(
    { name: 'decaf', when: ago(4), ...gemini('main') },
    asks('Take in the price list with the decaf teas.'),
    heeds('python scripts/import_prices.py decaf.csv'),
  ),
];
