import { describe, expect, test } from 'vitest';
import { analyseFailure } from '../../../src/facts/failure/analyse-failure.ts';
import type { FailureClass } from '../../../src/facts/failure/failure-kinds.ts';
import { analysed, command } from '../call/calls.ts';

/** Command, output, class, and the blamed need; without it the whole call is blamed. */
type Row = readonly [command: string, output: string, kind: FailureClass, blamed?: string];

function check(rows: readonly Row[]): void {
  for (const [text, output, kind, blamed] of rows) {
    test(`${text}: ${output}`, () => {
      const call = command(text);
      const failure = analyseFailure(call, output, 1);
      expect(failure.class).toBe(kind);
      if (blamed === undefined) expect(failure.blamed).toContain(`call:${call.signature}`);
      else expect(failure.blamed).toEqual([blamed]);
    });
  }
}

describe('packages', () => {
  check([
    [
      'npm install redis-node',
      "npm error code E404\nnpm error 404 Not Found - GET https://registry.example/redis-node - Not found\nnpm error 404  'redis-node@*' is not in this registry.",
      'missing',
      'package:redis-node',
    ],
    [
      'npm install express @acme/nothere',
      "npm ERR! 404 Not Found - GET https://registry.example/@acme%2fnothere - Not found\nnpm ERR! 404  '@acme/nothere@*' is not in this registry.",
      'missing',
      'package:@acme/nothere',
    ],
    [
      'npm install chalk@^99',
      'npm error code ETARGET\nnpm error notarget No matching version found for chalk@^99.',
      'missing',
      'version:chalk@^99',
    ],
    [
      'npm install old-plugin',
      'npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree\nnpm error Could not resolve dependency:\nnpm error peer react@"^17" from old-plugin@1.0.0',
      'environment',
    ],
    ['npm ci', 'npm error code EUSAGE\nnpm error The `npm ci` command can only install with a lock file', 'usage'],
    [
      'npm install left',
      'npm error network request to https://registry.example/left failed, reason: getaddrinfo ENOTFOUND registry.example',
      'transient',
    ],
    ['npm install left', 'npm error code EACCES\nnpm error syscall mkdir', 'environment'],
    [
      'pnpm add redis-nod',
      ' ERR_PNPM_FETCH_404  GET https://registry.example/redis-nod: Not Found - 404\n\nredis-nod is not in the npm registry, or you have no permission to fetch it.',
      'missing',
      'package:redis-nod',
    ],
    [
      'yarn add redis-nod',
      'error An unexpected error occurred: "https://registry.example/redis-nod: Not found".',
      'missing',
      'package:redis-nod',
    ],
    [
      'yarn add redis-nod',
      'error Couldn\'t find package "redis-nod" on the "npm" registry.',
      'missing',
      'package:redis-nod',
    ],
    ['yarn add redis-nod', '➤ YN0035: │ redis-nod@npm:*: Package not found', 'missing', 'package:redis-nod'],
    ['bun add redis-nod', 'error: GET https://registry.example/redis-nod - 404', 'missing', 'package:redis-nod'],
    ['bun add redis-nod', 'error: redis-nod@latest failed to resolve', 'missing', 'package:redis-nod'],
    [
      'pip install reqests2',
      'ERROR: Could not find a version that satisfies the requirement reqests2 (from versions: none)\nERROR: No matching distribution found for reqests2',
      'missing',
      'package:reqests2',
    ],
    [
      'python3 -m pip install reqests2',
      'ERROR: No matching distribution found for reqests2',
      'missing',
      'package:reqests2',
    ],
    [
      'pip install requests==99.0',
      'ERROR: Could not find a version that satisfies the requirement requests==99.0 (from versions: 2.0.0, 2.1.0)',
      'missing',
      'version:requests==99.0',
    ],
    ['pip install numpy', 'error: externally-managed-environment', 'environment', 'target:pip install'],
    [
      'uv add reqests2',
      '  × No solution found when resolving dependencies:\n  ╰─▶ Because reqests2 was not found in the package registry and your project depends on reqests2',
      'missing',
      'package:reqests2',
    ],
    ['poetry add reqests2', 'Could not find a matching version of package reqests2', 'missing', 'package:reqests2'],
    [
      'conda install nothere',
      'PackagesNotFoundError: The following packages are not available from current channels:\n\n  - nothere',
      'missing',
      'package:nothere',
    ],
    [
      'cargo add serde_jsn',
      'error: the crate `serde_jsn` could not be found in registry index.',
      'missing',
      'package:serde_jsn',
    ],
    [
      'cargo install ripgrp',
      'error: could not find `ripgrp` in registry `crates-io` with version `*`',
      'missing',
      'package:ripgrp',
    ],
    [
      'go get github.com/acme/nothere',
      'go: module github.com/acme/nothere: git ls-remote -q origin: exit status 128:\n\tremote: Repository not found.',
      'missing',
      'package:github.com/acme/nothere',
    ],
    [
      'dotnet add package Newtonsoft.Jsn',
      'error NU1101: Unable to find package Newtonsoft.Jsn. No packages exist with this id in source(s)',
      'missing',
      'package:Newtonsoft.Jsn',
    ],
    [
      'dotnet add package Newtonsoft.Jsn',
      "error: There are no versions available for the package 'Newtonsoft.Jsn'.",
      'missing',
      'package:Newtonsoft.Jsn',
    ],
    [
      'gem install raills',
      "ERROR:  Could not find a valid gem 'raills' (>= 0) in any repository",
      'missing',
      'package:raills',
    ],
    ['bundle install', "Could not find gem 'raills' in rubygems repository or installed locally.", 'missing'],
    ['composer require acme/nothere', 'Could not find package acme/nothere.', 'missing', 'package:acme/nothere'],
    [
      'composer require acme/nothere',
      'Could not find a matching version of package acme/nothere. Check the package spelling',
      'missing',
      'package:acme/nothere',
    ],
    ['brew install nothere', 'Error: No available formula with the name "nothere".', 'missing', 'package:nothere'],
    ['apt-get install -y nothere', 'E: Unable to locate package nothere', 'missing', 'package:nothere'],
    [
      'apk add nothere',
      'ERROR: unable to select packages:\n  nothere (no such package):',
      'missing',
      'package:nothere',
    ],
  ]);

  test('does not blame the package for a failing build step of its installation', () => {
    const failure = analyseFailure(command('pip install pycrypt'), 'CMake Error: Could not find OpenSSL', 1);
    expect(failure.blamed).not.toContain('package:pycrypt');
  });
});

