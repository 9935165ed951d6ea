import { basketSketch } from '../drawings/drawings.ts';
import {
  asks,
  commits,
  compacts,
  day,
  edits,
  ends,
  fails,
  type Moment,
  reads,
  runs,
  says,
  session,
  writes,
} from '../script.ts';
import { claude, codex, copilot, gemini, passed } from './scene.ts';

/** Weeks two and three: the basket, and money that adds up. */
export const BASKET: readonly Moment[] = [
  session(
    { name: 'basket', when: day(28, '09:20'), ...claude('basket') },
    asks(
      'Build the basket: add, change amount, remove. It should look about like this sketch.',
      basketSketch(),
    ),
    writes('src/basket/basket.ts', 'export interface Basket {\n  readonly lines: readonly BasketLine[];\n}'),
    writes('src/basket/routes.ts', "server.post('/basket/lines', addLine);"),
    fails(
      'pnpm build',
      "src/basket/routes.ts(14,22): error TS2322: Type 'string' is not assignable to type 'number'.\n\nFound 1 error.",
      2,
    ),
    edits('src/basket/routes.ts', 'amount: body.amount', 'amount: Number(body.amount)'),
    runs('pnpm build'),
    runs('pnpm test', passed(21)),
    commits('A basket', 'basket', 5),
    says(`
The basket holds what the sketch shows:

1. \`POST /basket/lines\` adds a tea, or raises its amount
2. \`PATCH /basket/lines/:id\` changes the amount; **0 removes the line**
3. \`GET /basket\` has lines and total

The teapot costs 41.80, which seems a lot, but it is in the sketch.`),
  ),
  session(
    { name: 'floating cents', when: day(27, '10:05'), ...claude('basket') },
    asks('Three times 7.90 is 23.700000000000003 in the basket. Customers have begun to ask.'),
    reads('src/basket/basket.ts'),
    writes('test/basket/totals.test.ts', "test('adds up', () => expect(total([7.9, 7.9, 7.9])).toBe(23.7));"),
    fails(
      'pnpm vitest run --grep totals',
      'CACError: Unknown option `--grep`\n    at Command.checkUnknownOptions',
    ),
    fails(
      'pnpm vitest run -t totals',
      ' FAIL  adds up\nAssertionError: expected 23.700000000000003 to be 23.7',
    ),
    writes('src/money/cents.ts', 'export type Cents = number & { readonly brand: unique symbol };'),
    edits('src/basket/basket.ts', 'price: number', 'price: Cents'),
    runs('pnpm vitest run -t totals', ' Tests  4 passed (4)'),
    commits('Money is whole cents', 'basket', 4),
    says(`
Money is counted in whole cents now, and written with a point only where people see it:

\`\`\`ts
/** 790 is 7.90; there is no such thing as a third of a cent. */
export function formatCents(cents: Cents): string {
  return (cents / 100).toFixed(2);
}
\`\`\`

A test with three Earl Greys makes sure that it stays so.`),
  ),
  session(
    { name: 'cents everywhere', when: day(26, '09:15'), ...codex('money') },
    asks('Use whole cents everywhere: database, API, mails. Find every price that is still a float.'),
    fails(
      "rg 'price(?!Cents)' src",
      'regex parse error:\n    price(?!Cents)\n         ^^^\nerror: look-around, including look-ahead and look-behind, is not supported',
      2,
    ),
    runs(
      "rg -P 'price(?!Cents)' src",
      'src/catalogue/list-teas.ts:12\nsrc/mail/receipt.ts:31\nsrc/shipping/rates.ts:8',
    ),
    writes('migrations/002-cents.sql', 'alter table teas alter column price type integer;'),
    fails(
      'docker compose exec -T db psql -U tea teahouse -f migrations/002-cents.sql',
      'ERROR:  column "price" cannot be cast automatically to type integer\nHINT:  You might need to specify "USING price::integer".',
      3,
    ),
    edits(
      'migrations/002-cents.sql',
      'alter column price type integer;',
      'alter column price type integer using (price * 100)::integer;',
    ),
    runs('docker compose exec -T db psql -U tea teahouse -f migrations/002-cents.sql', 'ALTER TABLE'),
    runs('pnpm test', passed(27)),
    compacts(`
- Prices are whole cents in database, API and mails (migrations/002-cents.sql).
- Converting a column needs \`using (price * 100)::integer\`; without it Postgres refuses.
- ripgrep needs -P for look-around.
- Still open: shipping rates are in euros.`),
    asks('And the shipping rates?'),
    edits('src/shipping/rates.ts', 'rate: 4.9', 'rate: cents(490)'),
    runs('pnpm test', passed(29)),
    commits('Shipping is paid in cents too', 'money', 3),
    says('Shipping rates are cents too. There is no float left that is money.'),
  ),
  session(
    { name: 'warenkorb', when: day(25, '11:30'), ...gemini('basket') },
    asks('Warum ist der Warenkorb leer, wenn man im Browser zurückgeht?'),
    reads('src/basket/routes.ts'),
    edits(
      'src/basket/routes.ts',
      'reply.send(basket)',
      "reply.header('cache-control', 'no-store').send(basket)",
    ),
    runs('pnpm test', passed(29)),
    commits('The basket is not cached by browsers', 'basket', 1),
    says(
      'Der Browser zeigte beim Zurückgehen die alte, leere Antwort aus seinem Cache. `GET /basket` sagt jetzt `cache-control: no-store`.',
    ),
  ),
  session(
    { name: 'arabic', when: day(24, '15:10'), ...copilot('i18n') },
    asks('أضف اللغة العربية إلى صفحة الشاي، مع اتجاه الكتابة من اليمين إلى اليسار.'),
    writes('content/ar.json', '{ "basket": "سلة المشتريات", "order": "اطلب الآن" }'),
    edits('src/pages/layout.ts', '<html lang="en">', '<html lang={language} dir={direction}>'),
    runs('pnpm test', passed(32)),
    commits('Arabic, from right to left', 'i18n', 4),
    says(`
صفحة الشاي متاحة الآن بالعربية:

- النصوص في \`content/ar.json\`
- الاتجاه من السمة \`dir="rtl"\`
- الأسعار تبقى من اليسار إلى اليمين: ‎7.90 €`),
  ),
  session(
    { name: 'push refused', when: day(23, '17:20'), ...claude('money') },
    asks('Push the money branch.'),
    fails(
      'git push origin money',
      ' ! [rejected]        money -> money (non-fast-forward)\nerror: failed to push some refs to github.com:example/teahouse.git',
    ),
    runs('git pull --rebase origin money', 'Successfully rebased and updated refs/heads/money.'),
    runs('git push origin money', '   4be1f20..c07d9a3  money -> money'),
    says('Pushed. Someone had fixed a typo on the branch in the meantime, so I rebased first.'),
  ),
  session(
    { name: 'prices of the importer', when: day(22, '10:30'), ...claude('catalogue') },
    asks('The importer sends prices as a spreadsheet. Write a script that takes them in.'),
    writes('scripts/import_prices.py', 'import csv, sys\n\nfor row in csv.DictReader(sys.stdin):\n    ...'),
    fails('python scripts/import_prices.py prices.csv', 'bash: python: command not found', 127),
    runs('python3 scripts/import_prices.py prices.csv', '112 prices read, 3 changed'),
    commits('Takes in the price list of the importer', 'catalogue', 2),
    says(`
It reads the importer's list and says what changed:

\`\`\`python
for row in csv.DictReader(sys.stdin):
    cents = round(float(row["Preis"].replace(",", ".")) * 100)
\`\`\`

Note the comma: the importer is in Hamburg.`),
  ),
  session(
    { name: 'slow suite', when: day(21, '14:00'), ...codex('main') },
    asks('The tests take 40 seconds. Why?'),
    ends(
      'pnpm vitest run --reporter=verbose | tail -40',
      'ok',
      ' Tests  1 failed | 33 passed (34)\n Duration  41.02s',
      0,
    ),
    ends('pnpm vitest run --no-isolate', 'interrupted', 'Interrupted by user'),
    asks('Stop guessing and look at the database setup.'),
    reads('test/setup.ts'),
    edits('test/setup.ts', 'beforeEach(migrate)', 'beforeAll(migrate)'),
    runs('pnpm test', passed(34)),
    commits('Tests migrate once, not 34 times', 'main', 1),
    says('Each test ran all migrations. Now each *file* does: **41 s → 6 s**.'),
  ),
];
