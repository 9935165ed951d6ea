import {
  asks,
  commits,
  day,
  ends,
  fails,
  type Moment,
  reads,
  runs,
  says,
  searches,
  session,
  writes,
} from '../script.ts';
import { claude, codex, copilot, gemini, passed } from './scene.ts';

/** The first two weeks: an empty folder becomes a shop. */
export const OPENING: readonly Moment[] = [
  session(
    { name: 'first day', when: day(41, '09:10'), ...claude('main') },
    asks('Set up the backend of a small tea shop: TypeScript, Fastify, Postgres, vitest. Keep it boring.'),
    runs('pnpm init', 'Wrote to package.json'),
    runs('pnpm add fastify postgres zod', '+ fastify 5.2.0\n+ postgres 3.4.5\n+ zod 4.0.5\n\nDone in 3.1s'),
    runs(
      'pnpm add -D typescript vitest @biomejs/biome tsx',
      '+ typescript 5.9.2\n+ vitest 3.2.4\nDone in 4.8s',
    ),
    writes(
      'src/server.ts',
      "import Fastify from 'fastify';\n\nexport const server = Fastify({ logger: true });",
    ),
    writes('test/server.test.ts', "test('answers GET /health', async () => {});"),
    runs('pnpm test', passed(1)),
    commits('An empty shop that says it is healthy', 'main', 6),
    says(`
The shop stands, and it is as boring as you asked for:

| part | choice |
|---|---|
| server | Fastify, one plugin per area |
| database | Postgres through \`postgres\`, no ORM |
| checks | vitest, biome |

\`pnpm dev\` starts it on port 3000. There is nothing to buy yet.`),
  ),
  session(
    { name: 'no compose', when: day(40, '10:02'), ...claude('main') },
    asks('Start Postgres with docker so that tests can use a real database.'),
    writes('compose.yml', 'services:\n  db:\n    image: postgres:17\n    ports: ["5432:5432"]'),
    fails('docker-compose up -d', 'bash: docker-compose: command not found', 127),
    runs('docker compose up -d', ' ✔ Container teahouse-db-1  Started'),
    runs('pnpm test', passed(3)),
    commits('Tests run against a real Postgres', 'main', 4),
    says(
      'Postgres runs in a container. This machine has the `docker compose` plugin, not the old `docker-compose` program.',
    ),
  ),
  session(
    { name: 'catalogue table', when: day(38, '14:20'), ...codex('catalogue') },
    asks('Add a table for teas: name, origin, price, grams, and whether it is in stock.'),
    writes(
      'migrations/001-teas.sql',
      'create table teas (\n  id uuid primary key,\n  name text not null,\n  price numeric(8, 2)\n);',
    ),
    fails('psql -U tea teahouse -f migrations/001-teas.sql', 'bash: psql: command not found', 127),
    runs('docker compose exec -T db psql -U tea teahouse -f migrations/001-teas.sql', 'CREATE TABLE'),
    runs('pnpm test', passed(7)),
    commits('Teas have a table', 'catalogue', 2),
    says(
      'The table `teas` exists. `psql` is only inside the container, so migrations go through `docker compose exec -T db psql`.',
    ),
  ),
  session(
    { name: 'health', when: day(37, '09:33'), ...gemini('main') },
    asks('GET /health should fail when the database is down.'),
    reads('src/server.ts'),
    runs('pnpm test', passed(8)),
    commits('Health knows about the database', 'main', 2),
    says(
      '`GET /health` asks the database for `select 1` and answers **503** when it does not get it within 500 ms.',
    ),
  ),
  session(
    { name: 'continuous integration', when: day(35, '11:45'), ...copilot('ci') },
    asks('Set up CI on GitHub: lint, types, tests with Postgres.'),
    writes('.github/workflows/ci.yml', 'name: ci\non: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest'),
    fails('gh pr create --fill', 'To get started with GitHub CLI, please run:  gh auth login', 4),
    asks('I have logged in, try again.'),
    runs('gh pr create --fill', 'https://github.com/example/teahouse/pull/3'),
    says(
      'CI is set up and pull request 3 is open: lint, types, tests, in that order, so that the cheap check fails first.',
    ),
  ),
  session(
    { name: 'teapot', when: day(34, '16:05'), ...claude('main') },
    asks('Brewing coffee should answer 418. Yes, really. It is a tea shop.'),
    writes(
      'src/teapot.ts',
      "server.post('/brew/coffee', (_, reply) => reply.code(418).send({ short: true, stout: true }));",
    ),
    fails(
      'pnpm test',
      ' FAIL  test/teapot.test.ts > refuses to brew coffee\nAssertionError: expected 404 to be 418\n\n Tests  1 failed | 8 passed (9)',
    ),
    searches('teapot', 'src', 'src/teapot.ts:1'),
    runs('pnpm test', passed(9)),
    commits('418: this is a tea shop', 'main', 3),
    says(`
It refuses, with manners:

\`\`\`http
POST /brew/coffee HTTP/1.1

HTTP/1.1 418 I'm a Teapot
{"short":true,"stout":true}
\`\`\`

The route was not registered in \`server.ts\`; that was the 404.`),
    asks('Perfect, thank you!'),
  ),
  session(
    { name: 'seed', when: day(32, '09:50'), ...claude('catalogue') },
    asks('Fill the database with some teas to look at.'),
    writes('scripts/seed.ts', "const teas = ['Earl Grey', 'Sencha', 'Assam'];"),
    fails(
      'node scripts/seed.ts',
      'TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension ".ts" for /home/mara/teahouse/scripts/seed.ts',
    ),
    runs('pnpm tsx scripts/seed.ts', 'inserted 24 teas'),
    commits('Seed: 24 teas', 'catalogue', 2),
    says('24 teas are in. Scripts run with `pnpm tsx`; this Node does not read TypeScript by itself.'),
  ),
  session(
    { name: 'listing', when: day(31, '13:15'), ...codex('catalogue') },
    asks('GET /teas with filters for origin and price, and pages.'),
    writes(
      'src/catalogue/list-teas.ts',
      'export async function listTeas(filter: TeaFilter): Promise<Page<Tea>> {',
    ),
    ends('rg "OFFSET" src', 'error', '', 1),
    runs('pnpm test', passed(15)),
    runs('pnpm lint', 'Checked 14 files in 21ms. No fixes applied.'),
    commits('List teas by origin and price, by page', 'catalogue', 5),
    says(`
\`GET /teas?origin=Japan&atMost=15&after=…\` works. Pages go by the last id, not by offset, because an offset reads all rows before it:

\`\`\`sql
select * from teas
where origin = $1 and price <= $2 and id > $3
order by id limit 24;
\`\`\``),
  ),
  session(
    { name: 'formatter', when: day(30, '10:40'), ...gemini('main') },
    asks('Use prettier for formatting.'),
    ends('pnpm remove @biomejs/biome', 'rejected', 'The user rejected this command.'),
    asks('No, wait. Biome formats already. Leave it.'),
    says('Left as it is: `pnpm biome check --write` formats and lints in one go.'),
  ),
];
