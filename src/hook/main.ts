import { writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { homeFolder } from '../registry/home-folder.ts';
import { answerHook, type HookMachine } from './answer-hook.ts';
import { logHookProblem } from './hook-log.ts';
import { readInput } from './read-input.ts';

export { answerHook } from './answer-hook.ts';

/** An agent sends its payload at once; what is not there by then does not come. */
const INPUT_MS = 2_000;
/** Whatever happens, the process ends by then. */
const LONGEST_MS = 5_000;

/**
 * The process that agents call: `yore-hook AGENT [EVENT]` with the event as JSON on standard input. Answers on standard
 * output in one piece, or says nothing. Ends with 0 in any case.
 */
export async function runHook(args: readonly string[], homeOption?: string): Promise<never> {
  process.on('uncaughtException', end);
  setTimeout(end, LONGEST_MS);
  const machine: HookMachine = {
    home: homeFolder(homeOption, process.env),
    env: process.env,
    userHome: homedir(),
    now: Date.now,
    // Not `performance`, which takes longer to load than a call to check.
    elapsed: () => process.uptime() * 1000,
  };
  const text = await answerTo(args, machine);
  try {
    if (text !== '') writeSync(1, text);
  } catch {
    // The agent has gone.
  }
  end();
}

/**
 * Everything is written by now. Node.js waits at its end for threads that compile, and in some versions forever, when one
 * of them waits for a collection of garbage. The shim takes any end for a good one, so with it the process ends itself.
 */
function end(): never {
  if (process.env.YORE_SHIM === '1') process.kill(process.pid, 'SIGKILL');
  process.exit(0);
}

async function answerTo([agent, event]: readonly string[], machine: HookMachine): Promise<string> {
  if (agent === undefined) return '';
  const input = await readInput(INPUT_MS);
  if (!input.ok) {
    logHookProblem(machine.home, agent, input.problem, machine.now());
    // Nothing else ends a process one of whose reads waits; what started it takes any end for a good one.
    if (input.isStuck === true) process.kill(process.pid, 'SIGKILL');
    return '';
  }
  if (input.text.trim() === '') return '';
  return await answerHook({ agent, payload: input.text, ...(event === undefined ? {} : { event }) }, machine);
}
