import { responseTimes } from '../drawings/drawings.ts';
import {
  asks,
  commits,
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

/** Weeks three to five: a cache, payments, and letters to customers. */
export const CACHE_AND_CHECKOUT: readonly Moment[] = [
  session(
    { name: 'redis', when: day(20, '09:05'), ...claude('cache') },
    asks('Add Redis caching to the tea list.'),
    fails(
      'pnpm add redis-node',
      ' ERR_PNPM_FETCH_404  GET https://registry.npmjs.org/redis-node: Not Found - 404',
    ),
    runs('pnpm add ioredis', '+ ioredis 5.7.0\n\nDone in 1.9s'),
    writes(
      'src/cache/redis.ts',
      "import Redis from 'ioredis';\n\nexport const redis = new Redis(process.env.REDIS_URL);",
    ),
    runs('pnpm test', passed(36)),
    commits('The tea list is cached for a minute', 'cache', 4),
    says(`
\`GET /teas\` asks Redis first. There is no package \`redis-node\`; \`ioredis\` is the one that people use.

\`\`\`ts
const kept = await redis.get(key);
if (kept !== null) return JSON.parse(kept);
\`\`\``),
    asks('That worked! Look at the chart.', responseTimes()),
    says('From about 450 ms to 58 ms. The little bar on the eighth day is the cache filling up.'),
  ),
  session(
    { name: 'redis types', when: day(19, '10:10'), ...codex('cache') },
    asks('Add types for ioredis.'),
    fails(
      'pnpm add -D @types/ioredis@6',
      ' ERR_PNPM_NO_MATCHING_VERSION  No matching version found for @types/ioredis@6',
    ),
    runs('pnpm remove @types/ioredis', 'Already up to date'),
    says('Not needed: `ioredis` brings its own types since version 5.'),
  ),
  session(
    { name: 'earl grey', when: day(18, '15:40'), ...claude('cache') },
    asks('A customer saw Earl Grey for the old price, ten minutes after we changed it.'),
    reads('src/cache/redis.ts'),
    reads('src/catalogue/list-teas.ts'),
    edits(
      'src/catalogue/change-price.ts',
      'await save(tea);',
      "await save(tea);\n  await redis.del('teas:*');",
    ),
    fails(
      'pnpm test',
      ' FAIL  test/cache.test.ts > a new price is shown at once\nAssertionError: expected 790 to be 840\n\n Tests  1 failed | 37 passed (38)',
    ),
    asks('Still the old price.'),
    edits(
      'src/catalogue/change-price.ts',
      "await redis.del('teas:*');",
      "await redis.incr('teas:generation');",
    ),
    runs('pnpm test', passed(38)),
    commits('A new price empties the cache', 'cache', 3),
    says(`
\`DEL\` knows no patterns: it looked for a key whose name is literally \`teas:*\`.

Keys now carry a generation, \`teas:7:origin=Japan\`, and a new price raises it. Old keys are never asked for again and expire by themselves.`),
  ),
  session(
    { name: 'payments', when: day(17, '09:00'), ...claude('checkout', 'claude-opus-4-5') },
    asks('Take payments with Stripe. Start with a plan, then do it.'),
    says(`
1. \`POST /orders\` makes an order from the basket and a payment
2. Stripe calls \`/webhooks/stripe\` when it is paid
3. Only then the order is sent

The order of 2 and 3 matters more than it looks.`),
    runs('pnpm add stripe', '+ stripe 18.4.0\nDone in 2.2s'),
    writes('src/checkout/payments/stripe.ts', "import Stripe from 'stripe';"),
    reads('src/payments/stripe.ts', 'File does not exist: src/payments/stripe.ts'),
    reads('src/checkout/payments/stripe.ts'),
    edits(
      'src/checkout/orders.ts',
      'status: "paid"',
      'status: "open"',
      'String to replace not found in file.\nString: status: "paid"',
    ),
    reads('src/checkout/orders.ts'),
    edits('src/checkout/orders.ts', "status: 'paid'", "status: 'open'"),
    runs('pnpm test', passed(44)),
    commits('Orders are paid with Stripe', 'checkout', 7),
    says('Payments work in test mode. The card `4242 4242 4242 4242` bought the teapot.'),
  ),
  session(
    {
      name: 'webhook review',
      when: day(17, '09:03'),
      parent: 'payments',
      ...claude('checkout', 'claude-haiku-4-5'),
    },
    asks('Review src/checkout/webhook.ts: can an order be sent twice?'),
    reads('src/checkout/webhook.ts'),
    runs('rg -n "sendOrder" src', 'src/checkout/webhook.ts:22\nsrc/checkout/orders.ts:61'),
    says(`
Yes: Stripe repeats a call until it is answered, and \`sendOrder\` is called each time.

- **webhook.ts:22** needs the id of Stripe's event, kept in a table with a unique key
- orders.ts:61 is fine`),
  ),
  session(
    { name: 'payment secrets', when: day(16, '11:00'), ...gemini('checkout') },
    asks('Add a .env.test with a fake Stripe key, so that tests run everywhere.'),
    writes('.env.test', 'STRIPE_KEY=not-a-key\nREDIS_URL=redis://localhost:6379'),
    fails(
      'git add .env.test',
      'The following paths are ignored by one of your .gitignore files:\n.env.test\nhint: Use -f if you really want to add them.',
    ),
    runs('git add -f .env.test', ''),
    runs('pnpm test', passed(45)),
    commits('Tests bring their own settings', 'checkout', 1),
    says('`.env.test` is in the repository now. It holds no secret: the key is `not-a-key`.'),
  ),
  session(
    { name: 'receipts', when: day(14, '13:30'), ...copilot('mails') },
    asks('Send a receipt by mail when an order is paid. 領収書は日本語でもお願いします。'),
    writes('src/mail/receipt.ts', 'export function receipt(order: Order, language: Language): Mail {'),
    fails('pnpm run test:integration', ' ERR_PNPM_NO_SCRIPT  Missing script: test:integration'),
    runs('pnpm run test:e2e', passed(6)),
    commits('Receipts in English and Japanese', 'mails', 4),
    says(
      'ご注文ありがとうございます！ Receipts go out in the language of the order. The end-to-end tests are `pnpm run test:e2e`.',
    ),
  ),
  session(
    { name: 'lock file', when: day(13, '10:20'), ...codex('mails') },
    asks('CI fails on the mails branch, see why.'),
    fails(
      'pnpm install --frozen-lockfile',
      ' ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile" because pnpm-lock.yaml is not up to date with package.json',
    ),
    runs('pnpm install', 'Lockfile is up to date'),
    runs('pnpm test', passed(47)),
    commits('The lock file knows nodemailer', 'mails', 1),
    says('`nodemailer` was added to package.json by hand; the lock file did not know it.'),
  ),
  session(
    { name: 'deploy', when: day(12, '16:45'), ...claude('main') },
    asks('Deploy the shop to production.'),
    ends(
      'fly deploy --remote-only',
      'denied',
      'Permission to use Bash with command fly deploy has been denied.',
    ),
    says(
      'I may not deploy from here. The command is `fly deploy --remote-only`; it is also a quarter to five.',
    ),
    asks('Good point. Tomorrow morning.'),
  ),
  session(
    { name: 'load', when: day(10, '09:45'), ...gemini('main') },
    asks('How many orders per second can we take?'),
    fails(
      'curl -fsS http://localhost:3000/health',
      'curl: (7) Failed to connect to localhost port 3000: Connection refused',
      7,
    ),
    runs('pnpm dev & sleep 2; curl -fsS http://localhost:3000/health', '{"ok":true}'),
    runs('npx autocannon -d 10 -m POST http://localhost:3000/orders', '212 requests/second, p99 61 ms'),
    says(`
| rate | p50 | p99 |
|---|---|---|
| 50/s | 9 ms | 22 ms |
| 200/s | 14 ms | 61 ms |
| 400/s | 310 ms | 2.1 s |

About **200 orders per second** on this laptop. Last month we had 41 orders.`),
  ),
];