describe('programs', () => {
  check([
    ['rg needle', 'zsh: command not found: rg', 'missing', 'program:rg'],
    ['rg needle', 'bash: line 1: rg: command not found', 'missing', 'program:rg'],
    ['rg needle', '/bin/sh: 1: rg: not found', 'missing', 'program:rg'],
    ['rg needle', 'fish: Unknown command: rg', 'missing', 'program:rg'],
    ['rg needle', "rg : The term 'rg' is not recognized as the name of a cmdlet", 'missing', 'program:rg'],
    ['rg needle', "'rg' is not recognized as an internal or external command,", 'missing', 'program:rg'],
    ['rg needle', 'exec: "rg": executable file not found in $PATH', 'missing', 'program:rg'],
    ['sudo rg needle', 'sudo: rg: command not found', 'missing', 'program:rg via sudo'],
    ['./run.sh', 'zsh: permission denied: ./run.sh', 'environment', 'access:run run.sh'],
    ['docker ps', 'Cannot connect to the Docker daemon at unix:///run/docker.sock.', 'environment', 'service:docker'],
    ['gh pr create', 'To get started with GitHub CLI, please run:  gh auth login', 'environment', 'service:gh'],
    ['kubectl get po', 'The connection to the server localhost:8080 was refused', 'environment', 'service:kubectl'],
  ]);
});

