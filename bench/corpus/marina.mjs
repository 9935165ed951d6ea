import { join } from 'node:path';
import { createRandom } from './random.mjs';

/**
 * A fictional project, a booking system for the berths of a marina: what was asked in each session, its commit and files
 * and, for most, a later prompt about it in other words.
 * @type {{request: string, commit: string, files: string[], install?: string, later?: string}[]}
 */
const WORK = [
  {
    request: 'Set up the project with Fastify, Postgres and Vitest',
    commit: 'chore: project skeleton with fastify and vitest',
    files: ['package.json', 'src/server.ts', 'vitest.config.ts'],
    install: 'pnpm add fastify pg',
  },
  {
    request: 'Skippers should be able to sign in with a magic link instead of a password',
    commit: 'feat(auth): magic link sign-in for skippers',
    files: ['src/auth/magic-link.ts', 'src/auth/routes.ts', 'test/auth/magic-link.test.ts'],
    install: 'pnpm add nodemailer',
    later: 'how does the passwordless login of skippers with the magic link work?',
  },
  {
    request: 'Two people can book the same berth for overlapping nights, prevent that',
    commit: 'fix(booking): exclusion constraint against overlapping berth reservations',
    files: ['migrations/004_no_overlap.sql', 'src/booking/reserve.ts'],
    later: 'somebody managed to get an overlapping reservation for one berth again',
  },
  {
    request: 'Import the tide tables of the hydrographic office once a day',
    commit: 'feat(tides): daily import of tide tables',
    files: ['src/tides/import.ts', 'src/tides/parser.ts', 'test/tides/parser.test.ts'],
    later: 'where do we parse the tide tables that are fetched every day?',
  },
  {
    request: 'The tide importer chokes on the leap second row, skip it with a warning',
    commit: 'fix(tides): skip leap second rows',
    files: ['src/tides/parser.ts'],
    later: 'the tide import crashed on a leap second',
  },
  {
    request: 'Charge electricity per kilowatt hour from the pedestal meters',
    commit: 'feat(billing): electricity by pedestal meter reading',
    files: ['src/billing/electricity.ts', 'src/meters/modbus.ts'],
    install: 'pnpm add modbus-serial',
    later: 'guests complain about the electricity they are charged, how do we read the pedestal meters',
  },
  {
    request: 'modbus reads time out when several pedestals are polled at once, serialise them',
    commit: 'fix(meters): one modbus request at a time',
    files: ['src/meters/modbus.ts', 'src/meters/poll-queue.ts'],
    later: 'modbus polling of the pedestals hangs sometimes',
  },
  {
    request: 'Harbour masters want a map of the pontoons with free berths in green',
    commit: 'feat(map): pontoon map with occupancy',
    files: ['web/src/map/PontoonMap.tsx', 'web/src/map/occupancy.ts'],
    install: 'pnpm add maplibre-gl',
    later: 'show reserved berths in orange on the pontoon map',
  },
  {
    request: 'The pontoon map is slow with 800 berths, render it on a canvas',
    commit: 'perf(map): draw pontoons on canvas',
    files: ['web/src/map/PontoonMap.tsx', 'web/src/map/canvas-layer.ts'],
    later: 'speed up drawing of the berths on the canvas map',
  },
  {
    request: 'Send a text message to the skipper when the arrival is confirmed',
    commit: 'feat(notify): sms on confirmed arrival',
    files: ['src/notify/sms.ts'],
    install: 'pnpm add twilio',
    later: 'skippers did not get the sms confirming their arrival',
  },
  {
    request: 'twilio rejects numbers without a country prefix, normalise them with libphonenumber',
    commit: 'fix(notify): normalise phone numbers',
    files: ['src/notify/phone.ts', 'test/notify/phone.test.ts'],
    install: 'pnpm add libphonenumber-js',
    later: 'normalise the phone numbers before we hand them to twilio',
  },
  {
    request: 'Write an OpenAPI description of the booking endpoints',
    commit: 'docs(api): openapi for bookings',
    files: ['docs/openapi.yaml'],
    later: 'is there an openapi document for bookings?',
  },
  {
    request: 'Boats longer than their berth must be refused, compare length overall and beam',
    commit: 'feat(booking): refuse boats that exceed the berth dimensions',
    files: ['src/booking/dimensions.ts', 'test/booking/dimensions.test.ts'],
    later: 'check the beam and length of a boat against the berth before we accept it',
  },
  {
    request: 'Catamarans take two berths, support that in the reservation',
    commit: 'feat(booking): catamarans occupy adjacent berths',
    files: ['src/booking/adjacent.ts', 'src/booking/reserve.ts'],
    later: 'how do we deal with catamarans that need adjacent berths?',
  },
  {
    request: 'Migrate from node-pg-migrate to plain sql files run by our own runner',
    commit: 'refactor(db): plain sql migrations',
    files: ['scripts/migrate.ts', 'migrations/001_init.sql'],
    later: 'why did we drop node-pg-migrate?',
  },
  {
    request: 'Add seasonal prices: high season from June to August costs 40 percent more',
    commit: 'feat(pricing): seasonal rates',
    files: ['src/pricing/season.ts', 'test/pricing/season.test.ts'],
    later: 'add seasonal pricing with a higher rate in high season',
  },
  {
    request: 'The price of a stay across the turn of the season is wrong, split it by night',
    commit: 'fix(pricing): price each night by its own season',
    files: ['src/pricing/season.ts', 'src/pricing/nights.ts'],
    later: 'a stay that crosses into another season gets the wrong nightly rate',
  },
  {
    request: 'Deploy to Fly.io with a release command that runs the migrations',
    commit: 'ci: deploy to fly with migrations as release command',
    files: ['fly.toml', '.github/workflows/deploy.yml'],
    later: 'the fly.io deployment does not run the migrations',
  },
  {
    request: 'The health check on fly restarts the machine while tides are imported, give it its own worker',
    commit: 'fix(deploy): import tides in a separate process group',
    files: ['fly.toml', 'src/worker.ts'],
    later: 'fly keeps restarting the machine, the health check fails during the import',
  },
  {
    request: 'Winter storage: customers can order cradle and mast removal',
    commit: 'feat(storage): winter storage orders with cradle and mast removal',
    files: ['src/storage/order.ts', 'web/src/storage/OrderForm.tsx'],
    later: 'let people order a cradle for winter storage',
  },
  {
    request: 'Crane appointments need slots of 30 minutes, and none at low tide',
    commit: 'feat(crane): appointments that respect low tide',
    files: ['src/crane/slots.ts', 'test/crane/slots.test.ts'],
    later: 'the crane can be booked at low tide, that should not be possible',
  },
  {
    request: 'Use zod for all request bodies instead of the hand-written checks',
    commit: 'refactor(api): validate bodies with zod',
    files: ['src/api/schemas.ts', 'src/api/routes.ts'],
    install: 'pnpm add zod',
    later: 'replace hand-written request validation by zod',
  },
  {
    request: 'Show the wind forecast of the next 12 hours on the arrival board',
    commit: 'feat(board): wind forecast',
    files: ['web/src/board/Wind.tsx', 'src/wind/forecast.ts'],
    later: 'the arrival board shows no wind data any more',
  },
  {
    request: 'Arrival board flickers every ten seconds, use server-sent events',
    commit: 'fix(board): server-sent events instead of polling',
    files: ['src/board/events.ts', 'web/src/board/useBoard.ts'],
    later: 'did we switch the arrival board from polling to server-sent events?',
  },
  {
    request: 'Give the harbour master a csv export of all overnight guests for the customs office',
    commit: 'feat(export): overnight guests as csv for customs',
    files: ['src/export/guests.ts'],
    later: 'customs asks for the list of overnight guests, can we export it',
  },
  {
    request: 'Dates in the customs export are in UTC, they must be local time of the harbour',
    commit: 'fix(export): local dates in guest list',
    files: ['src/export/guests.ts', 'test/export/guests.test.ts'],
    later: 'the guest export for customs has the wrong time zone',
  },
  {
    request: 'Cache the berth availability in Redis for a minute',
    commit: 'feat(cache): availability cached in redis',
    files: ['src/cache/redis.ts', 'src/booking/availability.ts'],
    install: 'pnpm add ioredis',
    later: 'put the availability of berths into a redis cache',
  },
  {
    request: 'Availability stays stale after a cancellation, invalidate the cache',
    commit: 'fix(cache): drop cached availability on cancellation',
    files: ['src/cache/redis.ts', 'src/booking/cancel.ts'],
    later: 'after a cancellation the berth still shows as taken, is that the cache?',
  },
  {
    request: 'Load test the booking endpoint with k6',
    commit: 'test(load): k6 script for bookings',
    files: ['load/bookings.js'],
    later: 'how do I run the k6 load test?',
  },
  {
    request: 'Translate the guest pages into Danish and Dutch',
    commit: 'feat(i18n): danish and dutch guest pages',
    files: ['web/src/i18n/da.json', 'web/src/i18n/nl.json', 'web/src/i18n/index.ts'],
    install: 'pnpm add i18next',
    later: 'add Swedish next to the Danish translation of the guest pages',
  },
  {
    request: 'Encrypt the passport numbers of guests at rest',
    commit: 'feat(security): encrypt passport numbers',
    files: ['src/security/encrypt.ts', 'migrations/011_passport.sql'],
    later: 'are the passport numbers encrypted in the database?',
  },
  {
    request: 'Rotate the encryption key without downtime',
    commit: 'feat(security): key rotation with two active keys',
    files: ['src/security/keys.ts', 'scripts/rotate-key.ts'],
    later: 'how do we rotate encryption keys?',
  },
  {
    request: 'eslint is slow, switch to oxlint and prettier to dprint',
    commit: 'chore: oxlint and dprint',
    files: ['.oxlintrc.json', 'dprint.json', 'package.json'],
    install: 'pnpm add -D oxlint dprint',
  },
  {
    request: 'Print a QR code on the gate card that opens the pontoon gate',
    commit: 'feat(gate): qr codes for gate cards',
    files: ['src/gate/qr.ts', 'src/gate/card.ts'],
    install: 'pnpm add qrcode',
    later: 'the QR code of the gate card does not open the gate',
  },
  {
    request: 'The gate controller answers with garbage after a power cut, reset its serial line',
    commit: 'fix(gate): reset serial line after power loss',
    files: ['src/gate/controller.ts'],
    later: 'after a power cut the gate controller sends garbage on the serial line',
  },
  {
    request: 'Refunds: cancel up to 48 hours before arrival gives the full deposit back',
    commit: 'feat(billing): deposit refund until 48 hours before arrival',
    files: ['src/billing/refund.ts', 'test/billing/refund.test.ts'],
    later: 'give the deposit back when a guest cancels two days ahead of arrival',
  },
  {
    request: 'Add Sentry to server and web',
    commit: 'feat(ops): sentry',
    files: ['src/ops/sentry.ts', 'web/src/sentry.ts'],
    install: 'pnpm add @sentry/node',
  },
  {
    request: 'Regatta mode: block a whole pontoon for a club over a weekend',
    commit: 'feat(regatta): block pontoons for clubs',
    files: ['src/regatta/block.ts', 'web/src/regatta/BlockForm.tsx'],
    later: 'a sailing club wants a whole pontoon for its regatta',
  },
  {
    request: 'Waiting list for annual berths with the date of application',
    commit: 'feat(waiting): waiting list for annual berths',
    files: ['src/waiting/list.ts', 'migrations/015_waiting.sql'],
    later: 'implement a waiting list for annual berths',
  },
  {
    request: 'Flaky test: the slots test depends on the time zone of the machine',
    commit: 'test(crane): fixed time zone in slots test',
    files: ['test/crane/slots.test.ts', 'vitest.config.ts'],
    later: 'the crane slots test is flaky on my laptop',
  },
];

