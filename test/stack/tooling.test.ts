import { describe, expect, it } from 'vitest';
import { stackOf } from './project-folder.ts';

const GO = { 'go.mod': 'module example.org/x\n', 'main.go': '' };

describe('task runners', () => {
  it('take precedence over default commands', () => {
    const makefile =
      '.PHONY: test lint\nVERSION := 1\ntest: deps ## runs the tests\n\tgo test ./...\nlint fmt:\n\ttrue\n';
    const { commands: patterns, techStack } = stackOf({ ...GO, Makefile: makefile });
    expect(patterns).toMatchObject({
      testCommand: 'make test',
      lintCommand: 'make lint',
      formatCommand: 'make fmt',
    });
    expect(patterns.buildCommand).toBe('go build ./...');
    expect(techStack.tools).toContain('Make');
  });

  it('include just, Task, mise and Invoke', () => {
    const just =
      'set shell := ["bash"]\ndefault: test\n\n@test *args:\n  cargo test {{args}}\nbuild mode="debug": test\n  x\n';
    expect(stackOf({ ...GO, justfile: just }).commands).toMatchObject({
      testCommand: 'just test',
      buildCommand: 'just build',
    });
    const task = 'version: "3"\ntasks:\n  test:\n    cmds:\n      - go test ./...\n  build:\n    desc: x\n';
    expect(stackOf({ ...GO, 'Taskfile.yml': task }).commands).toMatchObject({
      testCommand: 'task test',
      buildCommand: 'task build',
    });
    const mise = '[tools]\ngo = "1.24"\n[tasks.test]\nrun = "go test ./..."\n[tasks]\nlint = "golangci-lint run"\n';
    expect(stackOf({ ...GO, 'mise.toml': mise }).commands).toMatchObject({
      testCommand: 'mise run test',
      lintCommand: 'mise run lint',
    });
    const invoke = 'from invoke import task\n\n@task\ndef test(c):\n    pass\n';
    expect(stackOf({ ...GO, 'tasks.py': invoke }).commands.testCommand).toBe('invoke test');
  });

  it('do not take precedence over a script of the manifest', () => {
    const manifest = { scripts: { test: 'jest' } };
    expect(stackOf({ 'package.json': manifest, Makefile: 'test:\n\tnpm test\n' }).commands.testCommand).toBe(
      'npm test',
    );
  });
});

describe("the project's instructions", () => {
  const go = { 'go.mod': 'module example.org/shop\n', 'main.go': 'package main\n' };

  it('come before defaults, and after targets of a task runner', () => {
    const instructions = '## Work\n- Test: `go test -race ./...`\n\n```bash\n$ golangci-lint run  # the linter\n```\n';
    const stack = stackOf({ ...go, 'AGENTS.md': instructions, Makefile: 'test:\n\tgo test ./...\n' });
    expect(stack.commands).toMatchObject({ testCommand: 'make test', lintCommand: 'golangci-lint run' });
    expect(stack.stated).toEqual(['testCommand', 'lintCommand', 'packageManager']);
  });

  it('do not count where they advise against a command or name one of a part', () => {
    const instructions = 'Never use `golangci-lint run`.\nIn the site: `cd web && npm run lint`\n';
    expect(stackOf({ ...go, 'CLAUDE.md': instructions }).commands.lintCommand).toBe('go vet ./...');
  });
});

describe('continuous integration', () => {
  it('provides the test command of a project without other evidence', () => {
    const workflow = `
on: [push]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - name: Install
        run: pip install -r requirements.txt
      - name: Test
        run: |
          echo start
          python -m unittest discover -s tests
`;
    const stack = stackOf({ 'requirements.txt': 'requests\n', '.github/workflows/ci.yml': workflow });
    expect(stack.commands.testCommand).toBe('python -m unittest');
    expect(stack.techStack.tools).toEqual(['GitHub Actions']);
    expect(stack.evidence).toContainEqual({
      fact: 'testCommand',
      value: 'python -m unittest',
      file: '.github/workflows/ci.yml',
    });
  });

  it('is read from GitLab too, and does not add its options to the default command', () => {
    const pipeline = 'test:\n  script:\n    - go test -race -coverprofile=c.out ./...\n    - gotestsum\n';
    expect(stackOf({ ...GO, '.gitlab-ci.yml': pipeline }).commands.testCommand).toBe('go test ./...');
    const other = 'test:\n  script:\n    - gotestsum --junitfile x.xml\n';
    expect(stackOf({ ...GO, '.gitlab-ci.yml': other }).commands.testCommand).toBe('gotestsum ./...');
  });

  it('uses the working directory of a step', () => {
    const workflow =
      'jobs:\n  a:\n    defaults:\n      run:\n        working-directory: docs\n    steps:\n    - run: gotestsum\n';
    expect(stackOf({ ...GO, '.github/workflows/ci.yml': workflow }).commands.testCommand).toBe('go test ./...');
  });

  it('ignores commands with variables and of other ecosystems', () => {
    const workflow = 'jobs:\n  a:\n    steps:\n      - run: gotestsum $FLAGS\n      - run: pytest\n';
    expect(stackOf({ ...GO, '.github/workflows/ci.yml': workflow }).commands.testCommand).toBe('go test ./...');
  });
});

describe('git hooks', () => {
  it('of husky run before a commit', () => {
    const stack = stackOf({
      'package.json': { scripts: { test: 'jest' } },
      '.husky/pre-commit': '#!/bin/sh\n. "$(dirname "$0")/_/husky.sh"\n\nnpx lint-staged\nnpm test\n',
    });
    expect(stack.beforeCommit).toEqual(['npx lint-staged', 'npm test']);
    expect(stack.techStack.tools).toEqual(['husky']);
  });

  it('of Lefthook, pre-commit and simple-git-hooks are detected too', () => {
    const lefthook =
      'pre-commit:\n  parallel: true\n  commands:\n    lint:\n      run: npx eslint {staged_files}\npre-push:\n  commands:\n    t:\n      run: npm test\n';
    expect(stackOf({ 'lefthook.yml': lefthook }).beforeCommit).toEqual(['npx eslint {staged_files}']);
    const preCommit = `repos:
  - repo: https://github.com/astral-sh/ruff-pre-commit
    rev: v0.9.0
    hooks:
      - id: ruff
        args: [--fix]
      - id: ruff-format
  - repo: local
    hooks:
      - id: tests
        stages: [pre-push]
`;
    expect(stackOf({ '.pre-commit-config.yaml': preCommit }).beforeCommit).toEqual([
      'pre-commit run ruff',
      'pre-commit run ruff-format',
    ]);
    const manifest = { 'simple-git-hooks': { 'pre-commit': 'npm run lint' } };
    expect(stackOf({ 'package.json': manifest }).beforeCommit).toEqual(['npm run lint']);
  });
});

describe('files in the root folder', () => {
  it('reveal deployment tools', () => {
    const files = { Dockerfile: '', 'compose.yaml': '', 'main.tf': '' };
    expect(stackOf(files).techStack.tools).toEqual(['Docker', 'Docker Compose', 'Terraform']);
  });
});