describe('subcommands and tasks', () => {
  check([
    ['npm run biuld', 'npm error Missing script: "biuld"', 'usage', 'subcommand:npm run biuld'],
    ['pnpm run biuld', ' ERR_PNPM_NO_SCRIPT  Missing script: biuld', 'usage', 'subcommand:pnpm run biuld'],
    ['yarn biuld', 'error Command "biuld" not found.', 'usage', 'subcommand:yarn biuld'],
    ['bun run biuld', 'error: Script not found "biuld"', 'usage', 'subcommand:bun run biuld'],
    ['cargo biuld', 'error: no such command: `biuld`', 'usage', 'subcommand:cargo biuld'],
    ['go tset ./...', "go tset: unknown command\nRun 'go help' for usage.", 'usage', 'subcommand:go tset'],
    ['mvn verfy', '[ERROR] Unknown lifecycle phase "verfy".', 'usage', 'subcommand:mvn verfy'],
    [
      './gradlew biuld',
      "FAILURE: Build failed with an exception.\n\nTask 'biuld' not found in root project 'app'.",
      'usage',
      'subcommand:gradlew biuld',
    ],
    ['git biuld', "git: 'biuld' is not a git command. See 'git --help'.", 'usage', 'subcommand:git biuld'],
    ['docker biuld .', "docker: 'biuld' is not a docker command.", 'usage', 'subcommand:docker biuld'],
    ['helm instal x', 'Error: unknown command "instal" for "helm"', 'usage', 'subcommand:helm instal'],
    ['make biuld', "make: *** No rule to make target 'biuld'.  Stop.", 'usage', 'subcommand:make biuld'],
    ['just biuld', 'error: Justfile does not contain recipe `biuld`.', 'usage', 'subcommand:just biuld'],
    ['rake biuld', "rake aborted!\nDon't know how to build task 'biuld'", 'usage', 'subcommand:rake biuld'],
    ['terraform biuld', 'Terraform has no command named "biuld".', 'usage', 'subcommand:terraform biuld'],
    ['kubectl get pdo', 'error: the server doesn\'t have a resource type "pdo"', 'usage'],
  ]);
});

describe('options', () => {
  check([
    ['gh pr diff --stat', 'unknown flag: --stat\n\nUsage:  gh pr diff', 'usage', 'option:gh pr diff --stat'],
    ['docker run --foo x', 'unknown flag: --foo', 'usage', 'option:docker run --foo'],
    ['git log --foo', 'fatal: unrecognized argument: --foo', 'usage', 'option:git log --foo'],
    ['go test -foo', 'flag provided but not defined: -foo', 'usage', 'option:go test -foo'],
    ['grep -P x file', 'grep: invalid option -- P', 'usage', 'option:grep -P'],
    ['sed -z s/a/b/', 'sed: illegal option -- z', 'usage', 'option:sed -z'],
    ['npx tsc --foo', "error TS5023: Unknown compiler option '--foo'.", 'usage', 'option:tsc --foo'],
    ['eslint --foo .', "Invalid option '--foo' - perhaps you meant '--fix'?", 'usage', 'option:eslint --foo'],
    ['pytest --foo', 'pytest: error: unrecognized arguments: --foo', 'usage', 'option:pytest --foo'],
    ['npx jest --foo', '● Unrecognized CLI Parameter:\n\n  Unrecognized option "foo".', 'usage', 'option:jest --foo'],
    ['deno run a.ts --foo', "error: unexpected argument '--foo' found", 'usage', 'option:deno run --foo'],
    ['gh pr view 5 --json foo,title', 'Unknown JSON field: "foo"', 'usage', 'field:gh pr view foo'],
  ]);
});

