/** The files of the shop's folder, by path: what agents, the file picker and the tech stack see of it. */
export const FILES: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "teahouse",
  "private": true,
  "type": "module",
  "packageManager": "pnpm@10.15.0",
  "scripts": {
    "dev": "tsx watch src/server.ts",
    "build": "tsc -p .",
    "lint": "biome check .",
    "format": "biome check --write .",
    "test": "vitest run",
    "test:e2e": "playwright test"
  },
  "dependencies": {
    "fastify": "5.2.0",
    "ioredis": "5.7.0",
    "pdf-lib": "1.17.1",
    "postgres": "3.4.5",
    "stripe": "18.4.0",
    "zod": "4.0.5"
  },
  "devDependencies": {
    "@biomejs/biome": "2.2.0",
    "@playwright/test": "1.55.0",
    "tsx": "4.20.0",
    "typescript": "5.9.2",
    "vitest": "3.2.4"
  }
}
`,
  'pnpm-lock.yaml': "lockfileVersion: '9.0'\n",
  'tsconfig.json': '{\n  "compilerOptions": { "strict": true, "module": "nodenext" }\n}\n',
  'biome.json': '{\n  "formatter": { "indentStyle": "space" }\n}\n',
  'compose.yml': `services:
  db:
    image: postgres:17
    ports: ["5432:5432"]
  redis:
    image: redis:8
    ports: ["6379:6379"]
`,
  '.gitignore': 'node_modules\n.env*\ndist\n',
  '.github/workflows/ci.yml': `name: ci
on: [push]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - run: pnpm install --frozen-lockfile
      - run: pnpm lint
      - run: pnpm test
`,
  'README.md': `# Teahouse

The backend of a small shop that sends tea by mail.

- \`pnpm dev\` starts it, \`pnpm test\` tests it
- money is whole cents, everywhere
- it does not brew coffee
`,
  'migrations/001-teas.sql':
    'create table teas (\n  id uuid primary key,\n  name text not null,\n  price integer\n);\n',
  'migrations/002-cents.sql':
    'alter table teas alter column price type integer using (price * 100)::integer;\n',
  'scripts/seed.ts': "export const teas = ['Earl Grey', 'Sencha', 'Assam', 'Darjeeling'];\n",
  'scripts/import_prices.py':
    'import csv, sys\n\nfor row in csv.DictReader(open(sys.argv[1])):\n    print(row["Preis"])\n',
  'src/server.ts': "import Fastify from 'fastify';\n\nexport const server = Fastify({ logger: true });\n",
  'src/teapot.ts': `import { server } from './server.ts';

/** It is a tea shop. */
server.post('/brew/coffee', (_request, reply) => reply.code(418).send({ short: true, stout: true }));
`,
  'src/money/cents.ts': `/** 790 is 7.90; there is no such thing as a third of a cent. */
export type Cents = number & { readonly brand: unique symbol };

export function cents(amount: number): Cents {
  return Math.round(amount) as Cents;
}

export function formatCents(amount: Cents): string {
  return (amount / 100).toFixed(2);
}
`,
  'src/basket/basket.ts': `import type { Cents } from '../money/cents.ts';

export interface BasketLine {
  readonly tea: string;
  readonly amount: number;
  readonly price: Cents;
}

export interface Basket {
  readonly lines: readonly BasketLine[];
}
`,
  'src/basket/kept-basket.ts':
    "import { redis } from '../cache/redis.ts';\n\nexport const WEEK = 7 * 24 * 60 * 60;\n",
  'src/cache/redis.ts':
    "import Redis from 'ioredis';\n\nexport const redis = new Redis(process.env.REDIS_URL ?? '');\n",
  'src/catalogue/list-teas.ts': 'export const PAGE = 24;\n',
  'src/checkout/orders.ts': "export type OrderState = 'open' | 'paid' | 'sent';\n",
  'src/checkout/payments/stripe.ts':
    "import Stripe from 'stripe';\n\nexport const stripe = new Stripe(process.env.STRIPE_KEY ?? '');\n",
  'src/invoices/vat.ts': 'export const RATES = { tea: 7, teapot: 19 } as const;\n',
  'src/stock/stock.ts': 'export interface Stock {\n  readonly tea: string;\n  readonly packets: number;\n}\n',
  'test/basket/totals.test.ts':
    "import { expect, test } from 'vitest';\n\ntest('three Earl Greys cost 23.70', () => expect(3 * 790).toBe(2370));\n",
  'test/teapot.test.ts':
    "import { test } from 'vitest';\n\ntest('refuses to brew coffee', () => undefined);\n",
};
