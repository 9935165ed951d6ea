/** A tag with the words that it matches and the tags that it implies. */
export interface TagRow {
  readonly tag: string;
  /** Separated by commas; two words in a row as `github actions`. Inflections need not be listed. */
  readonly words: string;
  /** Additional words that match in commands only. */
  readonly commands?: string;
  readonly implies?: readonly string[];
}

/** Subjects of requests, commands and tools, in order of precedence when there are too many tags. */
export const SUBJECTS: readonly TagRow[] = [
  {
    tag: 'authentication',
    words:
      'auth, authenticate, login, logout, signin, sign in, signup, sign up, oauth, oauth2, oidc, sso, saml, jwt, passport, credential, password, passkey, 2fa, mfa, bcrypt, argon2',
    implies: ['security'],
  },
  {
    tag: 'authorization',
    words: 'authorize, authorization, permission, rbac, acl, access control, role, forbidden',
    implies: ['security'],
  },
  {
    tag: 'security',
    words:
      'security, secure, vulnerability, cve, xss, csrf, csp, injection, sanitize, encrypt, decrypt, tls, ssl, certificate, secret, redact, leak, audit, cross-origin, helmet, path traversal',
  },
  {
    tag: 'dependency',
    words:
      'dependency, dependencies, install, uninstall, upgrade, downgrade, bump, lockfile, lock file, package manager, vendor, dependabot, renovate',
    commands:
      'npm i, npm ci, npm add, npm update, pnpm i, pnpm add, pnpm up, yarn add, bun add, bun i, deno add, pip, pipx, poetry add, uv add, uv sync, cargo add, go get, go mod, gem, bundle, composer require, dotnet add, nuget, mix deps.get, brew, apt, apt-get, apk, dnf, yum',
  },
  { tag: 'redis', words: 'redis, ioredis, valkey, redis-cli, upstash', implies: ['database'] },
  { tag: 'caching', words: 'cache, caching, memoize, memcached, etag, ttl, cdn' },
  { tag: 'postgres', words: 'postgres, postgresql, psql, pg, pgvector, supabase', implies: ['database'] },
  { tag: 'mysql', words: 'mysql, mariadb, mysql2', implies: ['database'] },
  { tag: 'sqlite', words: 'sqlite, sqlite3, better-sqlite3, libsql', implies: ['database'] },
  { tag: 'mongodb', words: 'mongo, mongodb, mongoose', implies: ['database'] },
  {
    tag: 'database',
    words:
      'database, db, sql, orm, prisma, drizzle, typeorm, sequelize, sqlalchemy, alembic, knex, hibernate, dynamodb, elasticsearch, clickhouse, schema, migration, migrate, transaction, foreign key',
  },
  {
    tag: 'testing',
    words:
      'test, testing, spec, unit test, e2e, coverage, fixture, mock, flaky, vitest, jest, mocha, ava, pytest, unittest, tox, nox, rspec, minitest, junit, phpunit, playwright, cypress, testify, fast-check, hypothesis, snapshot',
  },
  {
    tag: 'linting',
    words:
      'lint, linter, eslint, biome, oxlint, ruff, flake8, pylint, clippy, golangci-lint, golangci, rubocop, stylelint, shellcheck, staticcheck, mypy, pyright, typecheck, type check',
    commands: 'tsc, go vet',
  },
  {
    tag: 'formatting',
    words: 'format, formatter, prettier, gofmt, gofumpt, rustfmt, black, isort, dprint',
    commands: 'cargo fmt, mix format',
  },
  {
    tag: 'build',
    words:
      'build, compile, bundle, bundler, webpack, vite, rollup, rolldown, esbuild, tsup, turbopack, swc, babel, makefile, cmake, gradle, maven, bazel, ninja',
    commands: 'make, mvn, cargo build, go build, dotnet build',
  },
  {
    tag: 'ci',
    words:
      'ci, github actions, github action, workflow, pipeline, gitlab ci, circleci, jenkins, travis, buildkite',
  },
  {
    tag: 'release',
    words:
      'release, releasing, publish, changelog, version bump, semver, goreleaser, changeset, homebrew, notarize, tarball, npm publish',
  },
  {
    tag: 'deployment',
    words:
      'deploy, deployment, rollout, rollback, heroku, vercel, netlify, fly.io, cloudflare, serverless, lambda, ansible',
  },
  {
    tag: 'docker',
    words: 'docker, dockerfile, docker-compose, container, podman, image registry',
    implies: ['infrastructure'],
  },
  {
    tag: 'kubernetes',
    words: 'kubernetes, k8s, kubectl, helm, ingress, istio',
    implies: ['infrastructure'],
  },
  {
    tag: 'infrastructure',
    words:
      'infrastructure, terraform, pulumi, cloudformation, aws, gcp, azure, s3, ec2, nginx, load balancer',
  },
  {
    tag: 'performance',
    words:
      'performance, perf, slow, slowly, slower, sluggish, fast, faster, speed, latency, throughput, benchmark, profile, profiling, profiler, optimize, bottleneck, hang, delay, flame graph, lag',
  },
  {
    tag: 'memory-use',
    words: 'memory leak, oom, heap size, heap dump, garbage collection, memory usage, rss',
  },
  {
    tag: 'concurrency',
    words:
      'concurrency, concurrent, parallel, race condition, data race, deadlock, mutex, lock, thread, goroutine, worker pool, semaphore, atomic',
  },
  {
    tag: 'observability',
    words:
      'telemetry, analytics, tracing, opentelemetry, otel, otlp, metrics, prometheus, grafana, sentry, posthog, datadog, observability, monitoring',
  },
  { tag: 'logging', words: 'logging, logger, log level, slog, winston, pino, structured log' },
  {
    tag: 'documentation',
    words:
      'docs, documentation, document, readme, faq, tutorial, jsdoc, docstring, mkdocs, docusaurus, architecture doc, licence, license',
  },
  {
    tag: 'bugfix',
    words:
      'bug, bugfix, hotfix, regression, crash, broken, broke, panic, stack trace, segfault, null pointer',
  },
  {
    tag: 'refactoring',
    words:
      'refactor, cleanup, clean up, simplify, dedupe, deduplicate, duplicated, extract, dead code, unused code',
  },
  {
    tag: 'configuration',
    words:
      'config, configuration, configure, setting, settings, preference, dotenv, feature flag, opt-in, opt-out',
  },
  {
    tag: 'cli',
    words: 'cli, subcommand, command line, argv, cobra, commander, clap, argparse, yargs, completion, tui',
  },
  {
    tag: 'api',
    words:
      'api, endpoint, rest, graphql, grpc, openapi, swagger, webhook, route, router, middleware, trpc, websocket, socket.io',
    implies: ['backend'],
  },
  {
    tag: 'backend',
    words:
      'backend, server, express, fastify, hono, koa, nestjs, django, flask, fastapi, rails, laravel, spring, gin, actix, axum',
  },
  {
    tag: 'frontend',
    words:
      'frontend, ui, component, react, vue, svelte, angular, solidjs, next.js, nextjs, nuxt, astro, css, tailwind, sass, html, layout, responsive, dark mode, storybook, redux, zustand, dashboard',
  },
  {
    tag: 'accessibility',
    words: 'accessibility, a11y, aria, screen reader, wcag',
    implies: ['frontend'],
  },
  { tag: 'localization', words: 'i18n, l10n, localize, localization, translation, locale' },
  {
    tag: 'mobile',
    words: 'mobile, android, ios, react native, flutter, expo, swiftui, kotlin multiplatform',
  },
  {
    tag: 'git',
    words:
      'git, rebase, cherry-pick, submodule, worktree, merge conflict, bisect, gitignore, git hook, pre-commit, husky',
  },
  {
    tag: 'queue',
    words: 'queue, kafka, rabbitmq, bullmq, celery, sidekiq, sqs, pubsub, nats, cron, scheduler',
  },
  { tag: 'email', words: 'email, e-mail, smtp, sendgrid, mailgun, nodemailer' },
  { tag: 'payments', words: 'payment, stripe, paypal, invoice, billing, subscription, checkout' },
  {
    tag: 'search',
    words: 'full-text, full text, search index, fts5, meilisearch, typesense, algolia, lucene',
  },
  { tag: 'storage', words: 'upload, file storage, blob, bucket, multipart, minio' },
  {
    tag: 'ai',
    words: 'llm, openai, anthropic, claude, gpt, gemini, embedding, rag, prompt engineering, mcp, fine-tune',
  },
  { tag: 'networking', words: 'proxy, dns, tcp, udp, http2, ssh, timeout, retry, user agent, keep-alive' },
  {
    tag: 'error-handling',
    words: 'error handling, exception, try catch, fallback, error message, exit code',
  },
  { tag: 'typescript', words: 'typescript, tsconfig, tsx, ts-node' },
  { tag: 'python', words: 'python, python3, pyproject, virtualenv, venv, poetry, uv' },
  { tag: 'go', words: 'golang, go.mod', commands: 'go' },
  { tag: 'rust', words: 'rust, cargo, crate, rustup' },
  { tag: 'java', words: 'java, jvm, kotlin, gradlew' },
];