describe('paths', () => {
  check([
    ['cat nope.txt', 'cat: nope.txt: No such file or directory', 'missing', 'path:nope.txt'],
    ['cat a.txt docs/nope.txt', 'cat: docs/nope.txt: No such file or directory', 'missing', 'path:docs/nope.txt'],
    ['cat /home/kim/app/nope.txt', 'cat: /home/*/app/nope.txt: No such file or directory', 'missing', 'path:nope.txt'],
    ['cat src', 'cat: src: Is a directory', 'usage', 'file:src'],
    ['sed -n 1p nope.txt', "sed: can't read nope.txt: No such file or directory", 'missing', 'path:nope.txt'],
    [
      'python nope.py',
      "python: can't open file '/home/*/app/nope.py': [Errno 2] No such file or directory",
      'missing',
      'path:nope.py',
    ],
    ['node nope.js', "Error: Cannot find module '/home/*/app/nope.js'", 'missing', 'path:nope.js'],
    ['./run.sh', 'bash: ./run.sh: No such file or directory', 'missing', 'path:run.sh'],
    ['node app.js', "Error: Cannot find module 'express'\nRequire stack:", 'missing', 'target:app.js'],
    ['kubectl apply -f no.yaml', 'error: the path "no.yaml" does not exist', 'missing'],
    ['docker run nothere/img', "Unable to find image 'nothere/img:latest' locally", 'missing'],
    ['kubectl get pod web', 'Error from server (NotFound): pods "web" not found', 'missing'],
    ['gh api repos/acme/x', 'gh: Not Found (HTTP 404)', 'missing', 'shape:gh api repos/acme/x'],
    ['gh api repos/acme/x', 'gh: Branch not protected (HTTP 404)', 'unknown'],
  ]);
});

describe('git', () => {
  check([
    [
      'git add dist/a.js src/b.ts',
      'The following paths are ignored by one of your .gitignore files:\ndist\nhint: Use -f if you really want to add them.',
      'usage',
      'stage:dist/a.js',
    ],
    ['git add nope.txt', "fatal: pathspec 'nope.txt' did not match any files", 'missing', 'stage:nope.txt'],
    ['git checkout nobranch', "error: pathspec 'nobranch' did not match any file(s) known to git", 'missing'],
    [
      'git merge feature',
      'Auto-merging a.txt\nCONFLICT (content): Merge conflict in a.txt\nAutomatic merge failed; fix conflicts',
      'state',
      'merge:feature',
    ],
    ['git push', '! [rejected] main -> main (non-fast-forward)\nerror: failed to push some refs', 'state'],
    ['git rebase main', 'error: cannot rebase: You have unstaged changes.', 'state'],
    ['git push', "fatal: Authentication failed for 'https://example.com/x.git/'", 'environment'],
    ['git commit -m x', "fatal: Unable to create '/app/.git/index.lock': File exists.", 'transient'],
  ]);
});

describe('the project itself', () => {
  check([
    ['npm test', 'FAIL src/a.test.ts\n  expected 1 to be 2\nTests  1 failed', 'state'],
    ['npx tsc -p .', "src/a.ts(3,5): error TS2304: Cannot find name 'foo'.", 'state'],
    ['npx eslint src', '/app/src/a.ts\n  3:5  error  foo is not defined  no-undef', 'state'],
    ['pytest', 'E       assert 1 == 2\n=== 1 failed in 0.1s ===', 'state'],
    ['cargo build', 'error[E0432]: unresolved import `foo::bar`\n --> src/main.rs:3:5', 'state'],
    ['go build ./...', 'main.go:5:2: no required module provides package github.com/acme/x', 'state'],
    ['mvn package', '[ERROR] Failed to execute goal on project app: Could not resolve dependencies', 'state'],
    ['gradle build', '> Could not find com.acme:nothere:1.0.', 'state'],
    ['dotnet build', "Program.cs(1,1): error CS0246: The type or namespace name 'X' could not be found", 'state'],
    ['make test', 'make: *** [Makefile:5: test] Error 1', 'state'],
  ]);
});

