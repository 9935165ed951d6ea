import type { TextLists } from '../../config/settings.ts';
import { once } from '../../record/once.ts';
import { stem } from '../../text/stem.ts';
import { splitWords, tokenize } from '../../text/words.ts';
import { TagIndex, type TagSource } from './tag-index.ts';

/** What can be tagged: the text of a request, a shell command, the name of a tool, a project-relative path. */
interface Taggable {
  readonly text?: string;
  readonly command?: string;
  readonly tool?: string;
  readonly path?: string;
}

/** Maximum number of tags. Those of the text are kept first, then command, tool and file; within each, in its order. */
export const MAX_TAGS = 10;
/** Characters to read of a text or command: the subject of a request is at its beginning. */
const MAX_READ = 2000;

const subjects: () => TagIndex = once(() => subjectIndex('first'));
const commands: () => TagIndex = once(() => subjectIndex('second'));
const extras = new WeakMap<TextLists, TagIndex>();

/**
 * The tags of a request or tool call: intent, technology, tool and the area of the file. Words match as a whole, in any
 * simple inflection. `extra` is the setting `tags.extra`. At most {@link MAX_TAGS}, deterministic.
 */
export function findTags(what: Taggable, extra?: TextLists): readonly string[] {
  const indexes = extra === undefined ? [subjects()] : [subjects(), extraIndex(extra)];
  const tags = new Set<string>();
  if (what.text !== undefined) collect(what.text, indexes, tags);
  if (what.command !== undefined) collect(stripPaths(what.command), [commands(), ...indexes], tags);
  if (what.tool !== undefined) collect(what.tool, indexes, tags);
  if (what.path !== undefined) {
    for (const tag of findAreaTags(what.path, (name) => findWordTags(name)[0])) tags.add(tag);
    if (extra !== undefined) collect(what.path, [extraIndex(extra)], tags);
  }
  return Array.from(tags).slice(0, MAX_TAGS);
}

/** The tags of a single word in any inflection; none for most words. */
export function findWordTags(word: string): readonly string[] {
  return subjects().get(stem(word));
}

function collect(text: string, indexes: readonly TagIndex[], tags: Set<string>): void {
  let before = '';
  for (const token of tokenize(text.slice(0, MAX_READ))) {
    let own = '';
    for (const index of indexes) {
      const found = index.lookUp(token);
      own = found.stem;
      if (found.isSecond) for (const tag of index.get(`${before} ${own}`)) tags.add(tag);
      for (const tag of found.tags) tags.add(tag);
    }
    before = own;
  }
}

/** Parses a row of a tag table: `tag > implied tags: first list | second list`. */
export function parseRow(row: string): {
  readonly tag: string;
  readonly implies: readonly string[];
  readonly first: readonly string[];
  readonly second: readonly string[];
} {
  const [head = '', lists = ''] = row.split(': ');
  const [tag = '', implied] = head.split(' > ');
  const [first, second] = lists.split(' | ');
  return { tag, implies: splitList(implied), first: splitList(first), second: splitList(second) };
}

function splitList(text: string | undefined): readonly string[] {
  return text === undefined ? [] : text.split(', ');
}

function subjectIndex(list: 'first' | 'second'): TagIndex {
  const toSource = (text: string): TagSource => {
    const row = once(() => {
      const { tag, implies, [list]: words } = parseRow(text);
      return { tag, implies, words };
    });
    return { text, row };
  };
  return new TagIndex(SUBJECTS.map(toSource));
}

function extraIndex(extra: TextLists): TagIndex {
  const known = extras.get(extra);
  if (known !== undefined) return known;
  const index = TagIndex.of(Object.entries(extra).map(([tag, words]) => ({ tag, words })));
  extras.set(extra, index);
  return index;
}

/** Removes paths from a command, because file names say little about what it does. */
function stripPaths(command: string): string {
  return command.slice(0, MAX_READ).replace(/\S*[\\/]\S*/g, ' ');
}

const byName = once(() => areaIndex('first'));
const byExtension = once(() => areaIndex('second'));

/**
 * The tags of a project-relative path: names in it that are subjects, then the areas it belongs to. `src/auth/jwt.ts`
 * has auth, jwt, backend. A name that only repeats its area is left out.
 */
