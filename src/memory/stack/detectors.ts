import type { Detector } from './detector.ts';
import { DOTNET, GO, RUST, SWIFT } from './ecosystems/compiled.ts';
import { DENO } from './ecosystems/deno.ts';
import { JVM } from './ecosystems/jvm.ts';
import { NATIVE } from './ecosystems/native.ts';
import { NODE } from './ecosystems/node.ts';
import { PYTHON } from './ecosystems/python.ts';
import { ELIXIR, PHP, RUBY } from './ecosystems/scripting.ts';
import { GIT_HOOKS } from './surroundings/git-hooks.ts';
import { INTEGRATION } from './surroundings/integration.ts';
import { FILE_MARKERS } from './surroundings/markers.ts';
import { TASK_RUNNERS } from './surroundings/task-runners.ts';

/** Ecosystems, in the order that decides between equals: what is mostly a helper to others stands later. */
export const ECOSYSTEMS: readonly Detector[] = [
  DENO,
  RUST,
  GO,
  JVM,
  DOTNET,
  SWIFT,
  ELIXIR,
  RUBY,
  PHP,
  NODE,
  PYTHON,
  NATIVE,
];

/** What stands around every ecosystem. */
export const SURROUNDINGS: readonly Detector[] = [TASK_RUNNERS, INTEGRATION, GIT_HOOKS, FILE_MARKERS];