describe('transient failures', () => {
  check([
    ['curl http://localhost:3000', 'curl: (7) Failed to connect: Connection refused', 'transient'],
    ['gh run list', 'HTTP 503: Service Unavailable', 'transient'],
    ['gh api x', 'API rate limit exceeded for user', 'transient'],
    ['git fetch', 'fatal: unable to access: Could not resolve host: example.com', 'transient'],
  ]);

  test.each([124, 130, 137, 143])('classifies exit code %i as a time-out or signal', (exitCode) => {
    expect(analyseFailure(command('./work.sh'), 'half done', exitCode).class).toBe('transient');
  });
});

describe('editing tools', () => {
  const edit = analysed('Edit', { file_path: '/home/kim/app/src/a.ts', old_string: 'a', new_string: 'b' });

  test.each(['has not been read yet. Read it first before writing to it.', 'has been modified since read'])(
    'takes what reading the file solves as passing: %s',
    (refusal) => {
      expect(analyseFailure(edit, `<tool_use_error>File ${refusal}</tool_use_error>`)).toMatchObject({
        class: 'transient',
      });
    },
  );

  test('classifies an edit of missing text as stale', () => {
    expect(analyseFailure(edit, 'String to replace not found in file.\nString: a')).toMatchObject({
      class: 'stale',
      blamed: [`call:${edit.signature}`],
    });
  });

  test('blames the rule of changing for an edit without effect', () => {
    const output = 'No changes to make: old_string and new_string are exactly the same.';
    expect(analyseFailure(edit, output)).toMatchObject({ class: 'usage', blamed: ['rule:idle'] });
  });

  test('classifies a concurrent change of a file as transient', () => {
    const output = 'File has been modified since read, either by the user or by a linter.';
    expect(analyseFailure(edit, output).class).toBe('transient');
  });

  test('blames the path differently for a folder, a missing file and a file that is too large', () => {
    const read = analysed('Read', { file_path: '/home/kim/app/src/big.ts' });
    expect(analyseFailure(read, 'EISDIR: illegal operation on a directory, read').blamed).toEqual(['file:src/big.ts']);
    expect(analyseFailure(read, 'File does not exist.').blamed).toEqual(['path:src/big.ts']);
    const large = 'File content (31002 tokens) exceeds maximum allowed tokens (25000).';
    expect(analyseFailure(read, large).blamed).toEqual(['whole:src/big.ts']);
  });
});

describe('chains', () => {
  test('blames the part that the error names and the whole chain', () => {
    const call = command('npm run prepare-data && deploytool push prod');
    const failure = analyseFailure(call, 'deploytool: quota used up', 1);
    expect(failure.blamed).toContain('call:sh deploytool push prod');
    expect(failure.blamed).toContain(`call:${call.signature}`);
    expect(failure.blamed).not.toContain('call:sh npm run prepare-data');
  });

  test('blames a need of any part', () => {
    const call = command('cd /home/kim/app && mkdir -p out && cat nope.txt');
    expect(analyseFailure(call, 'cat: nope.txt: No such file or directory', 1).blamed).toEqual(['path:nope.txt']);
  });
});

describe('suggestions', () => {
  test.each([
    ['error: no such command: `biuld`\n\n        Did you mean `build`?', 'build'],
    ['** (Mix) The task "deps.gte" could not be found. Did you mean "deps.get"?', 'deps.get'],
    ['File does not exist. Did you mean app.tsx?', 'app.tsx'],
  ])('%s', (output, suggestion) => {
    expect(analyseFailure(command('x y'), output, 1).suggestion).toBe(suggestion);
  });

  test('ignores a question without an answer on its line', () => {
    const output =
      'npm error Missing script: "biuld"\nnpm error\nnpm error Did you mean this?\nnpm error   npm run build';
    expect(analyseFailure(command('npm run biuld'), output, 1).suggestion).toBeUndefined();
  });
});

test('explains empty output, noise and very long lines', () => {
  for (const output of ['', '\n\n', '\u0000\ufffd\u001b[31m', "package 'x' ".repeat(400), 'a: '.repeat(1000)]) {
    const failure = analyseFailure(command('./x'), output, 1);
    expect(failure.blamed.length).toBeGreaterThan(0);
    expect(failure.line.length).toBeLessThanOrEqual(300);
  }
});
