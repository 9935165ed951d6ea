import { YoreError } from '../../record/index.ts';
import type { Methods } from './api.ts';
import { type CallMethod, type CallOutcome, RPC_ERROR } from './json-rpc.ts';
import type { Method, MethodContext, MethodTable } from './method.ts';
import { chatMethods } from './methods/chat.ts';
import { fileMethods } from './methods/files.ts';
import { historyMethods } from './methods/history.ts';
import { memoryMethods } from './methods/memory.ts';
import { projectMethods } from './methods/project.ts';
import { promptMethods } from './methods/prompts.ts';
import { checkParameters } from './parameters.ts';

/** All methods, by name. */
export const METHODS: MethodTable = {
  ...projectMethods,
  ...historyMethods,
  ...chatMethods,
  ...fileMethods,
  ...promptMethods,
  ...memoryMethods,
};

/** Finds a method, checks its parameters and runs it. */
export function methodCaller(context: MethodContext): CallMethod {
  return async (name, params, client) => {
    if (!isMethod(name)) {
      return refused(RPC_ERROR.unknownMethod, `There is no method "${name.slice(0, 60)}".`);
    }
    const method = METHODS[name];
    if (context.readOnly && method.changes) {
      throw new YoreError(
        'READ_ONLY',
        'This server can be reached from other machines, so it only shows: nothing can be changed through it.',
      );
    }
    return run(method as Method<keyof Methods>, params, context, client);
  };
}

async function run<M extends keyof Methods>(
  method: Method<M>,
  params: unknown,
  context: MethodContext,
  client: object | undefined,
): Promise<CallOutcome> {
  const checked = checkParameters(params, method.parameters);
  if (!checked.ok) return refused(RPC_ERROR.invalidParameters, checked.problem);
  return { ok: true, result: await method.run(checked.value, context, client) };
}

function isMethod(name: string): name is keyof Methods {
  return Object.hasOwn(METHODS, name);
}

function refused(code: number, message: string): CallOutcome {
  return { ok: false, error: { code, message } };
}
