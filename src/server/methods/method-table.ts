import { YoreError } from '../../record/index.ts';
import type { Methods } from '../rpc/api.ts';
import { type CallMethod, type CallOutcome, RPC_ERROR } from '../rpc/json-rpc.ts';
import { TASKS, type Tasks, type WorkerContext } from '../workers/tasks.ts';
import { changeMethods } from './changes.ts';
import { chatMethods } from './chat.ts';
import { historyMethods } from './history.ts';
import { manageMethods } from './manage-session.ts';
import { memoryMethods } from './memory.ts';
import type { Method, MethodContext, MethodTable } from './method.ts';
import { checkParameters } from './parameters.ts';
import { projectMethods } from './project.ts';
import { readerMethods } from './session-reader.ts';
import { settingsMethods } from './settings.ts';

/** All methods, by name. */
export const METHODS: MethodTable = {
  ...projectMethods,
  ...historyMethods,
  ...readerMethods,
  ...manageMethods,
  ...chatMethods,
  ...memoryMethods,
  ...changeMethods,
  ...settingsMethods,
};

/** Validates calls and runs them, each in the thread that its method names. */
export function createDispatcher(context: MethodContext): CallMethod {
  return async (name, params, client) => {
    if (!isMethod(name)) {
      return refused(RPC_ERROR.unknownMethod, `There is no method "${name.slice(0, 60)}".`);
    }
    const method = METHODS[name] as Method<keyof Methods>;
    if (context.readOnly && method.changes) {
      throw new YoreError(
        'READ_ONLY',
        'This server is read-only because other machines can reach it. Nothing can be changed through it.',
      );
    }
    if (!context.isLoopback && method.isLocal) {
      throw new YoreError('READ_ONLY', 'Settings can be changed only while the server listens on this machine alone.');
    }
    const checked = checkParameters(params, method.parameters);
    if (!checked.ok) return refused(RPC_ERROR.invalidParameters, checked.problem);
    if (method.runsIn === 'main') return { ok: true, result: await method.run(checked.value, context) };
    const { runsIn, indexWaitMs, isReplaceable } = method;
    if (indexWaitMs !== undefined) await context.index.catchUp(indexWaitMs);
    const caller = isReplaceable === true ? client : undefined;
    const result = await context.workers.run(runsIn, name, checked.value, caller);
    if (method.complete === undefined) return { ok: true, result };
    return { ok: true, result: method.complete(JSON.parse(result.text), checked.value, context) };
  };
}

/** Runs a method or a task of a worker, in the thread that calls this. */
export function runInWorker(name: string, params: unknown, context: WorkerContext): unknown {
  const found: { readonly run: unknown } = isMethod(name) ? METHODS[name] : TASKS[name as keyof Tasks];
  return (found.run as (params: unknown, context: WorkerContext) => unknown)(params, context);
}

function isMethod(name: string): name is keyof Methods {
  return Object.hasOwn(METHODS, name);
}

function refused(code: number, message: string): CallOutcome {
  return { ok: false, error: { code, message } };
}