function findAreaTags(path: string, subjectOf: (name: string) => string | undefined): readonly string[] {
  const segments = path.split(/[\\/]+/).filter((segment) => segment !== '' && segment !== '.');
  const file = segments.pop() ?? '';
  const [stemOfFile = '', ...endings] = file.startsWith('.') ? [file] : file.split('.');
  const whole = [...segments, stemOfFile, ...endings, file].map((name) => name.toLowerCase());
  const words = splitWords([...segments, stemOfFile].join('/')).flatMap(({ parts }) => parts);
  const areas = new Set(
    [
      ...[...words, ...whole].map((name) => byName().get(name)),
      byExtension().get(endings.at(-1)?.toLowerCase() ?? ''),
    ].filter((area) => area !== undefined),
  );
  const names = words.filter((word) => {
    const subject = word.length > 1 ? subjectOf(word) : undefined;
    return subject !== undefined && !areas.has(subject);
  });
  return Array.from(new Set([...names, ...areas]));
}

function areaIndex(list: 'first' | 'second'): ReadonlyMap<string, string> {
  return new Map(AREAS.map(parseRow).flatMap((row) => row[list].map((name) => [name, row.tag] as const)));
}

/**
 * Subjects of requests, commands and tools. A row is `tag > implied tags: words | words that match in commands only`.
 * Inflections need not be listed. The order of the rows counts only for a word that is in several: it gives their tags in
 * this order.
 */