/** What a file is, by the names of its folders and its own, or by its ending. */
export const AREAS: readonly {
  readonly tag: string;
  readonly names: string;
  readonly endings?: string;
}[] = [
  {
    tag: 'testing',
    names: 'test, tests, spec, specs, __tests__, e2e, fixtures, testdata, cypress, playwright',
  },
  {
    tag: 'documentation',
    names: 'docs, doc, readme, changelog, contributing',
    endings: 'md, mdx, rst, adoc',
  },
  {
    tag: 'frontend',
    names:
      'components, component, pages, views, view, ui, frontend, client, web, styles, hooks, layouts, public, templates',
    endings: 'tsx, jsx, vue, svelte, css, scss, sass, less, html, astro',
  },
  {
    tag: 'backend',
    names:
      'auth, jwt, oauth, session, server, api, backend, routes, route, controllers, controller, services, service, middleware, handlers, handler, models, model, cache, redis, queue, jobs, worker, workers, graphql, grpc, users, user, payments, billing',
  },
  {
    tag: 'database',
    names: 'db, database, migrations, migration, schema, prisma, drizzle, seeds, repositories, sql',
    endings: 'sql, prisma',
  },
  {
    tag: 'infrastructure',
    names: 'infra, terraform, k8s, kubernetes, helm, dockerfile, docker, docker-compose, deploy, ansible',
    endings: 'tf',
  },
  { tag: 'ci', names: '.github, workflows, .gitlab-ci, .circleci, jenkinsfile' },
  { tag: 'configuration', names: 'config, configs, settings, tsconfig, biome, eslint.config, package.json' },
  { tag: 'cli', names: 'cli, cmd, commands' },
];