const IN_BETWEEN = ['yes, go ahead', 'run the tests', 'looks good', 'commit this', 'can you check again?', 'why?'];
const START = Date.UTC(2025, 2, 3, 8);
const DAY = 86_400_000;

/**
 * Records the sessions of the project, one per day, as hooks would. Deterministic.
 * @param {import('../../dist/project/index.js').Recorder} recorder
 * @param {string} root the folder of the project
 */
export function recordMarina(recorder, root) {
  const random = createRandom('marina');
  for (const [index, { request, commit, files, install }] of WORK.entries()) {
    const head = (minutes) => ({
      sessionId: sessionId(index),
      agent: 'claude-code',
      timestamp: new Date(START + index * DAY + minutes * 60_000).toISOString(),
    });
    const call = (minutes, tool, input) =>
      recorder.record({ ...head(minutes), tool, input }, { status: 'ok', exitCode: 0, output: 'done' });
    const run = (minutes, command) => call(minutes, 'Bash', { command });
    recorder.recordPrompt({ ...head(0), text: request });
    if (install !== undefined) run(2, install);
    for (const [place, file] of files.entries())
      call(3 + place, 'Write', { file_path: join(root, file), content: 'export {};\n' });
    run(20, 'pnpm vitest run');
    recorder.recordPrompt({ ...head(25), text: random.pick(IN_BETWEEN) });
    recorder.recordPrompt({ ...head(40), text: 'commit and push' });
    run(41, `git commit -m ${JSON.stringify(commit)}`);
  }
}

/** Later prompts about the project, each with the session that it is about and the commit of that. */
export const MARINA_PROMPTS = WORK.flatMap(({ later, commit }, index) =>
  later === undefined ? [] : [{ prompt: later, sessionId: sessionId(index), commit }],
);

/** @param {number} index */
function sessionId(index) {
  return `marina-${String(index + 1).padStart(2, '0')}`;
}