export const SUBJECTS: readonly string[] = [
  'authentication > security: auth, authenticate, login, logout, signin, sign in, signup, sign up, oauth, oauth2, oidc, sso, saml, jwt, passport, credential, password, passkey, 2fa, mfa, bcrypt, argon2',
  'authorization > security: authorize, authorization, permission, rbac, acl, access control, role, forbidden',
  'security: security, secure, vulnerability, cve, xss, csrf, csp, injection, sanitize, encrypt, decrypt, tls, ssl, certificate, secret, redact, leak, audit, cross-origin, helmet, path traversal',
  'dependency: dependency, dependencies, install, uninstall, upgrade, downgrade, bump, lockfile, lock file, package manager, vendor, dependabot, renovate | npm i, npm ci, npm add, npm update, pnpm i, pnpm add, pnpm up, yarn add, bun add, bun i, deno add, pip, pipx, poetry add, uv add, uv sync, cargo add, go get, go mod, gem, bundle, composer require, dotnet add, nuget, mix deps.get, brew, apt, apt-get, apk, dnf, yum',
  'redis > database: redis, ioredis, valkey, redis-cli, upstash',
  'caching: cache, caching, memoize, memcached, etag, ttl, cdn',
  'postgres > database: postgres, postgresql, psql, pg, pgvector, supabase',
  'mysql > database: mysql, mariadb, mysql2',
  'sqlite > database: sqlite, sqlite3, better-sqlite3, libsql',
  'mongodb > database: mongo, mongodb, mongoose',
  'database: database, db, sql, orm, prisma, drizzle, typeorm, sequelize, sqlalchemy, alembic, knex, hibernate, dynamodb, elasticsearch, clickhouse, schema, migration, migrate, transaction, foreign key',
  'testing: test, testing, spec, unit test, e2e, coverage, fixture, mock, flaky, vitest, jest, mocha, ava, pytest, unittest, tox, nox, rspec, minitest, junit, phpunit, playwright, cypress, testify, fast-check, hypothesis, snapshot',
  'linting: lint, linter, eslint, biome, oxlint, ruff, flake8, pylint, clippy, golangci-lint, golangci, rubocop, stylelint, shellcheck, staticcheck, mypy, pyright, typecheck, type check | tsc, go vet',
  'formatting: format, formatter, prettier, gofmt, gofumpt, rustfmt, black, isort, dprint | cargo fmt, mix format',
  'build: build, compile, bundle, bundler, webpack, vite, rollup, rolldown, esbuild, tsup, turbopack, swc, babel, makefile, cmake, gradle, maven, bazel, ninja | make, mvn, cargo build, go build, dotnet build',
  'ci: ci, github actions, github action, workflow, pipeline, gitlab ci, circleci, jenkins, travis, buildkite',
  'release: release, releasing, publish, changelog, version bump, semver, goreleaser, changeset, homebrew, notarize, tarball, npm publish',
  'deployment: deploy, deployment, rollout, rollback, heroku, vercel, netlify, fly.io, cloudflare, serverless, lambda, ansible',
  'docker > infrastructure: docker, dockerfile, docker-compose, container, podman, image registry',
  'kubernetes > infrastructure: kubernetes, k8s, kubectl, helm, ingress, istio',
  'infrastructure: infrastructure, terraform, pulumi, cloudformation, aws, gcp, azure, s3, ec2, nginx, load balancer',
  'performance: performance, perf, slow, slowly, slower, sluggish, fast, faster, speed, latency, throughput, benchmark, profile, profiling, profiler, optimize, bottleneck, hang, delay, flame graph, lag',
  'memory-use: memory leak, oom, heap size, heap dump, garbage collection, memory usage, rss',
  'concurrency: concurrency, concurrent, parallel, race condition, data race, deadlock, mutex, lock, thread, goroutine, worker pool, semaphore, atomic',
  'observability: telemetry, analytics, tracing, opentelemetry, otel, otlp, metrics, prometheus, grafana, sentry, posthog, datadog, observability, monitoring',
  'logging: logging, logger, log level, slog, winston, pino, structured log',
  'documentation: docs, documentation, document, readme, faq, tutorial, jsdoc, docstring, mkdocs, docusaurus, architecture doc, licence, license',
  'bugfix: bug, bugfix, hotfix, regression, crash, broken, broke, panic, stack trace, segfault, null pointer',
  'refactoring: refactor, cleanup, clean up, simplify, dedupe, deduplicate, duplicated, extract, dead code, unused code',
  'configuration: config, configuration, configure, setting, settings, preference, dotenv, feature flag, opt-in, opt-out',
  'cli: cli, subcommand, command line, argv, cobra, commander, clap, argparse, yargs, completion, tui',
  'api > backend: api, endpoint, rest, graphql, grpc, openapi, swagger, webhook, route, router, middleware, trpc, websocket, socket.io',
  'backend: backend, server, express, fastify, hono, koa, nestjs, django, flask, fastapi, rails, laravel, spring, gin, actix, axum',
  'frontend: frontend, ui, component, react, vue, svelte, angular, solidjs, next.js, nextjs, nuxt, astro, css, tailwind, sass, html, layout, responsive, dark mode, storybook, redux, zustand, dashboard',
  'accessibility > frontend: accessibility, a11y, aria, screen reader, wcag',
  'localization: i18n, l10n, localize, localization, translation, locale',
  'mobile: mobile, android, ios, react native, flutter, expo, swiftui, kotlin multiplatform',
  'git: git, rebase, cherry-pick, submodule, worktree, merge conflict, bisect, gitignore, git hook, pre-commit, husky',
  'queue: queue, kafka, rabbitmq, bullmq, celery, sidekiq, sqs, pubsub, nats, cron, scheduler',
  'email: email, e-mail, smtp, sendgrid, mailgun, nodemailer',
  'payments: payment, stripe, paypal, invoice, billing, subscription, checkout',
  'search: full-text, full text, search index, fts5, meilisearch, typesense, algolia, lucene',
  'storage: upload, file storage, blob, bucket, multipart, minio',
  'ai: llm, openai, anthropic, claude, gpt, gemini, embedding, rag, prompt engineering, mcp, fine-tune',
  'networking: proxy, dns, tcp, udp, http2, ssh, timeout, retry, user agent, keep-alive',
  'error-handling: error handling, exception, try catch, fallback, error message, exit code',
  'typescript: typescript, tsconfig, tsx, ts-node',
  'python: python, python3, pyproject, virtualenv, venv, poetry, uv',
  'go: golang, go.mod | go',
  'rust: rust, cargo, crate, rustup',
  'java: java, jvm, kotlin, gradlew',
];

/** Areas of files: `tag: names of folders and files | extensions`. */
const AREAS: readonly string[] = [
  'testing: test, tests, spec, specs, __tests__, e2e, fixtures, testdata, cypress, playwright',
  'documentation: docs, doc, readme, changelog, contributing | md, mdx, rst, adoc',
  'frontend: components, component, pages, views, view, ui, frontend, client, web, styles, hooks, layouts, public, templates | tsx, jsx, vue, svelte, css, scss, sass, less, html, astro',
  'backend: auth, jwt, oauth, session, server, api, backend, routes, route, controllers, controller, services, service, middleware, handlers, handler, models, model, cache, redis, queue, jobs, worker, workers, graphql, grpc, users, user, payments, billing',
  'database: db, database, migrations, migration, schema, prisma, drizzle, seeds, repositories, sql | sql, prisma',
  'infrastructure: infra, terraform, k8s, kubernetes, helm, dockerfile, docker, docker-compose, deploy, ansible | tf',
  'ci: .github, workflows, .gitlab-ci, .circleci, jenkinsfile',
  'configuration: config, configs, settings, tsconfig, biome, eslint.config, package.json',
  'cli: cli, cmd, commands',
];
